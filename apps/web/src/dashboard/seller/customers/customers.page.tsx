import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import { useSeller } from '../../context.ts'
import { apiCall } from '../../parts/api-command.ts'
import { plus } from '../../parts/button-link.tsx'
import { countryName } from '../../parts/countries.ts'
import { type Columns, createdColumn, ListPage } from '../../parts/list-page.tsx'
import { CreateCustomerDialog } from './customer-dialogs.tsx'
import { customers } from './customers.resource.ts'
import { customersWords as words } from './customers.texts.ts'

/** All customers. */
export function CustomersPage() {
  const { slug, may } = useSeller()
  const [isCreating, creating] = useDisclosure()
  const createCall = apiCall('createCustomer', { email: 'ada@example.com', name: 'Ada Lovelace' })
  const create = may('customer', 'write') ? (
    <Button leftSection={plus} onClick={creating.open}>
      {words.create}
    </Button>
  ) : null

  const { columns: labels } = words
  const columns: Columns<typeof customers> = [
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
        resource={customers}
        words={words}
        columns={columns}
        create={create}
        begin={null}
        example={createCall}
      />
      <CreateCustomerDialog opened={isCreating} onClose={creating.close} />
    </>
  )
}
