import { Link } from '@tanstack/react-router'
import type { Answer } from '@tollgate/contract/types'
import { audit as auditWords } from '../texts.ts'

export type AuditEvent = Answer<'adminListEvents'>['events'][number]

type Person = { readonly id: string; readonly name: string; readonly email: string }

/** The actor: a user, a deleted user, or the server itself. */
export const Actor = ({ event: { actor, actorId } }: { event: AuditEvent }) =>
  actorId === null ? <span>{auditWords.server}</span> : <PersonLink person={actor} id={actorId} />

/** The user that the event is about. */
export const Subject = ({ event: { user, userId } }: { event: AuditEvent }) =>
  userId === null ? null : <PersonLink person={user} id={userId} />

/** The organization of the event, or the seller of a sale: by name while it exists. */
export function InOrganization({ event: { organization, organizationId } }: { event: AuditEvent }) {
  if (organization === null) return organizationId === null ? null : <span>{auditWords.organizationGone}</span>
  return (
    <Link to="/admin/organizations/$organizationId" params={{ organizationId: organization.id }} className="link">
      {organization.name}
    </Link>
  )
}

function PersonLink({ person, id }: { person: Person | null; id: string }) {
  if (person === null) return <span title={id}>{auditWords.gone}</span>
  return (
    <Link to="/admin/users/$userId" params={{ userId: id }} className="link">
      {person.name || person.email}
    </Link>
  )
}
