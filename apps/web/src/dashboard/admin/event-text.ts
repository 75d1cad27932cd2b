import { momentText } from '../parts/time.tsx'

/** What the audit log knows, in words. The keys are the server's event types. */
export const eventNames = {
  'user.created': 'Account created',
  'user.updated': 'Profile changed',
  'user.deleted': 'Account deleted',
  'user.email_verified': 'Email verified',
  'user.email_changed': 'Email changed',
  'user.password_changed': 'Password changed',
  'user.password_reset': 'Password reset',
  'user.password_set': 'Password set by an administrator',
  'user.role_changed': 'Role changed',
  'user.banned': 'Banned',
  'user.unbanned': 'Ban lifted',
  'session.created': 'Signed in',
  'session.revoked': 'Session ended',
  'account.linked': 'Provider linked',
  'account.unlinked': 'Provider unlinked',
  'impersonation.started': 'Impersonation started',
  'impersonation.stopped': 'Impersonation ended',
  'job.retried': 'Dead job tried again',
  'job.removed': 'Dead job removed',
  'organization.created': 'Organization created',
  'organization.updated': 'Organization changed',
  'organization.deleted': 'Organization deleted',
  'organization.transferred': 'Organization handed over',
  'organization.approved': 'Organization allowed to sell',
  'organization.selling_stopped': 'Organization no longer allowed to sell',
  'access_token.created': 'Access token created',
  'access_token.updated': 'Access token changed',
  'access_token.deleted': 'Access token deleted',
  'webhook_endpoint.created': 'Webhook created',
  'webhook_endpoint.updated': 'Webhook changed',
  'webhook_endpoint.secret_rotated': 'New secret for a webhook',
  'webhook_endpoint.enabled': 'Webhook switched on',
  'webhook_endpoint.disabled': 'Webhook switched off',
  'webhook_endpoint.deleted': 'Webhook deleted',
  'member.added': 'Joined an organization',
  'member.removed': 'Left an organization',
  'member.role_changed': 'Role in an organization changed',
  'role.created': 'Role of an organization created',
  'role.updated': 'Role of an organization changed',
  'role.deleted': 'Role of an organization deleted',
  'invitation.created': 'Invitation sent',
  'invitation.renewed': 'Invitation sent again',
  'invitation.accepted': 'Invitation accepted',
  'invitation.rejected': 'Invitation declined',
  'invitation.canceled': 'Invitation withdrawn',
  'invitation_link.created': 'Invitation link created',
  'invitation_link.revoked': 'Invitation link revoked',
  'join_request.created': 'Asked to join',
  'join_request.approved': 'Request to join approved',
  'join_request.denied': 'Request to join denied',
  'team.created': 'Team created',
  'team.updated': 'Team changed',
  'team.removed': 'Team removed',
  'team_member.added': 'Added to a team',
  'team_member.removed': 'Removed from a team',
  'domain.added': 'Domain added',
  'domain.verified': 'Domain verified',
  'domain.updated': 'Domain changed',
  'domain.removed': 'Domain removed',
} as const satisfies Readonly<Record<string, string>>

/** How an event is called; one that is newer than this page by its type. */
export const eventName = (type: string): string =>
  Object.hasOwn(eventNames, type) ? eventNames[type as keyof typeof eventNames] : type // looked up just now

/** Colour of the mark beside an event: what takes something away from somebody stands out. */
export function eventTone(type: string): 'danger' | 'warn' | 'plain' {
  if (taking.has(type)) return 'danger'
  return type.startsWith('impersonation.') || changingPower.has(type) ? 'warn' : 'plain'
}

const taking: ReadonlySet<string> = new Set(['user.banned', 'user.deleted', 'organization.deleted'])
const changingPower: ReadonlySet<string> = new Set([
  'user.role_changed',
  'user.password_set',
  'organization.transferred',
  'organization.approved',
  'organization.selling_stopped',
  'member.removed',
  'member.role_changed',
])

/** What an event says besides, as "key: value" pairs; members without a value say nothing. */
export function eventDetails(data: Readonly<Record<string, unknown>> | null): string {
  return Object.entries(data ?? {})
    .filter(([, value]) => value !== null && value !== '')
    .map(([key, value]) => `${wordsOf(key)}: ${valueText(value)}`)
    .join(' · ')
}

/** `fromEmail` → `from email`. */
const wordsOf = (key: string): string => key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

const isTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/
const isId = /^[A-Za-z0-9]{24,}$/

/** Times as people read them; of ids as much as tells two apart. */
function valueText(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value)
  if (isTime.test(value)) return momentText(value)
  return isId.test(value) ? `${value.slice(0, 8)}…` : value
}
