import { Link } from '@tanstack/react-router'
import { orderName } from '@tollgate/contract/billing'
import { useSeller } from '../../context.ts'
import tabs from '../../parts/tabs.module.css'
import styles from './refund-tabs.module.css'
import { refundsWords as words } from './refunds.texts.ts'

/** From what was given back to what buyers dispute, and back. */
export function RefundTabs() {
  const { slug } = useSeller()
  return (
    <nav className={tabs.tabs} aria-label={words.tabs}>
      <Link to="/dashboard/$slug/refunds" params={{ slug }} activeOptions={{ exact: true, includeSearch: false }}>
        {words.tab.refunds}
      </Link>
      <Link to="/dashboard/$slug/refunds/disputes" params={{ slug }} activeOptions={{ includeSearch: false }}>
        {words.tab.disputes}
      </Link>
    </nav>
  )
}

type Owned = {
  readonly orderId: string
  readonly customerId: string
  readonly order: {
    readonly invoiceNumber: string | null
    readonly customerName: string | null
    readonly customerEmail: string
  } | null
}

/** The order and the customer of a row, by what people call them. */
export function OwnerLinks({ of: { orderId, customerId, order } }: { of: Owned }) {
  const { slug, may } = useSeller()
  const customer = order ? order.customerName || order.customerEmail : words.showCustomer
  return (
    <>
      <Link to="/dashboard/$slug/orders/$orderId" params={{ slug, orderId }} className={`link ${styles.link}`}>
        {order ? orderName({ ...order, id: orderId }) : words.showOrder}
      </Link>
      {may('customer', 'read') ? (
        <Link
          to="/dashboard/$slug/customers/$customerId"
          params={{ slug, customerId }}
          className={`link ${styles.link}`}
        >
          {customer}
        </Link>
      ) : (
        <span className={styles.link}>{customer}</span>
      )}
    </>
  )
}
