import { IconPlus } from '@tabler/icons-react'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Meter } from '@tollgate/contract/billing-types'
import { useSeller } from '../context.ts'
import { ApiCallButton } from '../parts/api-call.tsx'
import { apiCall, curlOf } from '../parts/api-command.ts'
import { BillingTable, type Column } from '../parts/billing-table.tsx'
import { ButtonLink } from '../parts/button-link.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Day } from '../parts/time.tsx'
import { listQuery } from '../queries/billing.ts'
import { metersQueryOf, type Sort } from './meters.search.ts'
import { metersWords as words } from './meters.texts.ts'

const route = getRouteApi('/dashboard/$slug/meters')

/** What usage is counted by. */
export function MetersPage() {
  const { billing, slug, may } = useSeller()
  const search = route.useSearch()
  const createCall = apiCall('createMeter', {
    name: 'API calls',
    filter: { conjunction: 'and', clauses: [{ property: 'name', operator: 'eq', value: 'api-call' }] },
    aggregation: { func: 'count' },
  })
  const create = may('meter', 'write') ? (
    <ButtonLink
      to="/dashboard/$slug/meters/$meterId"
      params={{ slug, meterId: 'new' }}
      leftSection={<IconPlus size={16} stroke={1.6} aria-hidden />}
    >
      {words.create}
    </ButtonLink>
  ) : null

  const columns: readonly Column<Meter, Sort>[] = [
    {
      name: 'name',
      label: words.columns.name,
      sorts: ['name', '-name'],
      card: 'start',
      cell: ({ id, name }, cameFrom) => (
        <Link
          to="/dashboard/$slug/meters/$meterId"
          params={{ slug, meterId: id }}
          state={cameFrom}
          className="row-link"
        >
          {name}
        </Link>
      ),
    },
    { name: 'counts', label: words.columns.counts, card: 'wide', cell: countsText },
    {
      name: 'created',
      label: words.columns.created,
      sorts: ['-created', 'created'],
      size: 'medium',
      card: 'start',
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
                [words.calls.list]: apiCall('listMeters', metersQueryOf(search)),
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
          const query = metersQueryOf(asked)
          return listQuery(['meters', query], (options) => billing.listMeters(query, options))
        }}
        columns={columns}
        keyOf={({ id }) => id}
        needs="meter:read"
        action={create}
        curl={curlOf(location.origin, createCall)}
      />
    </>
  )
}

const countsText = ({ aggregation }: Meter): string =>
  'property' in aggregation
    ? words.countsOf(words.counts[aggregation.func], aggregation.property)
    : words.counts[aggregation.func]
