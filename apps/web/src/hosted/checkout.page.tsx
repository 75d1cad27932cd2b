import type { EntranceClient } from '@tollgate/client'
import type { PageData } from '@tollgate/contract/pages'
import { Checkout, type PageMessages } from '@tollgate/react'
import { confirmationPath, tellFrame } from './checkout-frame.ts'
import { processors } from './processors.ts'
import { SaleFrame } from './sale-frame.tsx'

export type CheckoutProps = { data: PageData<'checkout'>; messages: PageMessages; client: EntranceClient }

/** A checkout; it hydrates in the browser. */
export function CheckoutPage(props: CheckoutProps) {
  return (
    <SaleFrame {...props} sale={props.data.checkout}>
      <Content {...props.data} />
    </SaleFrame>
  )
}

/** A page's data and its component use the same names for what they share. */
function Content(data: PageData<'checkout'>) {
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
