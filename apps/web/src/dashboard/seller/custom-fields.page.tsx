import { IconPlus } from '@tabler/icons-react'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { CustomField } from '@tollgate/contract/billing-types'
import { useSeller } from '../context.ts'
import { ApiCallButton } from '../parts/api-call.tsx'
import { apiCall, curlOf } from '../parts/api-command.ts'
import { BillingTable, type Column } from '../parts/billing-table.tsx'
import { ButtonLink } from '../parts/button-link.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Day } from '../parts/time.tsx'
import { listQuery } from '../queries/billing.ts'
import { customFieldsQueryOf, type Sort, types } from './custom-fields.search.ts'
import { customFieldsWords as words } from './custom-fields.texts.ts'

const route = getRouteApi('/dashboard/$slug/custom-fields')

/** What buyers are asked besides. */
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
    <ButtonLink
      to="/dashboard/$slug/custom-fields/$fieldId"
      params={{ slug, fieldId: 'new' }}
      leftSection={<IconPlus size={16} stroke={1.6} aria-hidden />}
    >
      {words.create}
    </ButtonLink>
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
    {
      name: 'created',
      label: words.columns.created,
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
                [words.calls.list]: apiCall('listCustomFields', customFieldsQueryOf(search)),
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
          const query = customFieldsQueryOf(asked)
          return listQuery(['custom-fields', query], (options) => billing.listCustomFields(query, options))
        }}
        columns={columns}
        keyOf={({ id }) => id}
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
        action={create}
        curl={curlOf(location.origin, createCall)}
      />
    </>
  )
}
