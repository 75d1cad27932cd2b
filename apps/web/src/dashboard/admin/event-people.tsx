import { Link } from '@tanstack/react-router'
import type { Answer } from '@tollgate/contract/types'
import { audit as auditWords } from './texts.ts'

export type AuditEvent = Answer<'adminListEvents'>['events'][number]

type Person = { readonly id: string; readonly name: string; readonly email: string }

/** The actor: a user, a deleted user, or the server itself. */
export const Actor = ({ event: { actor, actorId } }: { event: AuditEvent }) =>
  actorId === null ? <span>{auditWords.server}</span> : <PersonLink person={actor} id={actorId} />

/** The user that the event is about. */
export const Subject = ({ event: { user, userId } }: { event: AuditEvent }) =>
  userId === null ? null : <PersonLink person={user} id={userId} />

/** The organization of the event, if any; its page knows the name, or that it was deleted. */
export const InOrganization = ({ event: { organizationId } }: { event: AuditEvent }) =>
  organizationId === null ? null : (
    <Link to="/admin/organizations/$organizationId" params={{ organizationId }} className="link">
      {auditWords.inOrganization} <code>{organizationId.slice(0, 8)}…</code>
    </Link>
  )

function PersonLink({ person, id }: { person: Person | null; id: string }) {
  if (person === null)
    return (
      <span>
        {auditWords.gone} <code>{id.slice(0, 8)}…</code>
      </span>
    )
  return (
    <Link to="/admin/users/$userId" params={{ userId: id }} className="link">
      {person.name || person.email}
    </Link>
  )
}
