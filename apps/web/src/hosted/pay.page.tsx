import type { EntranceClient } from '@tollgate/client'
import type { PageData } from '@tollgate/contract/pages'
import { type PageMessages, PayLink } from '@tollgate/react'
import { processors } from './processors.ts'
import { SaleFrame } from './sale-frame.tsx'

export type PayProps = { data: PageData<'pay'>; messages: PageMessages; client: EntranceClient }

/** The page of a pay link; it hydrates in the browser. */
export function PayPage(props: PayProps) {
  return (
    <SaleFrame {...props} sale={props.data.due}>
      <PayLink {...props.data} processors={processors} />
    </SaleFrame>
  )
}
