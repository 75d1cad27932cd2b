import { Link } from '@tanstack/react-router'
import type { Answer } from '@tollgate/contract/types'
import { auditWords } from './audit.texts.ts'

export type AuditEvent = Answer<'adminListEvents'>['events'][number]

type Person = { readonly id: string; readonly name: string; readonly email: string }

/** Who made it happen: somebody, somebody who is gone, or the server itself. */
export const Actor = ({ event: { actor, actorId } }: { event: AuditEvent }) =>
  actorId === null ? <span>{auditWords.server}</span> : <PersonLink person={actor} id={actorId} />

/** Whom it concerns. */
export const Subject = ({ event: { user, userId } }: { event: AuditEvent }) =>
  userId === null ? null : <PersonLink person={user} id={userId} />

/** Where it happened, if in an organization; its page knows the name, or that it is gone. */
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
