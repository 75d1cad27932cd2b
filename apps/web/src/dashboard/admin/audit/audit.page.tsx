import { NativeSelect, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { auditRows } from '@tollgate/contract/events'
import { type FormEvent, useId } from 'react'
import { useDashboard } from '../../context.ts'
import { DownloadLink } from '../../parts/download-link.tsx'
import { FieldError } from '../../parts/field-errors.ts'
import { FilterChip } from '../../parts/filter-chip.tsx'
import { textOf } from '../../parts/form.ts'
import { List } from '../../parts/list.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Empty } from '../../parts/states.tsx'
import { Dot } from '../../parts/status.tsx'
import { Table } from '../../parts/table.tsx'
import { Moment } from '../../parts/time.tsx'
import { eventsQuery } from '../../queries/events.ts'
import { organizationQuery } from '../../queries/organizations.ts'
import { findUserId, userQuery } from '../../queries/users.ts'
import { useListAddress } from '../../use-place.ts'
import { audit as words } from '../texts.ts'
import styles from './audit.module.css'
import { type AuditSearch, eventsQueryOf, exportAddress } from './audit.search.ts'
import { Actor, type AuditEvent, InOrganization, Subject } from './event-people.tsx'
import { eventDetails, eventName, eventTone } from './event-text.ts'

const route = getRouteApi('/admin/audit')
const eventFieldId = 'event'

/** The audit log of all accounts, newest first. */
export function AuditPage() {
  const { client } = useDashboard()
  const search = route.useSearch()
  const { place, show, goTo } = useListAddress(search)
  const query = useQuery(eventsQuery(client, eventsQueryOf(search)))
  const isNarrowed =
    search.type !== undefined ||
    search.area === 'sales' ||
    search.actor !== undefined ||
    search.user !== undefined ||
    search.organization !== undefined

  const { data } = query
  return (
    <>
      <PageHead
        title={words.title}
        text={words.text}
        actions={query.error ? null : <DownloadLink href={exportAddress(search)} />}
      />
      <Filters search={search} onChange={show} />
      <List
        query={query}
        list={
          data && {
            items: data.events,
            nextCursor: data.nextCursor,
            shown: words.shown(place.page, data.events.length),
          }
        }
        place={place}
        onGo={goTo}
        loading={words.loading}
        isNarrowed={isNarrowed}
        onClear={() => {
          document.getElementById(eventFieldId)?.focus()
          void show({ type: undefined, area: undefined, actor: undefined, user: undefined, organization: undefined })
        }}
        noMatch={words.noMatch}
        none={<Empty {...words.none} />}
      >
        {(events) => (
          <EventTable events={events} busy={query.isPlaceholderData} tellsWhere={search.organization === undefined} />
        )}
      </List>
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
        value={search.type ?? search.area ?? ''}
        onChange={(event) => onChange(choiceOf(event.currentTarget.value))}
        data={[
          { value: '', label: words.accounts },
          { value: 'sales', label: words.sales },
          { value: 'all', label: words.every },
          ...Object.keys(auditRows).map((value) => ({ value, label: eventName(value) })),
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

/** The first choices are areas, the others types. */
function choiceOf(value: string): AuditSearch {
  if (value === 'sales' || value === 'all') return { area: value, type: undefined }
  return { area: undefined, type: value || undefined }
}

type PersonProps = { label: string; id: string | undefined; onChange: (id: string | undefined) => void }

/**
 * The user or organization that filters the list: entered by address or id, then shown by name with a remove button.
 */
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
    <form onSubmit={onSubmit} className={styles.person}>
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
        // The chip disappears with its filter.
        document.getElementById(eventFieldId)?.focus()
        onRemove()
      }}
    />
  )
}

type TableProps = {
  events: readonly AuditEvent[]
  busy: boolean
  /** False if all of them belong to one organization. */
  tellsWhere: boolean
}

const EventTable = ({ events, busy, tellsWhere }: TableProps) => (
  <Table
    label={words.table}
    busy={busy}
    className="events"
    items={events}
    columns={[
      { name: 'when', label: words.columns.when, cell: ({ createdAt }) => <Moment at={createdAt} /> },
      {
        name: 'what',
        label: words.columns.what,
        cell: ({ type }) => <Dot tone={eventTone(type)}>{eventName(type)}</Dot>,
      },
      { name: 'user', label: words.columns.user, cell: (event) => <Subject event={event} /> },
      { name: 'actor', label: words.columns.actor, cell: (event) => <Actor event={event} /> },
      {
        name: 'details',
        label: words.columns.details,
        cell: (event) => (
          <>
            {eventDetails(event.data)}
            {tellsWhere ? <InOrganization event={event} /> : null}
          </>
        ),
      },
    ]}
  />
)
