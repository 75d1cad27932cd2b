import { createEntranceClient, type EntranceClient } from '@tollgate/client'
import { CheckoutPage, type CheckoutProps } from './checkout.page.tsx'
import { tellFrame } from './checkout-frame.ts'
import { hydratePage } from './hydrate.tsx'

hydratePage<Omit<CheckoutProps, 'client'>, EntranceClient>(createEntranceClient, (props) => {
  const { embedded, checkout } = props.data
  if (embedded && checkout.embedOrigin !== null) tellFrame(checkout.embedOrigin, { event: 'loaded' })
  return <CheckoutPage {...props} />
})
