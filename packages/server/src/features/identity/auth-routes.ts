import type { AuthCallName, authCalls, Call } from '@tollgate/contract/calls'
import type { authSchemas } from '@tollgate/contract/schemas'
import type { Answer } from '@tollgate/contract/types'
import type { SessionRow } from '../../foundation/db/session-row.ts'
import type { Redirect, Route } from '../../foundation/http/route.ts'

/** What auth API routes get besides the input. */
type By<C extends Call> = {
  /** The stored session, for calls whose contract requires one. */
  readonly session: C extends { readonly auth: 'session' }
    ? C extends { readonly serverNamesUser: true }
      ? SessionRow | undefined
      : SessionRow
    : undefined
}

type AuthRoute<Name extends AuthCallName> = Route<
  (typeof authSchemas)[Name],
  By<(typeof authCalls)[Name]>,
  Answer<Name> | Redirect
>

/** The routes of one file of the auth contract: each call that no page answers, exactly once. */
export type AuthRoutes<Calls extends Record<string, Call>> = {
  readonly [Name in keyof Calls & AuthCallName as Calls[Name] extends { readonly page: true }
    ? never
    : Name]: AuthRoute<Name>
}
