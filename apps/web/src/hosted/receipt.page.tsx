import type { EntranceClient } from '@tollgate/client'
import type { PageData } from '@tollgate/contract/pages'
import { CheckoutReceipt, type PageMessages } from '@tollgate/react'
import { SaleFrame } from './sale-frame.tsx'

export type ReceiptProps = { data: PageData<'checkout-confirmation'>; messages: PageMessages; client: EntranceClient }

/** What follows a checkout. A bundle of its own: who pays does not load it yet. */
export function ReceiptPage(props: ReceiptProps) {
  return (
    <SaleFrame {...props} sale={props.data.checkout}>
      <CheckoutReceipt {...props.data} />
    </SaleFrame>
  )
}
