import type { Answer } from '@tollgate/contract/types'
import { useState } from 'react'
import { Button, ButtonLink } from '../../elements/button.tsx'
import type { FormState } from '../../form-state.ts'
import { outcomeOf } from '../../hooks/use-form.ts'
import { useTollgate } from '../../hooks/use-session.ts'
import { textNamed } from '../../i18n/text-named.ts'
import { withQuery } from '../../paths.ts'
import { useMessages, useText } from '../../provider.tsx'
import { useRoleText } from '../organization-parts.tsx'
import { SectionFrame } from '../section-frame.tsx'
import { DateTime, RelativeTime } from '../time.tsx'
import type { SectionData } from './data.ts'
import { SelectField } from './fields.tsx'
import { useOutcome, usePageOf } from './parts.tsx'
import { type OnQuery, queryForm } from './query-form.ts'

type Event = Answer<'listOrganizationEvents'>['events'][number]
type Props = { data: SectionData<'audit'>; state: FormState | undefined; onQuery: OnQuery | undefined }

/** The audit log, newest first: filtered by type, in pages, and as a file. */
export function AuditSection({ data, state, onQuery }: Props) {
  const client = useTollgate()
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
    const result = await outcomeOf(call, [], (answer) => {
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

/** An event in words: the action, its object, the actor, and the time. */
export function EventRow({ event, now, exact }: { event: Event; now: string; exact?: boolean }) {
  const common = useMessages('organization')
  const t = useText()
  const kindOf = useKinds()
  const about = useAbout(event)
  const actor = useActor(event)
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

/** The actor. For non-members the text says only that, or that they administer the site. */
function useActor({ actor, actorId, byAdministrator }: Event): string {
  const { theServer, outsider, siteAdministration } = useMessages('organization')
  if (actor) return actor.name || actor.email
  if (actorId === null) return theServer
  return byAdministrator ? siteAdministration : outsider
}

/** The name of an event type; an unknown type shows as it is. */
function useKinds() {
  const { events } = useMessages('organizationAudit')
  return (type: string): string => textNamed(events, type) ?? type
}

/** The object of an event: the person, and the event's own details. */
function useAbout({ type, user, userId, data }: Event): string {
  const { outsider } = useMessages('organization')
  const roleText = useRoleText()
  const settingNames = useSettingNames()
  const said = (key: string): string | undefined => {
    const value = data?.[key]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const person = user ? user.name || user.email : userId ? outsider : undefined
  const rest = () => {
    switch (type) {
      case 'member.role_changed':
        return [changed(roleText(said('before') ?? ''), roleText(said('after') ?? ''))]
      case 'team.updated':
        return [changed(said('before'), said('name'))]
      case 'role.updated':
        return [changed(said('roleBefore'), said('role'))]
      case 'organization.updated':
        return [settingNames(said('fields') ?? '')]
      case 'role.created':
      case 'role.deleted':
        return [said('role')]
      default:
        return [said('email'), said('domain'), said('name'), roleText(said('role') ?? '')]
    }
  }
  return [...new Set([person, ...rest()].filter((part) => part))].join(' · ')
}

/** "Design → Design crew", or one name if it did not change. */
const changed = (before: string | undefined, after: string | undefined): string | undefined =>
  before && after && before !== after ? `${before} → ${after}` : (after ?? before)

/** The names of an organization's settings, from a comma-separated text. */
function useSettingNames() {
  const { name } = useMessages('organization')
  const { slug, logo, metadata, policy } = useMessages('organizationSettings')
  const names: Readonly<Record<string, string>> = { name, slug, logo, metadata, requireVerifiedEmail: policy }
  return (fields: string): string =>
    fields
      .split(',')
      .flatMap((field) => (Object.hasOwn(names, field) ? [names[field]] : []))
      .join(', ')
}
