import type { BillingClient, BillingClientCallName, Result, TollgateClient } from '@tollgate/client'
import type { BillingAnswer, BillingQuery } from '@tollgate/contract/billing-types'
import type { EventObjectName } from '@tollgate/contract/events'
import type { DashboardContext } from './context.ts'
import { rangeIn, rangeText } from './days.ts'
import type { ApiCall } from './parts/api-command.ts'
import { type ListAnswer, type ListQuery, listQuery } from './queries/billing.ts'
import { textIn } from './search.ts'
import type { Export } from './seller/lists/export-link.tsx'
import {
  choiceIn,
  createdQueryOf,
  idIn,
  type ListSearch,
  listQueryOf,
  listSearchIn,
  type SortField,
} from './seller/lists/list-search.ts'

/*
 * A resource is a list with all that other places know of it: its address, who may see it, what creates another one, and
 * how its address becomes a call. The page of the list adds its columns, which load later; organization-places.ts adds it
 * to the navigation.
 */

/** A filter: how its value stands in the address, and what the server is asked for. */
export type Filter<Value extends string = string, Asked extends object = object> = {
  readonly read: (value: unknown) => Value | undefined
  ask(value: Value | undefined): Asked
}

/** A filter that adds no condition while it is not set. */
const when = <Value extends string, Asked extends object>(
  read: (value: unknown) => Value | undefined,
  ask: (value: Value) => Asked,
): Filter<Value, Partial<Asked>> => ({ read, ask: (value) => (value === undefined ? {} : ask(value)) })

/** A text that the server looks for, in its `query` unless `ask` says otherwise. */
export const text = <Asked extends object = { query: string }>(
  ask: (value: string) => Asked = (query) => ({ query }) as unknown as Asked,
  most?: number,
) => when((value) => textIn(value, most), ask)

/** One of some values. */
export const choice = <const Value extends string, Asked extends object>(
  values: readonly Value[],
  ask: (value: Value) => Asked,
) => when((value) => choiceIn(value, values), ask)

/** Several of some values: in the address they are joined by commas, each once, in their own order. */
export const choices = <const Value extends string, Asked extends object>(
  values: readonly Value[],
  ask: (chosen: readonly Value[]) => Asked,
) => {
  const chosenIn = (value: unknown) => {
    const given = typeof value === 'string' ? value.split(',') : []
    return values.filter((each) => given.includes(each))
  }
  return when(
    (value) => chosenIn(value).join(',') || undefined,
    (value) => ask(chosenIn(value)),
  )
}

/** The id of another object. */
export const id = <Asked extends object>(ask: (value: string) => Asked) => when(idIn, ask)

const days: Filter<string, { createdAfter?: string; createdBefore?: string }> = {
  read: (value) => {
    const range = rangeIn(value)
    return range && rangeText(range)
  },
  ask: createdQueryOf,
}

export type Filters = Readonly<Record<string, Filter>>
type Value<Each> = Each extends Filter<infer Read> ? Read : never

/** A list's address, without default values. */
export type SearchOf<Sort extends string, Of> = ListSearch<Sort> & {
  [Name in keyof Of]?: Value<Of[Name]> | undefined
} & {
  /** The days of creation, in the viewer's zone; every list has this filter. */
  created?: string | undefined
}

export type ListCall = {
  [Name in BillingClientCallName]: BillingAnswer<Name> extends ListAnswer<{ readonly id: string }> ? Name : never
}[BillingClientCallName]

export type Item<Call extends ListCall> = { readonly id: string } & (BillingAnswer<Call> extends ListAnswer<infer Each>
  ? Each
  : never)
type Field<Call extends ListCall> =
  BillingQuery<Call> extends { sorting?: infer Sorting }
    ? Unsigned<Extract<Sorting, readonly unknown[]>[number]>
    : never
type Unsigned<Sort> = Sort extends `-${string}` ? never : Extract<Sort, string>

/** The addresses of the editors that create something at `new`. */
export type Creator =
  | '/dashboard/$slug/products/$productId'
  | '/dashboard/$slug/discounts/$discountId'
  | '/dashboard/$slug/checkout-links/$linkId'
  | '/dashboard/$slug/custom-fields/$fieldId'
  | '/dashboard/$slug/meters/$meterId'
  | '/dashboard/$slug/webhooks/new'

/** The parameters of their addresses. */
export const newParams = (slug: string) => ({
  slug,
  ...{ productId: 'new', discountId: 'new', linkId: 'new', fieldId: 'new', meterId: 'new' },
})

type Places = {
  /** The editor that creates another one, and its name in the command menu. */
  readonly create?: { readonly to: Creator; readonly label: string }
  /** The call that answers the list as a file. */
  readonly file?: Export
}

type Row<Path extends string, Call extends ListCall, Sort extends string, Of> = {
  /** Below the organization's address. */
  readonly path: Path
  /** What the viewer reads it with, and writes: the organization's permission. */
  readonly permission: string
  /** Its rows' name in events, whose stream tells the list of new ones. */
  readonly object?: EventObjectName
  readonly call: Call
  /** The list's name in the query cache. */
  readonly key: string
  /** The server's names of the columns that can be sorted by. */
  readonly fields: Readonly<Record<SortField<Sort>, Field<Call>>>
  /** The default first. */
  readonly sorts: readonly [NoInfer<Sort>, ...NoInfer<Sort>[]] & readonly Sort[]
  /** By their names in the address. */
  readonly filters: Of
}

/** How a list's address is read, and what its filters ask for. */
function addressOf<Search extends object, Sort extends string>(sorts: readonly Sort[], filters: Filters) {
  const all = Object.entries(filters)
  return {
    /** Parses an address; invalid values count as missing. */
    searchIn(given: Readonly<Record<string, unknown>>): Search {
      const kept = all.flatMap(([name, { read }]) => {
        const value = read(given[name])
        return value === undefined ? [] : [[name, value]]
      })
      return { ...Object.fromEntries(kept), ...listSearchIn(given, sorts) }
    },
    /** What the filters alone ask for. */
    filtersOf: (search: Search): object =>
      Object.assign({}, ...all.map(([name, { ask }]) => ask((search as Readonly<Record<string, string>>)[name]))),
  }
}

/** Defines a resource of a selling organization. */
export function defineResource<
  const Path extends string,
  Call extends ListCall,
  const Sort extends string,
  Of extends Filters,
  const In extends Places,
>(row: Row<Path, Call, Sort, Of> & In) {
  type Search = SearchOf<Sort, Of>
  const [usual] = row.sorts
  const { searchIn, filtersOf } = addressOf<Search, Sort>(row.sorts, { ...row.filters, created: days })

  /** The query that is sent to the server. */
  const queryOf = (search: Search) =>
    ({ ...listQueryOf<Sort, string>(search, usual, row.fields), ...filtersOf(search) }) as BillingQuery<Call>

  /** What a program calls for the same page. */
  const callOf = (search: Search): ApiCall => ({
    name: row.call,
    input: queryOf(search) as object as ApiCall['input'],
  })

  // The call's own method: its types follow from its name, which is known to the row alone.
  const read = (billing: BillingClient) =>
    billing[row.call] as unknown as (
      query: object,
      options: { signal: AbortSignal },
    ) => Promise<Result<ListAnswer<Item<Call>>>>

  /** One page of it, from the server. */
  function pageQuery(billing: BillingClient, search: Search) {
    const query = queryOf(search)
    return listQuery<Item<Call>>([row.key, query], (options) => read(billing)(query as object, options))
  }

  /** The rows that fit and were created since a moment: how many there are. */
  function newsQuery(billing: BillingClient, search: Search, since: string) {
    const query = { ...filtersOf(search), createdAfter: since, limit: 1 }
    return listQuery<Item<Call>>([row.key, 'news', query], (options) => read(billing)(query, options))
  }

  return {
    ...row,
    to: `/dashboard/$slug/${row.path}` as const,
    usual,
    searchIn,
    filtersOf,
    queryOf,
    callOf,
    pageQuery,
    newsQuery,
    /** Begins to load a page of the list, for viewers who may see it. */
    preload({ props: { seller }, queries, billing }: DashboardContext, search: Search): void {
      if (seller?.maySell && seller.permissions[row.permission]?.includes('read'))
        void queries.prefetchQuery(pageQuery(billing, search))
    },
  }
}

type AdminRow<Sort extends string, Of, Query, Each> = {
  readonly sorts: readonly [NoInfer<Sort>, ...NoInfer<Sort>[]] & readonly Sort[]
  /** The server's names of the columns that can be sorted by. */
  readonly fields: Readonly<Record<SortField<Sort>, Extract<Query, { sortBy?: unknown }>['sortBy']>>
  readonly filters: Of
  /** What the filters ask for together, where one depends on another. */
  readonly ask?: (search: SearchOf<Sort, Of>) => Partial<Query>
  readonly page: (client: TollgateClient, query: Query) => ListQuery<Each>
}

/** Defines a resource of the administration, whose calls sort and search in another form than those of selling. */
export function defineAdminResource<const Sort extends string, Of extends Filters, Query extends object, Each>(
  row: AdminRow<Sort, Of, Query, Each>,
) {
  type Search = SearchOf<Sort, Of>
  const { searchIn, filtersOf } = addressOf<Search, Sort>(row.sorts, row.filters)

  /** The query that is sent to the server. */
  function queryOf(search: Search): Query {
    const { limit, sorting, cursor } = listQueryOf<Sort, string>(
      search as ListSearch<Sort>,
      row.sorts[0],
      row.fields as never,
    )
    const [order] = sorting
    const sort = { sortBy: order.replace(/^-/, ''), sortDirection: order.startsWith('-') ? 'desc' : 'asc' }
    return { limit, ...sort, ...filtersOf(search), ...row.ask?.(search), ...(cursor && { cursor }) } as unknown as Query
  }
  const pageQuery = (client: TollgateClient, search: Search) => row.page(client, queryOf(search))

  return {
    searchIn,
    queryOf,
    pageQuery,
    /** Begins to load a page of the list. */
    preload({ queries, client }: DashboardContext, search: Search): void {
      void queries.prefetchQuery(pageQuery(client, search))
    },
  }
}

export type Resource<
  Path extends string = string,
  Call extends ListCall = ListCall,
  Sort extends string = string,
  Of extends Filters = Filters,
> = ReturnType<typeof defineResource<Path, Call, Sort, Of, Places>>
