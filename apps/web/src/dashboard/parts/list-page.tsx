import { useSearch } from '@tanstack/react-router'
import type { Result } from '@tollgate/client'
import { type ComponentProps, cloneElement, isValidElement, type ReactNode } from 'react'
import { useSeller } from '../context.ts'
import { type Filters, type Item, type ListCall, newParams, type Resource } from '../resource.ts'
import { type Export, ExportLink } from '../seller/lists/export-link.tsx'
import { texts } from '../texts.ts'
import { ApiCallButton } from './api-call.tsx'
import { type ApiCall, curlOf } from './api-command.ts'
import { BillingTable, type Column, type Filter, type ListWords, type Narrowing } from './billing-table.tsx'
import type { Bulk, BulkAction } from './bulk.tsx'
import { CreateLink } from './button-link.tsx'
import { PageHead } from './page-head.tsx'
import { Day } from './time.tsx'

type Words<Sort extends string> = ListWords & {
  title: string
  /** Below the title. */
  text?: string
  /** On the button that creates another one. */
  create?: string
  /** The list's orders in words, the default first. */
  sorts: Readonly<Record<Sort, string>>
  columns: { readonly created: string }
  /** What the calls do that a program would make instead, if they are to be shown. */
  calls?: { readonly list: string; readonly create?: string }
}

/** The columns of a resource's list. */
export type Columns<Of> =
  Of extends Resource<string, infer Call, infer Sort, infer _> ? readonly Column<Item<Call>, Sort>[] : never

type Props<Path extends string, Call extends ListCall, Sort extends string, Of extends Filters> = {
  resource: Resource<Path, Call, Sort, Of>
  words: Words<Sort>
  columns: readonly Column<Item<Call>, Sort>[]
  /** Select filters; the address has their values. */
  filters?: readonly Omit<Filter & { name: keyof Of & string }, 'value'>[]
  /** What links from elsewhere narrow the list to. */
  narrowings?: readonly Narrowing[]
  /** What viewers with the permission can do to several rows at once; all can export them, if the list is a file. */
  bulk?: Bulk<Item<Call>>
  /** Below the title, where more than words stands there. */
  text?: ReactNode
  /** Between the heading and the list: the way to lists of the same kind. */
  tabs?: ReactNode
  /** What creates another one, where it is no editor; null for viewers without the permission. */
  create?: ReactNode
  /** What to do where there is nothing yet; the same, unless it is said. */
  begin?: ReactNode
  /** The call that makes a first one. */
  example?: ApiCall
}

/** The address of a resource's list, as its page reads it. */
export function useListSearch<Search>({
  searchIn,
}: {
  searchIn: (given: Readonly<Record<string, unknown>>) => Search
}): Search {
  return searchIn(useSearch({ strict: false }) as Readonly<Record<string, unknown>>)
}

/** The page of a resource's list: heading, API calls, export, and the list in every state. */
export function ListPage<Path extends string, Call extends ListCall, Sort extends string, Of extends Filters>({
  resource,
  words,
  columns,
  filters = [],
  narrowings = [],
  bulk,
  text = words.text,
  tabs,
  create = <Create resource={resource} label={words.create} />,
  begin = quietly(create),
  example,
}: Props<Path, Call, Sort, Of>) {
  const { origin, billing, may, maySell } = useSeller()
  const search = useListSearch(resource)
  const values = search as Readonly<Record<string, string | undefined>>
  const { calls } = words
  const { file } = resource
  const actions = maySell && may(resource.permission, 'write') ? bulk?.actions : undefined
  const selectable: Bulk<Item<Call>> | undefined = bulk &&
    (file || actions) && {
      nameOf: bulk.nameOf,
      actions,
      ...(file && { whole: (items) => <ExportSelected name={file} items={items} /> }),
    }
  return (
    <>
      <PageHead
        title={words.title}
        text={text}
        actions={
          calls ? (
            <>
              <ApiCallButton
                calls={{
                  [calls.list]: resource.callOf(search),
                  ...(calls.create && example && { [calls.create]: example }),
                }}
              />
              {file ? <ExportLink name={file} query={resource.filtersOf(search)} /> : null}
              {create}
            </>
          ) : (
            create
          )
        }
      />
      {tabs}
      <BillingTable
        words={words}
        search={search}
        sorts={words.sorts}
        query={(address) => resource.pageQuery(billing, address as typeof search)} // the address of this very list
        {...(search.created === undefined && {
          news: (since: string) => resource.newsQuery(billing, search, since),
        })}
        object={resource.object}
        columns={columns}
        filters={filters.map((filter) => ({ ...filter, value: values[filter.name] }))}
        narrowings={narrowings}
        created={words.columns.created}
        views={resource.path}
        {...(selectable && { bulk: selectable })}
        needs={`${resource.permission}:read`}
        action={begin}
        {...(example && { curl: curlOf(origin, example) })}
      />
    </>
  )
}

const ExportSelected = ({ name, items }: { name: Export; items: readonly { readonly id: string }[] }) => (
  <ExportLink
    name={name}
    query={{ id: items.map(({ id }) => id) }}
    label={texts.list.exportSelected(items.length)}
    size="compact-md"
  />
)

/** The link to the editor of a new one, for viewers with the permission. */
function Create({
  resource: { create, permission },
  label,
  ...look
}: Pick<ComponentProps<typeof CreateLink>, 'variant'> & {
  resource: Pick<Resource, 'create' | 'permission'>
  label: string | undefined
}) {
  const { slug, may } = useSeller()
  if (!create || !may(permission, 'write')) return null
  return (
    <CreateLink to={create.to} params={newParams(slug)} {...look}>
      {label}
    </CreateLink>
  )
}

/** A page has one primary button, and its heading has it already. */
const quietly = (button: ReactNode): ReactNode =>
  isValidElement<{ variant?: string }>(button) ? cloneElement(button, { variant: 'default' }) : button

/** The column that says since when something is there. */
export const createdColumn = (
  label: string,
  card?: NonNullable<Column<unknown, never>['card']>,
): Column<{ createdAt: string }, '-created' | 'created'> => ({
  name: 'created',
  label,
  sorts: ['-created', 'created'],
  size: 'medium',
  card,
  cell: ({ createdAt }) => <Day at={createdAt} />,
})

/** Deletes the selected rows, by the call for one of them. */
export const bulkRemoval = (
  remove: (input: { readonly id: string }) => Promise<Result<unknown>>,
  { remove: label, removed: done, text }: RemovalWords,
): BulkAction<{ readonly id: string }> => ({
  ...{ name: 'remove', label, text, done, danger: true },
  run: ({ id }) => remove({ id }),
})

type RemovalWords = Readonly<Record<'remove' | 'removed', (count: number) => string>> & { readonly text: string }
