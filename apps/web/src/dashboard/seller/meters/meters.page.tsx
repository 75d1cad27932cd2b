import { Link } from '@tanstack/react-router'
import type { Meter } from '@tollgate/contract/billing-types'
import { useSeller } from '../../context.ts'
import { apiCall } from '../../parts/api-command.ts'
import { type Columns, createdColumn, ListPage } from '../../parts/list-page.tsx'
import { meters } from './meters.resource.ts'
import { metersWords as words } from './meters.texts.ts'

/** All meters. */
export function MetersPage() {
  const { slug } = useSeller()
  const createCall = apiCall('createMeter', {
    name: 'API calls',
    filter: { conjunction: 'and', clauses: [{ property: 'name', operator: 'eq', value: 'api-call' }] },
    aggregation: { func: 'count' },
  })

  const columns: Columns<typeof meters> = [
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
      resource={meters}
      words={words}
      columns={columns}
      bulk={{ nameOf: ({ name }) => name }}
      example={createCall}
    />
  )
}

const countsText = ({ aggregation }: Meter): string =>
  'property' in aggregation
    ? words.countsOf(words.counts[aggregation.func], aggregation.property)
    : words.counts[aggregation.func]
