import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { BillingClient } from '@tollgate/client'
import type { BillingAnswer, Subscription } from '@tollgate/contract/billing-types'
import { useState } from 'react'
import { useSeller } from '../../context.ts'
import { ActionDialog } from '../../parts/action-dialog.tsx'
import { Money } from '../../parts/money.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Failure, Waiting } from '../../parts/states.tsx'
import { momentText } from '../../parts/time.tsx'
import { itemQuery, listQuery } from '../../queries/billing.ts'
import { changed } from './subscription-refusals.ts'
import { subscriptionsWords } from './subscriptions.texts.ts'

const words = subscriptionsWords.schedule

type Phase = BillingAnswer<'getSubscriptionSchedule'>['phases'][number]

/** What a subscription is planned to become; asked for only where something is planned. */
export const scheduleOf = (billing: BillingClient, subscription: Subscription | undefined) => ({
  ...itemQuery(['subscription-schedule', subscription?.id, subscription?.modifiedAt], (options) =>
    billing.getSubscriptionSchedule({ id: subscription?.id ?? '' }, options),
  ),
  enabled: (subscription?.scheduledPhases ?? 0) > 0,
})

/** The phases of a subscription's schedule, and the way to remove those that have not begun. */
export function SchedulePanel({ subscription }: { subscription: Subscription }) {
  const { billing, may } = useSeller()
  const [isAsking, setAsking] = useState(false)
  const { data, error, refetch } = useQuery(scheduleOf(billing, subscription))
  const names = useProductNames(data?.phases ?? [])
  if (subscription.scheduledPhases === 0) return null
  return (
    <Panel
      title={words.title}
      actions={
        may('subscription', 'write') ? (
          <Button variant="default" size="compact-sm" onClick={() => setAsking(true)}>
            {words.remove}
          </Button>
        ) : null
      }
    >
      <p className="quiet panel-note">{words.note}</p>
      {error && !data ? <Failure error={error} retry={refetch} /> : null}
      {!error && !data ? <Waiting label={words.loading} rows={3} /> : null}
      {data ? (
        <ol className="rows">
          {data.phases.map((phase, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: phases have no ids, and their order is what they are
            <PhaseRow key={at} phase={phase} product={names.get(phase.productId) ?? subscriptionsWords.product} />
          ))}
        </ol>
      ) : null}
      <ActionDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={words.removeTitle}
        text={words.removeText}
        submit={words.remove}
        run={async () => {
          await changed(billing.removeSubscriptionSchedule({ id: subscription.id }))
          return words.removed
        }}
      />
    </Panel>
  )
}

function PhaseRow({ phase, product }: { phase: Phase; product: string }) {
  const { state, quantity, amount, currency, recurringInterval, beginsAt } = phase
  return (
    <li>
      <span className="grow">
        {quantity > 1 ? `${quantity} × ${product}` : product}
        <span className="quiet block">{[lengthOf(phase), discountIn(phase)].join(', ')}</span>
      </span>
      <span>
        <Money amount={amount} currency={currency} />{' '}
        <span className="quiet">{subscriptionsWords.per[recurringInterval]}</span>
        <span className="quiet block">{words.state(state, beginsAt === null ? '' : momentText(beginsAt))}</span>
      </span>
    </li>
  )
}

function lengthOf({ periods, until }: Phase): string {
  if (periods !== null) return words.periods(periods)
  return until === null ? words.open : words.until(momentText(until))
}

function discountIn({ keepsDiscount, discountId }: Phase): string {
  if (keepsDiscount) return words.keeps
  return discountId === null ? words.none : words.discount
}

/** The names of the phases' products, by id. */
function useProductNames(phases: readonly Phase[]): ReadonlyMap<string, string> {
  const { billing, may } = useSeller()
  const id = [...new Set(phases.map(({ productId }) => productId))]
  const query = { id, limit: 20 }
  const { data } = useQuery({
    ...listQuery(['products', query], (options) => billing.listProducts(query, options)),
    enabled: id.length > 0 && may('product', 'read'),
  })
  return new Map(data?.items.map((product) => [product.id, product.name]))
}
