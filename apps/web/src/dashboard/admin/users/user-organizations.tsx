import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useDashboard } from '../../context.ts'
import { Panel } from '../../parts/panel.tsx'
import { Failure, Waiting } from '../../parts/states.tsx'
import { Dot } from '../../parts/status.tsx'
import { userOrganizationsQuery } from '../../queries/organizations.ts'
import { user as userWords } from '../texts.ts'

const words = userWords.organizations

/** A user's organizations, roles, and where they are the only owner. */
export function OrganizationsPanel({ userId }: { userId: string }) {
  const { client } = useDashboard()
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    userOrganizationsQuery(client, userId),
  )
  const organizations = data?.pages.flatMap((page) => page.organizations) ?? []
  return (
    <Panel title={words.title} count={data && !hasNextPage ? organizations.length : undefined}>
      {error && !data ? <Failure error={error} retry={refetch} /> : null}
      {!data && !error ? <Waiting label={words.loading} rows={1} /> : null}
      {data && organizations.length === 0 ? <p className="quiet panel-text">{words.none}</p> : null}
      <ul className="rows">
        {organizations.map(({ organization, member, memberCount, soleOwner }) => (
          <li key={organization.id}>
            <span className="grow">
              <OrganizationLink organization={organization} />
              <span className="quiet block">
                {member.role} · {words.members(memberCount)}
              </span>
            </span>
            {soleOwner ? <Dot tone="warn">{words.soleOwner}</Dot> : null}
          </li>
        ))}
      </ul>
      {hasNextPage ? (
        <div className="panel-line">
          <Button
            variant="default"
            size="compact-md"
            aria-disabled={isFetchingNextPage || undefined}
            onClick={() => !isFetchingNextPage && fetchNextPage()}
          >
            {words.more}
          </Button>
        </div>
      ) : null}
    </Panel>
  )
}

type LinkProps = { organization: { readonly id: string; readonly name: string }; onFollow?: () => void }

export const OrganizationLink = ({ organization: { id, name }, onFollow }: LinkProps) => (
  <Link
    to="/admin/organizations/$organizationId"
    params={{ organizationId: id }}
    className="link wrap"
    onClick={onFollow}
  >
    {name}
  </Link>
)
