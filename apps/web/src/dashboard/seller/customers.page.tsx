import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Customer } from '@tollgate/contract/billing-types'
import { useSeller } from '../context.ts'
import { ApiCallButton } from '../parts/api-call.tsx'
import { apiCall, curlOf } from '../parts/api-command.ts'
import { BillingTable, type Column } from '../parts/billing-table.tsx'
import { countryName } from '../parts/countries.ts'
import { PageHead } from '../parts/page-head.tsx'
import { Day } from '../parts/time.tsx'
import { listQuery } from '../queries/billing.ts'
import { CreateCustomerDialog } from './customer-dialogs.tsx'
import { customersQueryOf, type Sort } from './customers.search.ts'
import { customersWords as words } from './customers.texts.ts'

const route = getRouteApi('/dashboard/$slug/customers')

/** Everybody who has bought, or is to buy. */
export function CustomersPage() {
  const { billing, slug, may } = useSeller()
  const search = route.useSearch()
  const [isCreating, creating] = useDisclosure()
  const createCall = apiCall('createCustomer', { email: 'ada@example.com', name: 'Ada Lovelace' })
  const create = may('customer', 'write') ? (
    <Button leftSection={<IconPlus size={16} stroke={1.6} aria-hidden />} onClick={creating.open}>
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
    {
      name: 'created',
      label: labels.created,
      sorts: ['-created', 'created'],
      size: 'medium',
      card: 'end',
      cell: ({ createdAt }) => <Day at={createdAt} />,
    },
  ]

  return (
    <>
      <PageHead
        title={words.title}
        actions={
          <>
            <ApiCallButton
              calls={{
                [words.calls.list]: apiCall('listCustomers', customersQueryOf(search)),
                [words.calls.create]: createCall,
              }}
            />
            {create}
          </>
        }
      />
      <BillingTable
        words={words}
        search={search}
        sorts={words.sorts}
        query={(asked) => {
          const query = customersQueryOf(asked)
          return listQuery(['customers', query], (options) => billing.listCustomers(query, options))
        }}
        columns={columns}
        keyOf={({ id }) => id}
        needs="customer:read"
        curl={curlOf(location.origin, createCall)}
      />
      <CreateCustomerDialog opened={isCreating} onClose={creating.close} />
    </>
  )
}
