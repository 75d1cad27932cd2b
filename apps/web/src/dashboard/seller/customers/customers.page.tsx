import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { BillingAnswer } from '@tollgate/contract/billing-types'
import type { ReactNode } from 'react'
import { useSeller } from '../../context.ts'
import { apiCall } from '../../parts/api-command.ts'
import { plus } from '../../parts/button-link.tsx'
import { countryName } from '../../parts/countries.ts'
import { bulkRemoval, type Columns, createdColumn, ListPage, useListSearch } from '../../parts/list-page.tsx'
import { Money } from '../../parts/money.tsx'
import { CellWaiting } from '../../parts/states.tsx'
import { Day } from '../../parts/time.tsx'
import { itemQuery, listQuery } from '../../queries/billing.ts'
import { subscriptions } from '../subscriptions/subscriptions.resource.ts'
import { CreateCustomerDialog } from './customer-dialogs.tsx'
import { customers } from './customers.resource.ts'
import { customersWords as words } from './customers.texts.ts'

/** All customers. */
export function CustomersPage() {
  const { billing, slug, may } = useSeller()
  const [isCreating, creating] = useDisclosure()
  const createCall = apiCall('createCustomer', { email: 'ada@example.com', name: 'Ada Lovelace' })
  const create = may('customer', 'write') ? (
    <Button leftSection={plus} onClick={creating.open}>
      {words.create}
    </Button>
  ) : null

  const { totalsOf, missing } = useTotals()
  const subscribers = useSubscribers()
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
    { name: 'email', label: labels.email, sorts: ['email', '-email'], card: 'wide', cell: ({ email }) => email },
    {
      name: 'external',
      label: labels.externalId,
      size: 'medium',
      card: 'hidden',
      room: 'broad',
      cell: ({ externalId }) => (externalId ? <code>{externalId}</code> : null),
    },
    {
      name: 'country',
      label: labels.country,
      size: 'medium',
      card: 'hidden',
      room: 'broad',
      cell: ({ billingAddress }) => (billingAddress ? countryName(billingAddress.country) : null),
    },
    ...(may('order', 'read')
      ? ([
          {
            name: 'spent',
            label: labels.spent,
            size: 'medium',
            align: 'end',
            card: 'end',
            cell: ({ id }) => totalsOf(id)?.map((each) => <Spent key={each.currency} total={each} />) ?? missing,
          },
          {
            name: 'last',
            label: labels.lastOrder,
            size: 'medium',
            card: 'start',
            cell: ({ id }) => {
              const totals = totalsOf(id)
              return totals ? <LastOrder totals={totals} /> : missing
            },
          },
        ] satisfies Columns<typeof customers>)
      : []),
    createdColumn(labels.created, 'hidden'),
  ]

  return (
    <>
      <ListPage
        resource={customers}
        words={words}
        columns={columns}
        bulk={{
          nameOf: ({ name, email }) => name || email,
          // Deleting subscribers ends what they pay for, so that is asked for one at a time.
          actions: subscribers && [
            {
              ...bulkRemoval(billing.deleteCustomer, words.bulk),
              fits: ({ id }) => !subscribers.has(id),
              refused: words.bulk.refused,
            },
          ],
        }}
        create={create}
        begin={null}
        example={createCall}
      />
      <CreateCustomerDialog opened={isCreating} onClose={creating.close} />
    </>
  )
}

type Total = BillingAnswer<'listCustomerTotals'>['items'][number]

/** The ids of the customers of the page. */
function useShown(): string[] {
  const { billing } = useSeller()
  const { data } = useQuery(customers.pageQuery(billing, useListSearch(customers)))
  return data?.items.map(({ id }) => id) ?? []
}

/** Subscriptions that the deletion of their customer would end. */
const endable = ['active', 'trialing', 'past_due', 'unpaid', 'paused'] as const

/**
 * The customers of the page with a subscription that goes on, for viewers who may delete them; undefined until they are
 * known, and where there are more subscriptions than one answer holds.
 */
function useSubscribers(): ReadonlySet<string> | undefined {
  const { billing, may } = useSeller()
  const query = { customerId: useShown(), status: [...endable], limit: 100 }
  const { data } = useQuery({
    ...listQuery([subscriptions.key, query], (options) => billing.listSubscriptions(query, options)),
    enabled: may('customer', 'write') && may('subscription', 'read') && query.customerId.length > 0,
  })
  return data && !data.pagination.nextCursor ? new Set(data.items.map(({ customerId }) => customerId)) : undefined
}

/**
 * What the customers of the page have spent, for viewers who may see orders; until it is known, and where it cannot be had,
 * what stands in its place.
 */
function useTotals(): { totalsOf: (customerId: string) => readonly Total[] | undefined; missing: ReactNode } {
  const { billing, may } = useSeller()
  const query = { customerId: useShown() }
  const totals = useQuery({
    ...itemQuery(['customer-totals', query], (options) => billing.listCustomerTotals(query, options)),
    enabled: may('order', 'read') && query.customerId.length > 0,
  })
  return {
    totalsOf: (customerId) => totals.data?.items.filter((each) => each.customerId === customerId),
    missing: totals.isLoading ? <CellWaiting /> : <span className="quiet">{words.notLoaded}</span>,
  }
}

const Spent = ({ total: { spentAmount, currency } }: { total: Total }) => (
  <span className="block">
    <Money amount={spentAmount} currency={currency} />
  </span>
)

function LastOrder({ totals }: { totals: readonly Total[] }) {
  const last = totals
    .map(({ lastOrderAt }) => lastOrderAt)
    .toSorted()
    .at(-1)
  return last ? <Day at={last} /> : null
}
