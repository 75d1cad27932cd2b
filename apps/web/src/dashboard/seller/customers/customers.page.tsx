import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Customer } from '@tollgate/contract/billing-types'
import { useSeller } from '../../context.ts'
import { apiCall } from '../../parts/api-command.ts'
import type { Column } from '../../parts/billing-table.tsx'
import { plus } from '../../parts/button-link.tsx'
import { countryName } from '../../parts/countries.ts'
import { createdColumn, ListPage } from '../../parts/list-page.tsx'
import { createdNarrowing } from '../lists/list-parts.tsx'
import { CreateCustomerDialog } from './customer-dialogs.tsx'
import { customersQueryOf, type Sort } from './customers.search.ts'
import { customersWords as words } from './customers.texts.ts'

const route = getRouteApi('/dashboard/$slug/customers')

/** All customers. */
export function CustomersPage() {
  const { billing, slug, may } = useSeller()
  const search = route.useSearch()
  const [isCreating, creating] = useDisclosure()
  const createCall = apiCall('createCustomer', { email: 'ada@example.com', name: 'Ada Lovelace' })
  const create = may('customer', 'write') ? (
    <Button leftSection={plus} onClick={creating.open}>
      {words.create}
    </Button>
  ) : null

  const { columns: labels } = words
  const columns: readonly Column<Customer, Sort>[] = [
    {
      name: 'name',
      label: labels.name,
      sorts: ['name', '-name'],
      card: 'wide',
      cell: ({ id, name }, cameFrom) => (
        <Link
          to="/dashboard/$slug/customers/$customerId"
          params={{ slug, customerId: id }}
          state={cameFrom}
          className="row-link"
        >
          {name || words.noName}
        </Link>
      ),
    },
    { name: 'email', label: labels.email, sorts: ['email', '-email'], card: 'start', cell: ({ email }) => email },
    {
      name: 'external',
      label: labels.externalId,
      size: 'medium',
      card: 'hidden',
      cell: ({ externalId }) => (externalId ? <code>{externalId}</code> : null),
    },
    {
      name: 'country',
      label: labels.country,
      size: 'medium',
      card: 'hidden',
      cell: ({ billingAddress }) => (billingAddress ? countryName(billingAddress.country) : null),
    },
    createdColumn(labels.created, 'end'),
  ]

  return (
    <>
      <ListPage
        words={words}
        search={search}
        list={{ name: 'listCustomers', key: 'customers', query: customersQueryOf, read: billing.listCustomers }}
        columns={columns}
        narrowings={createdNarrowing(labels.created, search.created)}
        needs="customer:read"
        create={create}
        begin={null}
        example={createCall}
      />
      <CreateCustomerDialog opened={isCreating} onClose={creating.close} />
    </>
  )
}
