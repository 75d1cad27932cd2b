import { Button } from '@mantine/core'
import type { Order } from '@tollgate/contract/billing-types'
import { lazy, Suspense, useState } from 'react'
import { useSeller } from '../../context.ts'
import { ordersWords } from './orders.texts.ts'
import { PayLinkButton } from './pay-link-button.tsx'

const words = ordersWords.order

/** Loaded when one of them opens for the first time: few orders wait for their payment. */
const dialogs = () => import('./open-order.dialog.tsx')
const VoidDialog = lazy(async () => ({ default: (await dialogs()).VoidDialog }))
const MarkPaidDialog = lazy(async () => ({ default: (await dialogs()).MarkPaidDialog }))

type Asked = 'void' | 'markPaid'

/** What a seller does with an order that waits for its payment; nothing for any other. */
export function OpenOrderActions({ order }: { order: Order }) {
  const { may } = useSeller()
  // The dialog stays while it closes; each opening begins anew.
  const [asked, setAsked] = useState<{ readonly what: Asked; readonly opening: number; readonly isOpen: boolean }>()
  const ask = (what: Asked) => setAsked({ what, opening: (asked?.opening ?? 0) + 1, isOpen: true })
  const frame = {
    order,
    opened: asked?.isOpen ?? false,
    onClose: () => setAsked(asked && { ...asked, isOpen: false }),
  }
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
        {asked?.what === 'void' ? <VoidDialog key={asked.opening} {...frame} /> : null}
        {asked?.what === 'markPaid' ? <MarkPaidDialog key={asked.opening} {...frame} /> : null}
      </Suspense>
    </>
  )
}
