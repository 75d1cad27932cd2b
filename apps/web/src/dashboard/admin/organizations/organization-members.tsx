import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useDashboard } from '../../context.ts'
import { type Place, pageSize, rangeOf } from '../../paging.ts'
import styles from '../../parts/pager.module.css'
import { Pager } from '../../parts/pager.tsx'
import { Panel } from '../../parts/panel.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { Failure, Waiting } from '../../parts/states.tsx'
import { Day } from '../../parts/time.tsx'
import { organizationMembersQuery } from '../../queries/organizations.ts'
import { texts } from '../../texts.ts'
import { organization as organizationWords } from '../texts.ts'

const route = getRouteApi('/admin/organizations/$organizationId')
const words = organizationWords.members

/** An organization's members; the address holds search and page. */
export function MembersPanel({ organizationId }: { organizationId: string }) {
  const { client } = useDashboard()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { q, page = 1 } = search
  const { data, error, refetch } = useQuery(organizationMembersQuery(client, organizationId, search))
  const goTo = (to: number) => navigate({ search: { q, page: to > 1 ? to : undefined } })
  return (
    <Panel title={words.title}>
      <div className="panel-line">
        <SearchField
          label={words.search}
          placeholder={words.search}
          value={q ?? ''}
          onSearch={(text) => navigate({ search: { q: text || undefined }, replace: true })}
        />
      </div>
      {error && !data ? <Failure error={error} retry={refetch} /> : null}
      {!data && !error ? <Waiting label={words.loading} rows={3} /> : null}
      {data?.members.length === 0 ? (
        <p className="quiet panel-text" role="status">
          {words.none}
        </p>
      ) : null}
      <ul className="rows">
        {data?.members.map(({ id, userId, role, createdAt, user }) => (
          <li key={id}>
            <span className="grow">
              <Link to="/admin/users/$userId" params={{ userId }} className="link wrap">
                {user.name || user.email}
              </Link>
              <span className="quiet block">{user.email}</span>
            </span>
            <span className="quiet">
              {role}
              <span className="block">
                {words.since} <Day at={createdAt} />
              </span>
            </span>
          </li>
        ))}
      </ul>
      {data && data.members.length > 0 ? (
        <div className={`panel-line ${styles.line}`}>
          <Pager
            place={placeOf(page)}
            nextCursor={page * pageSize < data.total ? String(page + 1) : null}
            shown={shownText(page, data.members.length, data.total)}
            onNext={() => goTo(page + 1)}
            onPrevious={() => goTo(page - 1)}
          />
        </div>
      ) : null}
    </Panel>
  )
}

/** Numbered pages always have a previous page. */
const placeOf = (page: number): Place => ({
  page,
  trail: [''],
  ...(page > 1 && { cursor: String(page) }),
})

function shownText(page: number, rows: number, total: number): string {
  const { from, to } = rangeOf(page, rows)
  return texts.pager.range(from, to, total, total === 1 ? words.one : words.many)
}
