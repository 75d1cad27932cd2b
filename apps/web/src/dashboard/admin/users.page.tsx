import { Button, NativeSelect } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, type HistoryState, Link } from '@tanstack/react-router'
import type { SessionUser } from '@tollgate/contract/types'
import { useAdministration, useDashboard } from '../context.ts'
import { type Place, rangeOf } from '../paging.ts'
import { plus } from '../parts/button-link.tsx'
import { List } from '../parts/list.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { focusSearchField, SearchField } from '../parts/search-field.tsx'
import { Empty } from '../parts/states.tsx'
import { Cell, HeadCell, Row, SortableHeadCell, Table } from '../parts/table.tsx'
import { Day } from '../parts/time.tsx'
import { usersQuery } from '../queries/users.ts'
import { texts } from '../texts.ts'
import { useListAddress } from '../use-place.ts'
import { CreateUserDialog } from './create-user.dialog.tsx'
import { providerName } from './provider-name.ts'
import { ariaSort, sortAfterPress } from './sorting.ts'
import { users as words } from './texts.ts'
import { UserStatus } from './user-status.tsx'
import { type Sort, searchFields, sorts, type UsersSearch, usersQueryOf } from './users.search.ts'

const route = getRouteApi('/admin/users')

/** All users; the server searches, filters and sorts, page by page. */
export function UsersPage() {
  const { client } = useDashboard()
  const search = route.useSearch()
  const { place, show, goTo } = useListAddress(search)
  const query = useQuery(usersQuery(client, usersQueryOf(search)))
  const [isCreating, creating] = useDisclosure()
  const isNarrowed = search.q !== undefined || search.filter !== undefined

  const { data } = query
  return (
    <>
      <PageHead
        title={words.title}
        actions={
          <Button leftSection={plus} onClick={creating.open}>
            {words.create}
          </Button>
        }
      />
      <Filters search={search} onChange={show} />
      <List
        query={query}
        list={data && { items: data.users, nextCursor: data.nextCursor, shown: shownText(place, data) }}
        place={place}
        onGo={goTo}
        loading={words.loading}
        isNarrowed={isNarrowed}
        onClear={() => {
          focusSearchField()
          void show({ q: undefined, filter: undefined })
        }}
        noMatch={words.noMatch}
        none={<Empty {...words.nobody} />}
      >
        {(users) => (
          <UserTable
            users={users}
            busy={query.isPlaceholderData}
            cameFrom={{ list: search, trail: place.trail }}
            sort={search.sort ?? '-created'}
            onSort={(sort) => show({ sort })}
          />
        )}
      </List>
      <CreateUserDialog opened={isCreating} onClose={creating.close} />
    </>
  )
}

function shownText({ page }: Place, { users, total }: { users: readonly unknown[]; total: number }): string {
  const { from, to } = rangeOf(page, users.length)
  return texts.pager.range(from, to, total, total === 1 ? words.one : words.many)
}

type FiltersProps = { search: UsersSearch; onChange: (changes: UsersSearch) => void }

/** The filters. The address holds all of them. */
function Filters({ search, onChange }: FiltersProps) {
  const administration = useAdministration()
  const { field = 'email', filter = '', sort = '-created' } = search
  const fields = searchFields.filter((each) => each !== 'username' || administration.features.username)
  const { filterGroups, filters } = words
  return (
    <search className="filters">
      <SearchField
        label={words.search}
        placeholder={words.searchFor[field]}
        value={search.q ?? ''}
        onSearch={(q) => onChange({ q: q || undefined })}
      />
      <NativeSelect
        className="half"
        aria-label={words.field}
        data={fields.map((value) => ({ value, label: words.fields[value] }))}
        value={field}
        onChange={(event) => onChange({ field: searchFields.find((each) => each === event.currentTarget.value) })}
      />
      <NativeSelect
        className="half"
        aria-label={words.filter}
        value={filter}
        onChange={(event) => onChange({ filter: event.currentTarget.value || undefined })}
        data={[
          { value: '', label: words.everyone },
          {
            group: filterGroups.email,
            items: [
              { value: 'verified', label: filters.verified },
              { value: 'unverified', label: filters.unverified },
            ],
          },
          {
            group: filterGroups.access,
            items: [
              { value: 'banned', label: filters.banned },
              { value: 'allowed', label: filters.allowed },
            ],
          },
          {
            group: filterGroups.role,
            items: administration.roles.map((role) => ({ value: `role:${role}`, label: role })),
          },
          {
            group: filterGroups.provider,
            items: administration.providers.map((id) => ({ value: `provider:${id}`, label: providerName(id) })),
          },
        ]}
      />
      <NativeSelect
        className="only-narrow"
        aria-label={words.sort}
        data={sorts.map((value) => ({ value, label: words.sorts[value] }))}
        value={sort}
        onChange={(event) => onChange({ sort: sorts.find((each) => each === event.currentTarget.value) })}
      />
    </search>
  )
}

type TableProps = {
  users: readonly SessionUser[]
  cameFrom: HistoryState
  busy: boolean
  sort: Sort
  onSort: (sort: Sort) => void
}

function UserTable({ users, cameFrom, busy, sort, onSort }: TableProps) {
  const { now } = useDashboard()
  const administration = useAdministration()
  const { columns } = words
  const sortable = (column: 'name' | 'email' | 'created', label: string) => (
    <SortableHeadCell name={column} sort={ariaSort(column, sort)} onSort={() => onSort(sortAfterPress(column, sort))}>
      {label}
    </SortableHeadCell>
  )
  return (
    <Table
      label={words.table}
      busy={busy}
      className="users"
      head={
        <>
          {sortable('name', columns.user)}
          {sortable('email', columns.email)}
          <HeadCell name="role">{columns.role}</HeadCell>
          <HeadCell name="status">{columns.status}</HeadCell>
          {sortable('created', columns.created)}
        </>
      }
    >
      {users.map((user) => (
        <Row key={user.id}>
          <Cell name="name">
            <Link to="/admin/users/$userId" params={{ userId: user.id }} state={cameFrom} className="row-link">
              {user.name || words.noName}
            </Link>
          </Cell>
          <Cell name="email">{user.email}</Cell>
          <Cell name="role">{user.role ?? administration.roles[0]}</Cell>
          <Cell name="status">
            <UserStatus user={user} now={now()} />
          </Cell>
          <Cell name="created">
            <Day at={user.createdAt} />
          </Cell>
        </Row>
      ))}
    </Table>
  )
}
