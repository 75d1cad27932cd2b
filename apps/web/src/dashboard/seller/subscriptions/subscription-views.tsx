import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useSeller } from '../../context.ts'
import tabs from '../../parts/tabs.module.css'
import { listQuery } from '../../queries/billing.ts'
import { stages, type subscriptions } from './subscriptions.resource.ts'
import { subscriptionsWords as words } from './subscriptions.texts.ts'

type Search = ReturnType<typeof subscriptions.searchIn>

/** The views of the list beside each other; those that are past due are counted. Other filters stay. */
export function SubscriptionViews({
  search: { stage: current, product, customer, created, sort },
}: {
  search: Search
}) {
  const { billing, slug } = useSeller()
  const query = { status: ['past_due' as const], limit: 1 }
  const pastDue = useQuery(listQuery(['subscriptions', query], (options) => billing.listSubscriptions(query, options)))
  const count = pastDue.data?.pagination.totalCount ?? 0
  const views = useRef<HTMLElement>(null)
  // On phones the last ones begin out of sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current one is found by its mark
  useEffect(() => {
    views.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [current])
  return (
    <nav ref={views} className={tabs.tabs} aria-label={words.stage}>
      {[undefined, ...stages].map((stage) => (
        <Link
          key={stage ?? ''}
          to="/dashboard/$slug/subscriptions"
          params={{ slug }}
          // The one that has waited the longest first.
          search={{
            ...{ product, customer, created, stage },
            ...(stage === 'past_due' && { sort: current === stage ? sort : 'overdue' }),
          }}
          activeOptions={{ explicitUndefined: true }}
        >
          {stage ? words.stages[stage] : words.everyStage}
          {stage === 'past_due' && count > 0 ? (
            <>
              {' '}
              <span className="count">{count}</span>
            </>
          ) : null}
        </Link>
      ))}
    </nav>
  )
}
