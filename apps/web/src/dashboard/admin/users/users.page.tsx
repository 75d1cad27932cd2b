import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import type { SessionUser } from '@tollgate/contract/types'
import { useAdministration, useDashboard } from '../../context.ts'
import { BillingTable, type Column, type Filter } from '../../parts/billing-table.tsx'
import { plus } from '../../parts/button-link.tsx'
import { createdColumn, useListSearch } from '../../parts/list-page.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { users as words } from '../texts.ts'
import { CreateUserDialog } from './create-user.dialog.tsx'
import { providerName } from './provider-name.ts'
import { UserStatus } from './user-status.tsx'
import { searchFields, users } from './users.resource.ts'

/** All users; the server searches, filters and sorts, page by page. */
export function UsersPage() {
  const { client } = useDashboard()
  const search = useListSearch(users)
  const [isCreating, creating] = useDisclosure()
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
      <BillingTable
        words={{
          table: words.table,
          one: words.one,
          many: words.many,
          loading: words.loading,
          search: words.search,
          searchFor: words.searchFor[search.field ?? 'email'],
          none: words.nobody,
          noMatch: words.noMatch,
        }}
        search={search}
        sorts={words.sorts}
        query={(address) => users.pageQuery(client, address as typeof search)} // the address of this very list
        columns={useColumns()}
        filters={useFilters(search)}
        look="users"
      />
      <CreateUserDialog opened={isCreating} onClose={creating.close} />
    </>
  )
}

type Sort = keyof typeof words.sorts

function useColumns(): readonly Column<SessionUser, Sort>[] {
  const { now } = useDashboard()
  const { roles } = useAdministration()
  const { columns } = words
  return [
    {
      name: 'name',
      label: columns.user,
      sorts: ['name', '-name'],
      cell: ({ id, name }, cameFrom) => (
        <Link to="/admin/users/$userId" params={{ userId: id }} state={cameFrom} className="row-link">
          {name || words.noName}
        </Link>
      ),
    },
    { name: 'email', label: columns.email, sorts: ['email', '-email'], cell: ({ email }) => email },
    { name: 'role', label: columns.role, cell: ({ role }) => role ?? roles[0] },
    { name: 'status', label: columns.status, cell: (user) => <UserStatus user={user} now={now()} /> },
    createdColumn(columns.created),
  ]
}

/** The filters that this installation has. */
function useFilters({ field, filter }: ReturnType<typeof users.searchIn>): readonly Filter[] {
  const { features, roles, providers } = useAdministration()
  const { fields, filterGroups, filters } = words
  const [usual, ...others] = searchFields.filter((each) => each !== 'username' || features.username)
  const named = (values: readonly (keyof typeof filters)[]) => values.map((value) => ({ value, label: filters[value] }))
  return [
    {
      name: 'field',
      label: words.field,
      value: field,
      all: fields[usual ?? 'email'],
      options: others.map((value) => ({ value, label: fields[value] })),
      narrows: false,
    },
    {
      name: 'filter',
      label: words.filter,
      value: filter,
      all: words.everyone,
      options: [
        { group: filterGroups.email, items: named(['verified', 'unverified']) },
        { group: filterGroups.access, items: named(['banned', 'allowed']) },
        { group: filterGroups.role, items: roles.map((role) => ({ value: `role:${role}`, label: role })) },
        {
          group: filterGroups.provider,
          items: providers.map((id) => ({ value: `provider:${id}`, label: providerName(id) })),
        },
      ],
    },
  ]
}
