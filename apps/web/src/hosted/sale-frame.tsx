import type { CheckoutPublic } from '@tollgate/contract/billing-types'
import { HazardStripe } from '@tollgate/react'
import { Frame, type FrameProps } from './frame.tsx'

type SaleFrameProps = Omit<FrameProps, 'className' | 'header'> & {
  /** What is paid on the page, or has been. */
  sale: Pick<CheckoutPublic, 'processor' | 'paymentProcessorMetadata'>
}

/** The frame of a checkout, of its receipt and of a pay link. */
export function SaleFrame({ sale, ...props }: SaleFrameProps) {
  const { data, messages } = props
  const { processor, paymentProcessorMetadata: metadata } = sale
  // Test mode moves no real money, in production either, and every page says so.
  const isNoMoney = processor === 'sandbox' || metadata.publishable_key?.startsWith('pk_test_')
  const isTest = isNoMoney && data.mode !== 'development'
  return (
    <Frame
      {...props}
      className="checkout"
      header={isTest ? <HazardStripe text={messages.checkout?.testMode} /> : null}
    />
  )
}
