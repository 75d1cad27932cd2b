import { Button } from '@mantine/core'
import type { Order } from '@tollgate/contract/billing-types'
import { lazy, Suspense } from 'react'
import { useSeller } from '../../context.ts'
import { useAsked } from '../../parts/asked.ts'
import { ordersWords } from './orders.texts.ts'
import { PayLinkButton } from './pay-link-button.tsx'

const words = ordersWords.order

/** Loaded when one of them opens for the first time: few orders wait for their payment. */
const dialogs = () => import('./open-order.dialog.tsx')
const VoidDialog = lazy(async () => ({ default: (await dialogs()).VoidDialog }))
const MarkPaidDialog = lazy(async () => ({ default: (await dialogs()).MarkPaidDialog }))

/** What a seller does with an order that waits for its payment; nothing for any other. */
export function OpenOrderActions({ order }: { order: Order }) {
  const { may } = useSeller()
  const { what, ask, frame } = useAsked<'void' | 'markPaid'>()
  const isOpen = order.status === 'pending' && order.voidedAt === null && may('order', 'write')
  return (
    <>
      {isOpen ? (
        <>
          <PayLinkButton order={order} />
          <Button variant="default" onClick={() => ask('markPaid')}>
            {words.markingPaid.button}
          </Button>
          <Button variant="default" onClick={() => ask('void')}>
            {words.voiding.button}
          </Button>
        </>
      ) : null}
      <Suspense>
        {what === 'void' ? <VoidDialog order={order} {...frame} /> : null}
        {what === 'markPaid' ? <MarkPaidDialog order={order} {...frame} /> : null}
      </Suspense>
    </>
  )
}
