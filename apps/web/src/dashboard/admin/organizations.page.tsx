import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, type HistoryState, Link } from '@tanstack/react-router'
import type { Answer } from '@tollgate/contract/types'
import { useDashboard } from '../context.ts'
import { nextPlace, type Place, previousPlace, rangeOf } from '../paging.ts'
import { PageHead } from '../parts/page-head.tsx'
import { Pager } from '../parts/pager.tsx'
import { focusSearchField, SearchField } from '../parts/search-field.tsx'
import { Empty, Failure, Stale, Waiting } from '../parts/states.tsx'
import { Cell, HeadCell, Row, SortableHeadCell, Table } from '../parts/table.tsx'
import { Day } from '../parts/time.tsx'
import { organizationsQuery } from '../queries/organizations.ts'
import { number, texts } from '../texts.ts'
import { placeSearch, usePlace } from '../use-place.ts'
import {
  type OrganizationsSearch,
  organizationsQueryOf,
  type Sort,
  type SortColumn,
  sorts,
} from './organizations.search.ts'
import { ariaSort, sortAfterPress } from './sorting.ts'

const route = getRouteApi('/admin/organizations')
const words = texts.organizations

/** Every organization, searched and sorted by the server, page after page. */
export function OrganizationsPage() {
  const { client } = useDashboard()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const place = usePlace(search)
  const { data, error, isPlaceholderData, refetch } = useQuery(organizationsQuery(client, organizationsQueryOf(search)))
  const isNarrowed = search.q !== undefined || place.cursor !== undefined

  /** Another list begins at its first page. */
  const show = (changes: OrganizationsSearch) =>
    navigate({ search: (before) => ({ ...before, ...changes, cursor: undefined, page: undefined }), replace: true })
  const goTo = (to: Place) =>
    navigate({ search: (before) => ({ ...before, ...placeSearch(to) }), state: { trail: to.trail } })

  return (
    <>
      <PageHead title={words.title} />
      <Filters search={search} onChange={show} />
      {error && data ? <Stale retry={refetch} /> : null}
      {error && !data ? <Failure error={error} retry={refetch} /> : null}
      {!data && !error ? <Waiting label={words.loading} rows={12} /> : null}
      {data?.organizations.length === 0 ? (
        isNarrowed ? (
          <Empty {...words.noMatch}>
            <Button
              variant="default"
              onClick={() => {
                focusSearchField()
                void show({ q: undefined })
              }}
            >
              {words.noMatch.clear}
            </Button>
          </Empty>
        ) : (
          <Empty {...words.none} />
        )
      ) : null}
      {data && data.organizations.length > 0 ? (
        <>
          <OrganizationTable
            organizations={data.organizations}
            cameFrom={{ list: search, trail: place.trail }}
            busy={isPlaceholderData}
            sort={search.sort ?? '-created'}
            onSort={(sort) => show({ sort })}
          />
          <Pager
            place={place}
            nextCursor={data.nextCursor}
            shown={shownText(place, data)}
            onNext={() => data.nextCursor && goTo(nextPlace(place, data.nextCursor))}
            onPrevious={() => goTo(previousPlace(place))}
          />
        </>
      ) : null}
    </>
  )
}

type Organizations = Answer<'adminListOrganizations'>['organizations']

function shownText({ page }: Place, { organizations, total }: { organizations: Organizations; total: number }): string {
  const { from, to } = rangeOf(page, organizations.length)
  return texts.pager.range(from, to, total, total === 1 ? words.one : words.many)
}

type FiltersProps = { search: OrganizationsSearch; onChange: (changes: OrganizationsSearch) => void }

/** What is looked for. Everything in it stands in the address. */
function Filters({ search, onChange }: FiltersProps) {
  return (
    <search className="filters">
      <SearchField
        label={words.search}
        placeholder={words.searchFor}
        value={search.q ?? ''}
        onSearch={(q) => onChange({ q: q || undefined })}
      />
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

type TableProps = {
  organizations: Organizations
  cameFrom: HistoryState
  busy: boolean
  sort: Sort
  onSort: (sort: Sort) => void
}

function OrganizationTable({ organizations, cameFrom, busy, sort, onSort }: TableProps) {
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
          {sortable('created', columns.created)}
        </>
      }
    >
      {organizations.map(({ id, name, slug, memberCount, createdAt }) => (
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
          <Cell name="created">
            <Day at={createdAt} />
          </Cell>
        </Row>
      ))}
    </Table>
  )
}
