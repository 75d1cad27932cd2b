import type { EntranceClient } from '@tollgate/client'
import type { PageData } from '@tollgate/contract/pages'
import { Checkout, CheckoutReceipt, HazardStripe, type PageMessages } from '@tollgate/react'
import { confirmationPath, tellFrame } from './checkout-frame.ts'
import { Frame } from './frame.tsx'

/** The checkout and its receipt; both hydrate in the browser. */
export type CheckoutData = PageData<'checkout' | 'checkout-confirmation'>

export type CheckoutProps = { data: CheckoutData; messages: PageMessages; client: EntranceClient }

export function CheckoutPage(props: CheckoutProps) {
  const { data } = props
  const { processor, paymentProcessorMetadata: metadata } = data.checkout
  // Test mode moves no real money, in production either, and every page says so.
  const isNoMoney = processor === 'sandbox' || metadata.publishable_key?.startsWith('pk_test_')
  const isTest = isNoMoney && data.mode !== 'development'
  return (
    <Frame
      {...props}
      className="checkout"
      header={isTest ? <HazardStripe text={props.messages.checkout?.testMode} /> : null}
    >
      <Content {...data} />
    </Frame>
  )
}

/** Loaded by checkouts of Stripe, when they are paid. */
const processors = { stripe: async () => (await import('./stripe-payment.tsx')).stripePayment }

/** A page's data and its component use the same names for what they share. */
function Content(data: CheckoutData) {
  if (data.page === 'checkout-confirmation') return <CheckoutReceipt {...data} />
  const { embedOrigin } = data.checkout
  if (!data.embedded || embedOrigin === null) return <Checkout {...data} back={data.address} processors={processors} />
  return (
    <Checkout
      {...data}
      back={data.address}
      processors={processors}
      onConfirmed={() => tellFrame(embedOrigin, { event: 'confirmed' })}
      onSuccess={({ id, successUrl }) => {
        tellFrame(embedOrigin, {
          event: 'success',
          checkoutId: id,
          successUrl: successUrl.replaceAll('{CHECKOUT_ID}', id),
        })
        location.assign(confirmationPath(data.clientSecret))
      }}
      onClose={() => tellFrame(embedOrigin, { event: 'close' })}
    />
  )
}
