import { Link } from '@tanstack/react-router'
import { useSeller } from '../../context.ts'
import { apiCall } from '../../parts/api-command.ts'
import { bulkRemoval, type Columns, createdColumn, ListPage } from '../../parts/list-page.tsx'
import { customFields, types } from './custom-fields.resource.ts'
import { customFieldsWords as words } from './custom-fields.texts.ts'

/** Custom fields for buyers. */
export function CustomFieldsPage() {
  const { billing, slug } = useSeller()
  const createCall = apiCall('createCustomField', {
    type: 'select',
    slug: 'size',
    name: 'Size',
    properties: { options: [{ value: 's', label: 'Small' }] },
  })

  const columns: Columns<typeof customFields> = [
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
      resource={customFields}
      words={words}
      columns={columns}
      bulk={{ nameOf: ({ name }) => name, actions: [bulkRemoval(billing.deleteCustomField, words.bulk)] }}
      filters={[
        {
          name: 'type',
          label: words.type,
          all: words.everyType,
          options: types.map((value) => ({ value, label: words.types[value] })),
        },
      ]}
      example={createCall}
    />
  )
}
