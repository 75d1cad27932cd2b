import { getRouteApi, Link } from '@tanstack/react-router'
import type { Meter } from '@tollgate/contract/billing-types'
import { useSeller } from '../../context.ts'
import { apiCall } from '../../parts/api-command.ts'
import type { Column } from '../../parts/billing-table.tsx'
import { CreateLink } from '../../parts/button-link.tsx'
import { createdColumn, ListPage } from '../../parts/list-page.tsx'
import { metersQueryOf, type Sort } from './meters.search.ts'
import { metersWords as words } from './meters.texts.ts'

const route = getRouteApi('/dashboard/$slug/meters')

/** All meters. */
export function MetersPage() {
  const { billing, slug, may } = useSeller()
  const search = route.useSearch()
  const createCall = apiCall('createMeter', {
    name: 'API calls',
    filter: { conjunction: 'and', clauses: [{ property: 'name', operator: 'eq', value: 'api-call' }] },
    aggregation: { func: 'count' },
  })
  const create = may('meter', 'write') ? (
    <CreateLink to="/dashboard/$slug/meters/$meterId" params={{ slug, meterId: 'new' }}>
      {words.create}
    </CreateLink>
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
    createdColumn(words.columns.created, 'start'),
  ]

  return (
    <ListPage
      words={words}
      search={search}
      list={{ name: 'listMeters', key: 'meters', query: metersQueryOf, read: billing.listMeters }}
      columns={columns}
      needs="meter:read"
      create={create}
      example={createCall}
    />
  )
}

const countsText = ({ aggregation }: Meter): string =>
  'property' in aggregation
    ? words.countsOf(words.counts[aggregation.func], aggregation.property)
    : words.counts[aggregation.func]
