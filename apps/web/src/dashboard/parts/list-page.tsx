import type { BillingCallInput, BillingClientCallName, Result } from '@tollgate/client'
import { type ComponentProps, cloneElement, isValidElement, type ReactNode } from 'react'
import { useDashboard } from '../context.ts'
import { type ListAnswer, listQuery } from '../queries/billing.ts'
import type { ListSearch } from '../seller/lists/list-search.ts'
import { ApiCallButton } from './api-call.tsx'
import { type ApiCall, apiCall, curlOf } from './api-command.ts'
import { BillingTable, type Column, type ListWords } from './billing-table.tsx'
import { PageHead } from './page-head.tsx'
import { Day } from './time.tsx'

type Words<Sort extends string> = ListWords & {
  title: string
  /** Below the title. */
  text?: string
  /** The list's orders in words, the default first. */
  sorts: Readonly<Record<Sort, string>>
  /** What the calls do that a program would make instead, if they are to be shown. */
  calls?: { readonly list: string; readonly create?: string }
}

/** A list's query: its call, its cache key, and the call's input for an address. */
type ListCall<Name extends BillingClientCallName, Item, Search> = {
  name: Name
  key: string
  query: (search: Search) => BillingCallInput<Name>
  read: (query: BillingCallInput<Name>, options: { signal: AbortSignal }) => Promise<Result<ListAnswer<Item>>>
}

type TableProps<Item extends { id: string }, Sort extends string> = ComponentProps<typeof BillingTable<Item, Sort>>

type Props<Name extends BillingClientCallName, Item extends { id: string }, Sort extends string> = Pick<
  TableProps<Item, Sort>,
  'search' | 'columns' | 'filters' | 'narrowings' | 'needs'
> & {
  words: Words<Sort>
  /** Below the title, where more than words stands there. */
  text?: ReactNode
  /** Between the heading and the list: the way to lists of the same kind. */
  tabs?: ReactNode
  list: ListCall<Name, Item, ListSearch<Sort> & { q?: string | undefined }>
  /** The creation link, for viewers with the permission. */
  create?: ReactNode
  /** Further actions on the whole list, such as an export. */
  extra?: ReactNode
  /** What to do where there is nothing yet; the same, unless it is said. */
  begin?: ReactNode
  /** The call that makes a first one. */
  example?: ApiCall
}

/** A page with a billing list: heading, API calls, and the list. */
export function ListPage<Name extends BillingClientCallName, Item extends { id: string }, Sort extends string>({
  words,
  text = words.text,
  tabs,
  list,
  create,
  extra,
  begin = quietly(create),
  example,
  ...table
}: Props<Name, Item, Sort>) {
  const { origin } = useDashboard()
  const { calls } = words
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
                  [calls.list]: apiCall(list.name, list.query(table.search)),
                  ...(calls.create && example && { [calls.create]: example }),
                }}
              />
              {extra}
              {create}
            </>
          ) : (
            create
          )
        }
      />
      {tabs}
      <BillingTable
        {...table}
        words={words}
        sorts={words.sorts}
        query={(search) => {
          const query = list.query(search)
          return listQuery([list.key, query], (options) => list.read(query, options))
        }}
        action={begin}
        {...(example && { curl: curlOf(origin, example) })}
      />
    </>
  )
}

/** A page has one primary button, and its heading has it already. */
const quietly = (button: ReactNode): ReactNode =>
  isValidElement<{ variant?: string }>(button) ? cloneElement(button, { variant: 'default' }) : button

/** The column that says since when something is there. */
export const createdColumn = (
  label: string,
  card: NonNullable<Column<unknown, never>['card']>,
): Column<{ createdAt: string }, '-created' | 'created'> => ({
  name: 'created',
  label,
  sorts: ['-created', 'created'],
  size: 'medium',
  card,
  cell: ({ createdAt }) => <Day at={createdAt} />,
})
