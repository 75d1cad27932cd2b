import type { Call } from '@tollgate/contract/calls'
import type { Context } from '../../foundation/context.ts'
import type { SessionRow } from '../../foundation/db/session-row.ts'
import { TollgateError } from '../../foundation/error.ts'
import type { Asked } from '../../foundation/http/api.ts'
import { findCurrentSession } from './session.service.ts'

/**
 * Finds the session of a call that requires one. Refuses callers without a session, and impersonated sessions where
 * the call forbids them.
 */
export async function authenticateBySession(
  ctx: Context,
  { call, caller }: Pick<Asked<Call>, 'call' | 'caller'>,
): Promise<{ session: SessionRow | undefined }> {
  const wantsSession = call.auth === 'session'
  const current = wantsSession || call.own ? await findCurrentSession(ctx, caller) : undefined
  // The contract names calls that server code may make without a session; HTTP requests never may.
  if (wantsSession && !current && !(call.serverNamesUser && caller.isServer)) throw new TollgateError('UNAUTHORIZED')
  if (call.own && current?.session.impersonatedBy != null) throw new TollgateError('NOT_ALLOWED_WHILE_IMPERSONATING')
  return { session: wantsSession ? current : undefined }
}
