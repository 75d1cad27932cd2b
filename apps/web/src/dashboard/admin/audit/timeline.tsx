import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useDashboard } from '../../context.ts'
import { Panel } from '../../parts/panel.tsx'
import { Failure, Waiting } from '../../parts/states.tsx'
import { Ago } from '../../parts/time.tsx'
import { timelineQuery } from '../../queries/events.ts'
import { timeline as words } from '../texts.ts'
import { Actor, InOrganization, Subject } from './event-people.tsx'
import { eventDetails, eventName, eventTone } from './event-text.ts'

/** Events of a user or an organization, newest first. */
export function TimelinePanel({ of }: { of: { readonly userId: string } | { readonly organizationId: string } }) {
  const { client } = useDashboard()
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    timelineQuery(client, of),
  )
  const ownId = 'userId' in of ? of.userId : undefined
  const events = data?.pages.flatMap((page) => page.events) ?? []
  return (
    <Panel
      title={words.title}
      actions={
        <Link
          to="/admin/audit"
          search={'userId' in of ? { user: of.userId } : { organization: of.organizationId }}
          className="link"
        >
          {words.inAudit}
        </Link>
      }
    >
      {error && !data ? <Failure error={error} retry={refetch} /> : null}
      {!data && !error ? <Waiting label={words.loading} rows={4} /> : null}
      {data && events.length === 0 ? <p className="quiet panel-text">{words.none}</p> : null}
      <ol className="timeline">
        {events.map((event) => (
          <li key={event.id} data-tone={eventTone(event.type)}>
            <strong>{eventName(event.type)}</strong>
            {event.userId === null || event.userId === ownId ? null : (
              <>
                {' · '}
                <Subject event={event} />
              </>
            )}
            <span className="quiet block">
              <Ago at={event.createdAt} />
              {event.actorId === ownId ? null : (
                <>
                  {' · '}
                  <Actor event={event} />
                </>
              )}
              {ownId === undefined || event.organizationId === null ? null : (
                <>
                  {' · '}
                  <InOrganization event={event} />
                </>
              )}
            </span>
            {event.data ? <span className="quiet block details">{eventDetails(event.data)}</span> : null}
          </li>
        ))}
      </ol>
      {hasNextPage ? (
        <div className="panel-line">
          <Button
            variant="default"
            size="compact-md"
            aria-disabled={isFetchingNextPage || undefined}
            onClick={() => !isFetchingNextPage && fetchNextPage()}
          >
            {words.older}
          </Button>
        </div>
      ) : null}
    </Panel>
  )
}
