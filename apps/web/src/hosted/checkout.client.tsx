import { createEntranceClient } from '@tollgate/client'
import { CheckoutPage, type CheckoutProps } from './checkout.page.tsx'
import { tellFrame } from './checkout-frame.ts'
import { hydratePage } from './hydrate.tsx'

hydratePage<Omit<CheckoutProps, 'client'>>(createEntranceClient, (props) => {
  const { embedOrigin } = props.data.checkout
  if (props.data.embedded && embedOrigin !== null) tellFrame(embedOrigin, { event: 'loaded' })
  return <CheckoutPage {...props} />
})
