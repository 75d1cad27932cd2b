import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useSeller } from '../context.ts'
import { moneyText } from '../parts/money.tsx'
import { Panel } from '../parts/panel.tsx'
import { Failure, Waiting } from '../parts/states.tsx'
import { Status, statusOfOrder } from '../parts/status.tsx'
import { Ago } from '../parts/time.tsx'
import { listQuery } from '../queries/billing.ts'
import { overviewWords as words } from './overview.texts.ts'
import styles from './recent-orders.module.css'

const recent = { limit: 6 }

/** The newest orders, whatever the period. */
export function RecentOrders() {
  const { billing, slug } = useSeller()
  const { data, error, refetch } = useQuery(
    listQuery(['orders', recent], (options) => billing.listOrders(recent, options)),
  )
  const { title, all, none, loading } = words.recentOrders
  return (
    <Panel
      title={title}
      actions={
        <Link to="/dashboard/$slug/orders" params={{ slug }} className="link">
          {all}
        </Link>
      }
    >
      {error ? <Failure error={error} retry={refetch} needs="order:read" /> : null}
      {!data && !error ? <Waiting label={loading} rows={recent.limit} /> : null}
      {data?.items.length === 0 ? <p className="quiet panel-text">{none}</p> : null}
      <ul className={`rows ${styles.list}`}>
        {data?.items.map(({ id, product, customer, totalAmount, currency, status, voidedAt, createdAt }) => (
          <li key={id}>
            <span className="grow">
              <Link to="/dashboard/$slug/orders/$orderId" params={{ slug, orderId: id }} className="link block">
                {product.name}
              </Link>
              <span className="quiet">{customer.name || customer.email}</span>
            </span>
            <span className={styles.end}>
              <span className="money">{moneyText(totalAmount, currency)}</span>
              <span className="quiet">
                <Status value={statusOfOrder({ status, voidedAt })} /> · <Ago at={createdAt} />
              </span>
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
