import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSeller } from '../../context.ts'
import { Money } from '../../parts/money.tsx'
import { itemQuery } from '../../queries/billing.ts'
import styles from './recurring-revenue.module.css'
import { subscriptionsWords } from './subscriptions.texts.ts'

const { revenue: words } = subscriptionsWords

/** What the listed subscriptions charge in a month, in each currency. */
export function RecurringRevenue({ filters }: { filters: object }) {
  const { billing } = useSeller()
  const { data, error } = useQuery({
    ...itemQuery(['recurring-revenue', filters], (options) => billing.getRecurringRevenue(filters, options)),
    placeholderData: keepPreviousData,
  })
  return (
    <dl className={styles.revenue}>
      <dt>{words.title}</dt>
      {error && !data ? <dd className="quiet">{error.message}</dd> : null}
      {data?.items.length === 0 ? <dd className="quiet">{words.none}</dd> : null}
      {data?.items.map(({ currency, monthlyRecurringRevenue, subscriptionsCount }) => (
        <dd key={currency}>
          <strong>
            <Money amount={monthlyRecurringRevenue} currency={currency} />
          </strong>{' '}
          <span className="quiet">{words.from(subscriptionsCount)}</span>
        </dd>
      ))}
    </dl>
  )
}
