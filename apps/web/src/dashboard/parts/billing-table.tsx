import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { HistoryState } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { rangeIn, rangeLabel } from '../days.ts'
import { type Place, rangeOf } from '../paging.ts'
import type { ListAnswer, ListQuery } from '../queries/billing.ts'
import type { ListSearch } from '../seller/lists/list-search.ts'
import { texts } from '../texts.ts'
import { useListAddress } from '../use-place.ts'
import { ariaSort } from './aria-sort.ts'
import { type Bulk, PageBox, RowBox, SelectionBar, useSelection } from './bulk.tsx'
import { Copyable } from './copy.tsx'
import { DateFilter } from './date-filter.tsx'
import { FilterChip } from './filter-chip.tsx'
import { List } from './list.tsx'
import { News } from './news.tsx'
import { useRowKeys } from './row-keys.ts'
import { SavedViews } from './saved-views.tsx'
import { focusSearchField, SearchField } from './search-field.tsx'
import { SelectFilter } from './select-filter.tsx'
import { Empty } from './states.tsx'
import { type CellLook, Table } from './table.tsx'

export type Column<Item, Sort extends string> = CellLook & {
  /** The cell's name; a sortable column has its name in `sorts`. */
  name: string
  label: string
  /** The orders that its header cycles through. */
  sorts?: readonly [Sort, Sort]
  /** `cameFrom` is for links, so that the target page can link back to the list with its filters. */
  cell: (item: Item, cameFrom: HistoryState) => ReactNode
}

type Option = { readonly value: string; readonly label: string }

/** A select filter; the address holds its value under `name`. */
export type Filter = {
  name: string
  label: string
  value: string | undefined
  /** The label of no choice: `All statuses`. */
  all: string
  options: readonly (Option | { readonly group: string; readonly items: readonly Option[] })[]
  /** False if it says only how another one is meant. */
  narrows?: boolean
  /** Whether tabs above the list choose it. */
  isTab?: true
  /** The label of another choice, if it takes several; the address joins them by commas. */
  another?: string
}

/** A filter set by a link, shown with a remove button. */
export type Narrowing = { name: string; label: string; value: string }

export type ListWords = {
  /** The table's accessible name. */
  table: string
  one: string
  many: string
  loading: string
  /** The label and placeholder of the search field, if the list is searchable. */
  search?: string
  searchFor?: string
  /** The empty state: what the list will show, in a sentence. */
  none: { readonly title: string; readonly text: string }
  noMatch: string | { readonly title: string; readonly text: string; readonly clear: string }
}

type Search<Sort extends string> = ListSearch<Sort> & { q?: string | undefined; created?: string | undefined }

type Props<Item extends { readonly id: string }, Sort extends string> = {
  words: ListWords
  /** The parsed address. */
  search: Search<Sort>
  /** The list's orders in words, the default first. */
  sorts: Readonly<Record<Sort, string>>
  /** The page of the list that an address names. */
  query: (search: Search<Sort>) => ListQuery<Item>
  columns: readonly Column<Item, Sort>[]
  filters?: readonly Filter[]
  narrowings?: readonly Narrowing[]
  /** The name of the time of creation, of a list that can be narrowed to days. */
  created?: string
  /** The list's name for saved views, if it has them. */
  views?: string
  /** The rows that were created since a moment, of a list that says when there are new ones. */
  news?: (since: string) => ListQuery<Item>
  /** The rows' name in events. */
  object?: string | undefined
  /** What can be done to several rows at once. */
  bulk?: Bulk<Item>
  /** How its columns and cards look, where the columns do not say it themselves. */
  look?: string
  /** The organization's permission to see the list. */
  needs?: string
  /** The action of the empty state: a button, and the equivalent command. */
  action?: ReactNode
  curl?: string
}

/**
 * A complete billing list: search, filters, order, cursor pages, and every state. The address alone holds its
 * settings.
 */
export function BillingTable<Item extends { id: string }, Sort extends string>(props: Props<Item, Sort>) {
  const {
    words,
    search,
    query,
    columns,
    filters = [],
    narrowings = [],
    created,
    news,
    object,
    bulk,
    look = 'billing',
    needs,
    action,
    curl,
  } = props
  const { place, show, goTo } = useListAddress<Readonly<Record<string, unknown>>>(search)
  const asked = useQuery(query(search))
  const selection = useSelection<Item>(JSON.stringify(search))
  const keys = useRowKeys()
  // Only the first page has a total; the others reuse it while it is cached.
  const first = useQuery({ ...query({ ...search, cursor: undefined, page: undefined }), enabled: false })
  const isNarrowed =
    search.q !== undefined ||
    search.created !== undefined ||
    filters.some(({ value, narrows = true }) => narrows && value !== undefined) ||
    narrowings.length > 0
  const clear = () => {
    focusSearchField()
    const none = Object.fromEntries([...filters, ...narrowings].map(({ name }) => [name, undefined]))
    void show({ ...none, q: undefined, created: undefined })
  }

  const hasFilters = words.search !== undefined || created !== undefined || filters.length > 0 || narrowings.length > 0
  const { data } = asked
  // The newest row leads the first page in the usual order. In a list without rows each one is new.
  const newest = data && search.sort === undefined && !place.cursor ? newestIn(data.items) : undefined
  return (
    <>
      {hasFilters && (isNarrowed || data === undefined || data.items.length > 0 || place.cursor) ? (
        <Filters {...props} filters={filters} narrowings={narrowings} onChange={show} />
      ) : null}
      {news && newest ? (
        <News
          object={object}
          query={news}
          since={newest}
          one={words.one}
          many={words.many}
          onShow={() => void asked.refetch()}
        />
      ) : null}
      <List
        query={asked}
        list={
          data && {
            items: data.items,
            nextCursor: data.pagination.nextCursor,
            shown: shownText(place, data, first.data, words),
          }
        }
        place={place}
        onGo={goTo}
        loading={words.loading}
        needs={needs}
        isNarrowed={isNarrowed}
        onClear={clear}
        noMatch={
          typeof words.noMatch === 'string'
            ? { title: words.noMatch, text: texts.list.noMatchText, clear: texts.list.clear }
            : words.noMatch
        }
        none={
          <Empty {...words.none}>
            {action}
            {curl ? (
              <>
                <p className="quiet">{texts.list.byApi}</p>
                <Copyable text={curl} what={texts.list.command} />
              </>
            ) : null}
          </Empty>
        }
      >
        {(items) => (
          <Table
            label={words.table}
            busy={asked.isPlaceholderData}
            className={look}
            ref={keys}
            items={items}
            columns={[
              ...(bulk
                ? [
                    {
                      name: 'select',
                      label: <PageBox items={items} selection={selection} />,
                      cell: (item: Item) => <RowBox item={item} name={bulk.nameOf(item)} selection={selection} />,
                    },
                  ]
                : []),
              ...columns.map(({ sorts: orders, cell, ...column }) => ({
                ...column,
                sort: orders && sortOf(orders, props, (sort) => show({ sort })),
                cell: (item: Item) => cell(item, { list: { ...search }, trail: place.trail }),
              })),
            ]}
          />
        )}
      </List>
      {bulk ? <SelectionBar bulk={bulk} selection={selection} /> : null}
    </>
  )
}

const newestIn = ([first]: readonly object[]): string | undefined =>
  first ? createdAtOf(first) : new Date(0).toISOString()

const createdAtOf = (item: object): string | undefined =>
  'createdAt' in item && typeof item.createdAt === 'string' ? item.createdAt : undefined

/** A large total is approximate, because rows may be added meanwhile. */
const exactUpTo = 1000

function shownText<Item>(
  { page, cursor }: Place,
  { items, pagination }: ListAnswer<Item>,
  first: ListAnswer<Item> | undefined,
  { one, many }: ListWords,
): string {
  const { from, to } = rangeOf(page, items.length)
  const total = pagination.totalCount ?? first?.pagination.totalCount
  if (total === undefined || (cursor !== undefined && total < to)) return texts.list.shown(from, to, many)
  if (total > exactUpTo) return texts.list.about(from, to, total, many)
  return texts.pager.range(from, to, total, total === 1 ? one : many)
}

/** How a column's header stands, and the order that it asks for next; the usual one is not in the address. */
function sortOf<Sort extends string>(
  [rising, falling]: readonly [Sort, Sort],
  { sorts, search }: { sorts: Readonly<Record<Sort, string>>; search: Search<Sort> },
  onSort: (sort: Sort | undefined) => void,
) {
  const [usual] = Object.keys(sorts) as Sort[] // its own keys
  const current = search.sort ?? usual ?? ''
  const wanted = current === rising ? falling : rising
  return {
    order: ariaSort(rising.replace(/^-/, ''), current),
    onSort: () => onSort(wanted === usual ? undefined : wanted),
  }
}

type FiltersProps<Item extends { readonly id: string }, Sort extends string> = Props<Item, Sort> & {
  filters: readonly Filter[]
  narrowings: readonly Narrowing[]
  onChange: (changes: Readonly<Record<string, string | undefined>>) => void
}

function Filters<Item extends { readonly id: string }, Sort extends string>(props: FiltersProps<Item, Sort>) {
  const { words, search, sorts, filters, narrowings, created, views, onChange } = props
  const days = rangeIn(search.created)
  const [usual = ''] = Object.keys(sorts)
  return (
    <search className="filters">
      {words.search ? (
        <SearchField
          label={words.search}
          placeholder={words.searchFor ?? words.search}
          value={search.q ?? ''}
          onSearch={(q) => onChange({ q: q || undefined })}
        />
      ) : null}
      {filters
        .filter(({ isTab }) => !isTab)
        .map((filter) => (
          <SelectFilter key={filter.name} filter={filter} onChange={onChange} />
        ))}
      {created && !days ? <DateFilter label={created} onChange={(range) => onChange({ created: range })} /> : null}
      {[...narrowings, ...(created && days ? [{ name: 'created', label: created, value: rangeLabel(days) }] : [])].map(
        ({ name, label, value }) => (
          <FilterChip
            key={name}
            label={label}
            value={value}
            oneLine
            onRemove={() => {
              focusSearchField()
              onChange({ [name]: undefined })
            }}
          />
        ),
      )}
      <NativeSelect
        className="half only-narrow"
        aria-label={texts.list.sort}
        value={search.sort ?? usual}
        onChange={(event) => {
          const { value } = event.currentTarget
          onChange({ sort: value === usual ? undefined : value })
        }}
        data={Object.entries<string>(sorts).map(([value, label]) => ({ value, label }))}
      />
      {views ? (
        <SavedViews
          list={views}
          search={search}
          onShow={(view) =>
            onChange({ ...Object.fromEntries(Object.keys(search).map((name) => [name, undefined])), ...view })
          }
        />
      ) : null}
    </search>
  )
}
