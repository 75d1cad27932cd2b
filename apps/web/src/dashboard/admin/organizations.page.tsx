import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, type HistoryState, Link } from '@tanstack/react-router'
import type { Answer } from '@tollgate/contract/types'
import { useAdministration, useDashboard } from '../context.ts'
import { type Place, rangeOf } from '../paging.ts'
import { List } from '../parts/list.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { focusSearchField, SearchField } from '../parts/search-field.tsx'
import { Empty } from '../parts/states.tsx'
import { Dot, type Tone } from '../parts/status.tsx'
import { Cell, HeadCell, Row, SortableHeadCell, Table } from '../parts/table.tsx'
import { Day } from '../parts/time.tsx'
import { organizationsQuery } from '../queries/organizations.ts'
import { number, texts } from '../texts.ts'
import { useListAddress } from '../use-place.ts'
import {
  type OrganizationsSearch,
  organizationsQueryOf,
  type Sort,
  type SortColumn,
  type Standing,
  sorts,
  standings,
} from './organizations.search.ts'
import { ariaSort, sortAfterPress } from './sorting.ts'
import { organizations as words } from './texts.ts'

const route = getRouteApi('/admin/organizations')

/** All organizations; the server searches and sorts, page by page. */
export function OrganizationsPage() {
  const { client } = useDashboard()
  const search = route.useSearch()
  const { place, show, goTo } = useListAddress(search)
  const query = useQuery(organizationsQuery(client, organizationsQueryOf(search)))
  const isNarrowed = search.q !== undefined || search.selling !== undefined

  const { data } = query
  return (
    <>
      <PageHead title={words.title} />
      <Filters search={search} onChange={show} />
      <List
        query={query}
        list={data && { items: data.organizations, nextCursor: data.nextCursor, shown: shownText(place, data) }}
        place={place}
        onGo={goTo}
        loading={words.loading}
        isNarrowed={isNarrowed}
        onClear={() => {
          focusSearchField()
          void show({ q: undefined, selling: undefined })
        }}
        noMatch={words.noMatch}
        none={<Empty {...words.none} />}
      >
        {(organizations) => (
          <OrganizationTable
            organizations={organizations}
            busy={query.isPlaceholderData}
            cameFrom={{ list: search, trail: place.trail }}
            sort={search.sort ?? '-created'}
            onSort={(sort) => show({ sort })}
          />
        )}
      </List>
    </>
  )
}

type Organizations = Readonly<Answer<'adminListOrganizations'>['organizations']>

function shownText({ page }: Place, { organizations, total }: { organizations: Organizations; total: number }): string {
  const { from, to } = rangeOf(page, organizations.length)
  return texts.pager.range(from, to, total, total === 1 ? words.one : words.many)
}

type FiltersProps = { search: OrganizationsSearch; onChange: (changes: OrganizationsSearch) => void }

/** The filters. The address holds all of them. */
function Filters({ search, onChange }: FiltersProps) {
  const { features } = useAdministration()
  return (
    <search className="filters">
      <SearchField
        label={words.search}
        placeholder={words.searchFor}
        value={search.q ?? ''}
        onSearch={(q) => onChange({ q: q || undefined })}
      />
      {features.selling ? (
        <NativeSelect
          className="half"
          aria-label={words.columns.selling}
          data={[
            { value: '', label: words.everyStanding },
            ...standings.map((value) => ({ value, label: words.standings[value] })),
          ]}
          value={search.selling ?? ''}
          onChange={(event) => onChange({ selling: standings.find((each) => each === event.currentTarget.value) })}
        />
      ) : null}
      <NativeSelect
        className="only-narrow"
        aria-label={words.sort}
        data={sorts.map((value) => ({ value, label: words.sorts[value] }))}
        value={search.sort ?? '-created'}
        onChange={(event) => onChange({ sort: sorts.find((each) => each === event.currentTarget.value) })}
      />
    </search>
  )
}

const tones = { approved: 'ok', waiting: 'warn', none: 'plain' } as const satisfies Record<Standing, Tone>

type TableProps = {
  organizations: Organizations
  cameFrom: HistoryState
  busy: boolean
  sort: Sort
  onSort: (sort: Sort) => void
}

function OrganizationTable({ organizations, cameFrom, busy, sort, onSort }: TableProps) {
  const { features } = useAdministration()
  const { columns } = words
  const sortable = (column: SortColumn, label: string) => (
    <SortableHeadCell name={column} sort={ariaSort(column, sort)} onSort={() => onSort(sortAfterPress(column, sort))}>
      {label}
    </SortableHeadCell>
  )
  return (
    <Table
      label={words.table}
      busy={busy}
      className="organizations"
      head={
        <>
          {sortable('name', columns.name)}
          <HeadCell name="slug">{columns.slug}</HeadCell>
          <HeadCell name="members">{columns.members}</HeadCell>
          {features.selling ? <HeadCell name="selling">{columns.selling}</HeadCell> : null}
          {sortable('created', columns.created)}
        </>
      }
    >
      {organizations.map(({ id, name, slug, memberCount, selling, createdAt }) => (
        <Row key={id}>
          <Cell name="name">
            <Link
              to="/admin/organizations/$organizationId"
              params={{ organizationId: id }}
              state={cameFrom}
              className="row-link"
            >
              {name}
            </Link>
          </Cell>
          <Cell name="slug">{slug}</Cell>
          <Cell name="members">
            {number.format(memberCount)}
            <span className="only-narrow"> {memberCount === 1 ? words.member : words.members}</span>
          </Cell>
          {features.selling ? (
            <Cell name="selling">
              <Dot tone={tones[selling]}>{words.standings[selling]}</Dot>
            </Cell>
          ) : null}
          <Cell name="created">
            <Day at={createdAt} />
          </Cell>
        </Row>
      ))}
    </Table>
  )
}
