import { Link } from '@tanstack/react-router'
import { useSeller } from '../context.ts'
import { refundsWords as words } from './refunds.texts.ts'

/** From what was given back to what buyers dispute, and back. */
export function RefundTabs() {
  const { slug } = useSeller()
  return (
    <nav className="tabs" aria-label={words.tabs}>
      <Link to="/dashboard/$slug/refunds" params={{ slug }} activeOptions={{ exact: true, includeSearch: false }}>
        {words.tab.refunds}
      </Link>
      <Link to="/dashboard/$slug/refunds/disputes" params={{ slug }} activeOptions={{ includeSearch: false }}>
        {words.tab.disputes}
      </Link>
    </nav>
  )
}

type LinksProps = { of: { orderId: string; customerId: string }; order: string; customer: string }

/** The order and the customer of a row, called so that they can be told apart from those of other rows. */
export function OwnerLinks({ of: { orderId, customerId }, order, customer }: LinksProps) {
  const { slug, may } = useSeller()
  return (
    <span className="actions">
      <Link to="/dashboard/$slug/orders/$orderId" params={{ slug, orderId }} className="link" aria-label={order}>
        {words.showOrder}
      </Link>
      {may('customer', 'read') ? (
        <Link
          to="/dashboard/$slug/customers/$customerId"
          params={{ slug, customerId }}
          className="link"
          aria-label={customer}
        >
          {words.showCustomer}
        </Link>
      ) : null}
    </span>
  )
}
