import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type { BillingAnswer, Product } from '@tollgate/contract/billing-types'
import { lazy, Suspense } from 'react'
import { useSeller } from '../../context.ts'
import { ActionDialog } from '../../parts/action-dialog.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Day } from '../../parts/time.tsx'
import { answerOf } from '../../queries/answer.ts'
import { listQuery } from '../../queries/billing.ts'
import { productWords } from './products.texts.ts'

const words = productWords.priceChange

type Of = { product: Product }
type PriceChange = BillingAnswer<'getPriceChange'>

/** Loaded when it opens for the first time. */
const Dialog = lazy(async () => ({ default: (await import('./price-change.dialog.tsx')).PriceChangeDialog }))

/** Opens the dialog that changes the price for existing subscribers, where the product has subscribers at fixed prices. */
export function PriceChangeButton({ product }: Of) {
  const { may } = useSeller()
  const [isOpen, dialog] = useDisclosure()
  const isFixed = product.isRecurring && product.prices.some(({ amountType }) => amountType === 'fixed')
  if (!isFixed || product.isArchived || !may('subscription', 'write')) return null
  return (
    <>
      <Button variant="default" onClick={dialog.open}>
        {words.button}
      </Button>
      <Suspense>{isOpen ? <Dialog product={product} opened onClose={dialog.close} /> : null}</Suspense>
    </>
  )
}

/** The latest changes of price for a product's subscribers, with how far they are; nothing where there was none. */
export function PriceChanges({ product: { id, isRecurring } }: Of) {
  const { billing, may } = useSeller()
  const query = { productId: [id], limit: 5 }
  const { data } = useQuery({
    ...listQuery(['price-changes', query], (options) => billing.listPriceChanges(query, options)),
    enabled: isRecurring && may('subscription', 'read'),
  })
  if (!data || data.items.length === 0) return null
  return (
    <Panel title={words.list}>
      <ul className="rows">
        {data.items.map((change) => (
          <ChangeRow key={change.id} change={change} />
        ))}
      </ul>
    </Panel>
  )
}

function ChangeRow({ change }: { change: PriceChange }) {
  const { billing, may } = useSeller()
  const [isAsking, asking] = useDisclosure()
  const { id, status, startsAt, subscriptionsCount, noticesCount, appliedCount } = change
  return (
    <li>
      <span className="grow">
        {words.states[status]}
        <span className="quiet block">{words.progress(subscriptionsCount, noticesCount, appliedCount)}</span>
      </span>
      <span>
        <span className="quiet">{words.from}</span> <Day at={startsAt} />
      </span>
      {status === 'planned' && may('subscription', 'write') ? (
        <Button variant="default" size="compact-sm" onClick={asking.open}>
          {words.cancel}
        </Button>
      ) : null}
      <ActionDialog
        opened={isAsking}
        onClose={asking.close}
        title={words.cancelTitle}
        text={words.cancelText}
        submit={words.cancel}
        run={async () => {
          await answerOf(billing.cancelPriceChange({ id }))
          return words.canceled
        }}
      />
    </li>
  )
}
