import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type FormEvent, useId } from 'react'
import { useDashboard } from '../context.ts'
import { nextPlace, type Place, previousPlace } from '../paging.ts'
import { FieldError } from '../parts/field-errors.ts'
import { FilterChip } from '../parts/filter-chip.tsx'
import { textOf } from '../parts/form.ts'
import { PageHead } from '../parts/page-head.tsx'
import { Pager } from '../parts/pager.tsx'
import { Empty, Failure, Stale, Waiting } from '../parts/states.tsx'
import { Dot } from '../parts/status.tsx'
import { Cell, HeadCell, Row, Table } from '../parts/table.tsx'
import { Moment } from '../parts/time.tsx'
import { eventsQuery } from '../queries/events.ts'
import { organizationQuery } from '../queries/organizations.ts'
import { findUserId, userQuery } from '../queries/users.ts'
import { texts } from '../texts.ts'
import { placeSearch, usePlace } from '../use-place.ts'
import { type AuditSearch, eventsQueryOf } from './audit.search.ts'
import { Actor, type AuditEvent, InOrganization, Subject } from './event-people.tsx'
import { eventDetails, eventName, eventNames, eventTone } from './event-text.ts'

const route = getRouteApi('/admin/audit')
const words = texts.audit
const eventFieldId = 'event'

/** What has happened to every account, newest first. */
export function AuditPage() {
  const { client } = useDashboard()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const place = usePlace(search)
  const { data, error, isPlaceholderData, refetch } = useQuery(eventsQuery(client, eventsQueryOf(search)))
  const isNarrowed =
    search.type !== undefined ||
    search.actor !== undefined ||
    search.user !== undefined ||
    search.organization !== undefined

  const show = (changes: AuditSearch) =>
    navigate({ search: (before) => ({ ...before, ...changes, cursor: undefined, page: undefined }), replace: true })
  const goTo = (to: Place) =>
    navigate({ search: (before) => ({ ...before, ...placeSearch(to) }), state: { trail: to.trail } })

  return (
    <>
      <PageHead title={words.title} text={words.text} />
      <Filters search={search} onChange={show} />
      {error && data ? <Stale retry={refetch} /> : null}
      {error && !data ? <Failure error={error} retry={refetch} /> : null}
      {!data && !error ? <Waiting label={words.loading} rows={12} /> : null}
      {data && data.events.length === 0 ? (
        isNarrowed || place.cursor ? (
          <Empty {...words.noMatch}>
            <Button
              variant="default"
              onClick={() => {
                document.getElementById(eventFieldId)?.focus()
                void show({ type: undefined, actor: undefined, user: undefined, organization: undefined })
              }}
            >
              {words.noMatch.clear}
            </Button>
          </Empty>
        ) : (
          <Empty {...words.none} />
        )
      ) : null}
      {data && data.events.length > 0 ? (
        <>
          <EventTable events={data.events} busy={isPlaceholderData} tellsWhere={search.organization === undefined} />
          <Pager
            place={place}
            nextCursor={data.nextCursor}
            shown={words.shown(place.page, data.events.length)}
            onNext={() => data.nextCursor && goTo(nextPlace(place, data.nextCursor))}
            onPrevious={() => goTo(previousPlace(place))}
          />
        </>
      ) : null}
    </>
  )
}

type FiltersProps = { search: AuditSearch; onChange: (changes: AuditSearch) => void }

function Filters({ search, onChange }: FiltersProps) {
  return (
    <search className="filters">
      <NativeSelect
        id={eventFieldId}
        aria-label={words.what}
        value={search.type ?? ''}
        onChange={(event) => onChange({ type: event.currentTarget.value || undefined })}
        data={[
          { value: '', label: words.every },
          ...Object.entries(eventNames).map(([value, label]) => ({ value, label })),
        ]}
      />
      <PersonFilter label={words.user} id={search.user} onChange={(user) => onChange({ user })} />
      <PersonFilter label={words.actor} id={search.actor} onChange={(actor) => onChange({ actor })} />
      {search.organization === undefined ? null : (
        <OrganizationChip id={search.organization} onRemove={() => onChange({ organization: undefined })} />
      )}
    </search>
  )
}

type PersonProps = { label: string; id: string | undefined; onChange: (id: string | undefined) => void }

/** Somebody whom the list is about: asked for by address or id, then shown by name with a way to remove it. */
function PersonFilter({ label, id, onChange }: PersonProps) {
  const { client } = useDashboard()
  const field = useId()
  const find = useMutation({
    mutationFn: async (who: string) => {
      if (!who.includes('@')) return who
      const found = await findUserId(client, who)
      if (found === null) throw new FieldError('who', words.nobody)
      return found
    },
    onSuccess: onChange,
  })
  if (id !== undefined) return <PersonChip label={label} id={id} onRemove={() => onChange(undefined)} />

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const who = textOf(new FormData(event.currentTarget), 'who')
    if (who !== '') find.mutate(who)
  }
  return (
    <form onSubmit={onSubmit} className="person">
      <label htmlFor={field}>{label}</label>
      <TextInput
        id={field}
        name="who"
        placeholder={words.person}
        autoComplete="off"
        spellCheck={false}
        maxLength={320}
        error={find.error?.message}
      />
    </form>
  )
}

function PersonChip({ label, id, onRemove }: { label: string; id: string; onRemove: () => void }) {
  const { client } = useDashboard()
  const { data } = useQuery(userQuery(client, id))
  return <FilterChip label={label} value={data ? data.email : id} onRemove={onRemove} />
}

/** Set by following a link from an organization's page. */
function OrganizationChip({ id, onRemove }: { id: string; onRemove: () => void }) {
  const { client } = useDashboard()
  const { data } = useQuery(organizationQuery(client, id))
  return (
    <FilterChip
      label={words.organization}
      value={data ? data.organization.name : id}
      oneLine
      onRemove={() => {
        // The chip goes away with its filter, and leaves nothing in its place.
        document.getElementById(eventFieldId)?.focus()
        onRemove()
      }}
    />
  )
}

type TableProps = {
  events: readonly AuditEvent[]
  busy: boolean
  /** False where all of them are of one organization. */
  tellsWhere: boolean
}

function EventTable({ events, busy, tellsWhere }: TableProps) {
  const { columns } = words
  return (
    <Table
      label={words.table}
      busy={busy}
      className="events"
      head={
        <>
          <HeadCell name="when">{columns.when}</HeadCell>
          <HeadCell name="what">{columns.what}</HeadCell>
          <HeadCell name="user">{columns.user}</HeadCell>
          <HeadCell name="actor">{columns.actor}</HeadCell>
          <HeadCell name="details">{columns.details}</HeadCell>
        </>
      }
    >
      {events.map((event) => (
        <Row key={event.id}>
          <Cell name="when">
            <Moment at={event.createdAt} />
          </Cell>
          <Cell name="what">
            <Dot tone={eventTone(event.type)}>{eventName(event.type)}</Dot>
          </Cell>
          <Cell name="user">
            <Subject event={event} />
          </Cell>
          <Cell name="actor">
            <Actor event={event} />
          </Cell>
          <Cell name="details">
            {eventDetails(event.data)}
            {tellsWhere ? <InOrganization event={event} /> : null}
          </Cell>
        </Row>
      ))}
    </Table>
  )
}
