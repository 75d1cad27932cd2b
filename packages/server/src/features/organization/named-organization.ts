import type { Id } from '../../foundation/db/database.ts'
import type { SessionRow } from '../../foundation/db/session-row.ts'
import { TollgateError } from '../../foundation/error.ts'

/** The organization that a call names, otherwise the active one; refuses if there is neither. */
export function namedOrganization(
  { session }: SessionRow,
  { organizationId }: { readonly organizationId?: Id<'organization'> | undefined },
): string {
  const named = organizationId ?? session.activeOrganizationId
  if (!named) throw new TollgateError('NO_ACTIVE_ORGANIZATION')
  return named
}
