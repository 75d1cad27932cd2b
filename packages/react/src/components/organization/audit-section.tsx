import type { Answer } from '@tollgate/contract/types'
import { useState } from 'react'
import { Button, ButtonLink } from '../../elements/button.tsx'
import type { FormState } from '../../form-state.ts'
import { withQuery } from '../../paths.ts'
import { useMessages, useText, useTollgateContext } from '../../provider.tsx'
import { useRoleText } from '../organization-parts.tsx'
import { SectionFrame } from '../section-frame.tsx'
import { DateTime, RelativeTime } from '../time.tsx'
import type { SectionData } from './data.ts'
import { SelectField } from './fields.tsx'
import { sent, useOutcome, usePageOf } from './parts.tsx'
import { type OnQuery, queryForm } from './query-form.ts'

type Event = Answer<'listOrganizationEvents'>['events'][number]
type Props = { data: SectionData<'audit'>; state: FormState | undefined; onQuery: OnQuery | undefined }

/** What has happened, newest first: by kind, page by page, and as a file. */
export function AuditSection({ data, state, onQuery }: Props) {
  const { client } = useTollgateContext()
  const texts = useMessages('organizationAudit')
  const common = useMessages('organization')
  const page = usePageOf(data)('audit')
  const kindOf = useKinds()
  const { alert, report } = useOutcome(state)
  const [events, setEvents] = useState(data.events)
  const [nextCursor, setNextCursor] = useState(data.nextCursor)
  const [loading, setLoading] = useState(false)

  async function loadOlder(cursor: string) {
    if (loading) return
    setLoading(true)
    const call = client.listOrganizationEvents({
      organizationId: data.organization.id,
      cursor,
      ...(data.type && { type: data.type }),
    })
    const result = await sent(call, [], (answer) => {
      setEvents([...events, ...answer.events])
      setNextCursor(answer.nextCursor)
      return {}
    })
    report(result)
    setLoading(false)
  }

  const type = data.type || undefined
  return (
    <SectionFrame title={common.audit} text={texts.text} alert={alert}>
      <div data-tg="panel">
        <div data-tg="filters">
          <form {...queryForm(page, onQuery)} data-tg="filters">
            <SelectField
              id="audit-type"
              name="type"
              label={texts.kind}
              defaultValue={data.type}
              options={[['', texts.everyKind], ...data.types.map((name) => [name, kindOf(name)] as const)]}
            />
            <Button type="submit">{common.show}</Button>
          </form>
          {data.exportURL ? <ButtonLink href={data.exportURL}>{texts.download}</ButtonLink> : null}
        </div>
        {events.length === 0 ? <p data-tg="hint">{texts.none}</p> : null}
        <ul data-tg="rows" aria-label={common.audit}>
          {events.map((event) => (
            <EventRow key={event.id} event={event} now={data.now} exact />
          ))}
        </ul>
        {nextCursor ? (
          <a
            href={withQuery(page, { type, cursor: nextCursor })}
            data-tg="button"
            data-look="secondary"
            aria-disabled={loading || undefined}
            onClick={(press) => {
              if (press.metaKey || press.ctrlKey) return
              press.preventDefault()
              loadOlder(nextCursor)
            }}
          >
            {loading ? texts.loadingOlder : texts.older}
          </a>
        ) : null}
      </div>
    </SectionFrame>
  )
}

/** One event in words: what, about whom or what, by whom, and when. */
export function EventRow({ event, now, exact }: { event: Event; now: string; exact?: boolean }) {
  const common = useMessages('organization')
  const t = useText()
  const kindOf = useKinds()
  const about = useAbout(event)
  const actor = event.actor
    ? event.actor.name || event.actor.email
    : event.actorId
      ? common.someoneGone
      : common.theServer
  return (
    <li data-tg="entry">
      <div>
        <span>
          {about ? `${kindOf(event.type)}: ` : kindOf(event.type)}
          {about ? <strong>{about}</strong> : null}
        </span>
        <p data-tg="hint">
          <span>{t(common.by, { actor })}</span>
          <span>{exact ? <DateTime at={event.createdAt} /> : <RelativeTime at={event.createdAt} now={now} />}</span>
        </p>
      </div>
    </li>
  )
}

/** What a kind of event is called; one that this page has no words for by its own name. */
function useKinds() {
  const { events } = useMessages('organizationAudit')
  const known: Readonly<Record<string, string>> = events
  return (type: string): string => (Object.hasOwn(known, type) ? known[type]! : type)
}

/** Whom or what an event is about: the person, and what the event says of the thing besides. */
function useAbout({ type, user, userId, data }: Event): string {
  const { someoneGone } = useMessages('organization')
  const roleText = useRoleText()
  const said = (key: string): string | undefined => {
    const value = data?.[key]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  // The roles that it is about come with some events of people; roles themselves are named as they are.
  const role = said('role')
  const roles = role && !type.startsWith('role.') ? roleText(role) : role
  const person = user ? user.name || user.email : userId ? someoneGone : undefined
  const parts = [person, said('email'), said('domain'), said('name'), said('teamName'), roles]
  return [...new Set(parts.filter((part) => part !== undefined))].join(' · ')
}
