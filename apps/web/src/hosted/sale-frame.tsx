import type { CheckoutPublic } from '@tollgate/contract/billing-types'
import type { PageFrame } from '@tollgate/contract/pages'
import { HazardStripe } from '@tollgate/react'
import { Frame, type FrameProps } from './frame.tsx'

type SaleFrameProps = Omit<FrameProps, 'className' | 'header' | 'data'> & {
  data: PageFrame & { readonly checkout: CheckoutPublic }
}

/** The frame of a checkout and of its receipt. */
export function SaleFrame(props: SaleFrameProps) {
  const { data, messages } = props
  const { processor, paymentProcessorMetadata: metadata } = data.checkout
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
