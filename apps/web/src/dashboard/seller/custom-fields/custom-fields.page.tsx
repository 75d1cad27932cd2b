import { getRouteApi, Link } from '@tanstack/react-router'
import type { CustomField } from '@tollgate/contract/billing-types'
import { useSeller } from '../../context.ts'
import { apiCall } from '../../parts/api-command.ts'
import type { Column } from '../../parts/billing-table.tsx'
import { CreateLink } from '../../parts/button-link.tsx'
import { createdColumn, ListPage } from '../../parts/list-page.tsx'
import { customFieldsQueryOf, type Sort, types } from './custom-fields.search.ts'
import { customFieldsWords as words } from './custom-fields.texts.ts'

const route = getRouteApi('/dashboard/$slug/custom-fields')

/** Custom fields for buyers. */
export function CustomFieldsPage() {
  const { billing, slug, may } = useSeller()
  const search = route.useSearch()
  const createCall = apiCall('createCustomField', {
    type: 'select',
    slug: 'size',
    name: 'Size',
    properties: { options: [{ value: 's', label: 'Small' }] },
  })
  const create = may('product', 'write') ? (
    <CreateLink to="/dashboard/$slug/custom-fields/$fieldId" params={{ slug, fieldId: 'new' }}>
      {words.create}
    </CreateLink>
  ) : null

  const columns: readonly Column<CustomField, Sort>[] = [
    {
      name: 'name',
      label: words.columns.name,
      sorts: ['name', '-name'],
      card: 'start',
      cell: ({ id, name }, cameFrom) => (
        <Link
          to="/dashboard/$slug/custom-fields/$fieldId"
          params={{ slug, fieldId: id }}
          state={cameFrom}
          className="row-link"
        >
          {name}
        </Link>
      ),
    },
    {
      name: 'type',
      label: words.columns.type,
      sorts: ['type', '-type'],
      size: 'medium',
      card: 'end',
      cell: ({ type }) => words.types[type],
    },
    {
      name: 'slug',
      label: words.columns.slug,
      sorts: ['slug', '-slug'],
      card: 'start',
      cell: (field) => <code>{field.slug}</code>,
    },
    createdColumn(words.columns.created, 'end'),
  ]

  return (
    <ListPage
      words={words}
      search={search}
      list={{
        name: 'listCustomFields',
        key: 'custom-fields',
        query: customFieldsQueryOf,
        read: billing.listCustomFields,
      }}
      columns={columns}
      filters={[
        {
          name: 'type',
          label: words.type,
          value: search.type,
          all: words.everyType,
          options: types.map((value) => ({ value, label: words.types[value] })),
        },
      ]}
      needs="product:read"
      create={create}
      example={createCall}
    />
  )
}
