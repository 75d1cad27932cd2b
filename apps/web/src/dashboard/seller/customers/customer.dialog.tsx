import { useQuery } from '@tanstack/react-query'
import type { Customer } from '@tollgate/contract/billing-types'
import { useSeller } from '../../context.ts'
import { listQuery } from '../../queries/billing.ts'
import { CustomerMetadataDialog, DeleteCustomerDialog, EditCustomerDialog } from './customer-dialogs.tsx'

type Props = { what: 'edit' | 'metadata' | 'delete'; customer: Customer; opened: boolean; onClose: () => void }

/** One of the dialogs of a customer's page. */
export function CustomerDialog({ what, ...props }: Props) {
  const { billing, may } = useSeller()
  const query = { customerId: [props.customer.id], active: true, limit: 1 }
  const running = useQuery({
    ...listQuery(['subscriptions', query], (options) => billing.listSubscriptions(query, options)),
    enabled: what === 'delete' && props.opened && may('subscription', 'read'),
  })
  if (what === 'edit') return <EditCustomerDialog {...props} />
  if (what === 'metadata') return <CustomerMetadataDialog {...props} />
  return <DeleteCustomerDialog {...props} subscriptions={running.data?.pagination.totalCount} />
}
