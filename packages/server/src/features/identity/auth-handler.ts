import type { AuthCallName, authCalls, Call } from '@tollgate/contract/calls'
import type { authSchemas } from '@tollgate/contract/schemas'
import type { Answer } from '@tollgate/contract/types'
import type { SessionRow } from '../../foundation/db/session-row.ts'
import type { Handler, Redirect } from '../../foundation/http/handler.ts'

/** The stored session, for calls whose contract requires one, and the sent file of those that take one. */
type By<C extends Call> = (C extends { readonly auth: 'session' }
  ? { readonly session: C extends { readonly serverNamesUser: true } ? SessionRow | undefined : SessionRow }
  : unknown) &
  (C extends { readonly takesFile: true } ? { readonly file: ReadableStream<Uint8Array> | null } : unknown)

/** The service of a call of the auth API. `Other`: what it may answer besides the contract's answer. */
export type AuthHandler<Name extends AuthCallName, Other = never> = Handler<
  (typeof authSchemas)[Name],
  By<(typeof authCalls)[Name]>,
  Answer<Name> | Other
>

/** The calls that a service answers: all but those that a page answers. */
export type HandledCall = {
  [Name in AuthCallName]: (typeof authCalls)[Name] extends { readonly page: true } ? never : Name
}[AuthCallName]

/** A handler for each of these calls. */
export type AuthHandlers = { readonly [Name in HandledCall]: AuthHandler<Name, Redirect> }
