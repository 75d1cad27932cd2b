import type { SessionRow } from '../db/session-row.ts'
import { TollgateError } from '../error.ts'

/** The organization that a call is about: the one it names, else the active one; refuses where there is neither. */
export function namedOrganization(
  { session }: SessionRow,
  { organizationId }: { readonly organizationId?: string | undefined },
): string {
  const named = organizationId ?? session.activeOrganizationId
  if (!named) throw new TollgateError('NO_ACTIVE_ORGANIZATION')
  return named
}
