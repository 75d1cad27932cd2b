import type { AuthCallName, authCalls, Call } from '@tollgate/contract/calls'
import type { Answer, ParsedBody, ParsedParams, ParsedQuery } from '@tollgate/contract/types'
import type { Context } from '../context.ts'
import type { SessionRow } from '../db/session-row.ts'
import { TollgateError } from '../error.ts'
import type { Caller } from './caller.ts'

export type { Caller }

/** An answer that sends the browser elsewhere. */
export class Redirect {
  readonly location: string
  readonly status: 302 | 303
  /** 303 turns a POST into a GET; 302 is what the ecosystem's clients know for everything else. */
  constructor(location: string, status: 302 | 303 = 302) {
    this.location = location
    this.status = status
  }
}

/** What a route gets: everything about the call has been checked by then. */
export type RouteInput<Name extends AuthCallName> = {
  readonly ctx: Context
  readonly caller: Caller
  readonly body: ParsedBody<Name>
  readonly query: ParsedQuery<Name>
  readonly params: ParsedParams<Name>
  /** The stored session; there for calls that want one, and not for the others. */
  readonly session: SessionOf<(typeof authCalls)[Name]>
}

type SessionOf<C extends Call> = C extends { readonly auth: 'session' }
  ? C extends { readonly serverNamesUser: true }
    ? SessionRow | undefined
    : SessionRow
  : undefined

/** One line that hands a checked call to its service. */
export type Route<Name extends AuthCallName> = (
  input: RouteInput<Name>,
) => Answer<Name> | Redirect | Promise<Answer<Name> | Redirect>

/** The routes of one file of the contract: every call of it, each exactly once. */
export type Routes<Calls extends Record<string, Call>> = { readonly [Name in keyof Calls & AuthCallName]: Route<Name> }

/** A redirect target with one more query parameter, before its fragment; a relative target stays relative. */
export function withQuery(target: string, name: string, value: string): string {
  const [, address = '', fragment = ''] = /^([^#]*)(.*)$/s.exec(target) ?? []
  return `${address}${address.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}${fragment}`
}

/**
 * For links that people follow: with a callbackURL the browser is sent there, on refusal with `?error=` and the refusal's
 * text, which for these calls is a code (specification, section 8); the sentence for the banned has one, too (auth
 * contract, section 4). Without a callbackURL the call answers as any other.
 */
export async function redirecting<T>(callbackURL: string | undefined, work: () => Promise<T>): Promise<T | Redirect> {
  if (!callbackURL) return work()
  try {
    await work()
    return new Redirect(callbackURL)
  } catch (error) {
    if (!(error instanceof TollgateError) || error.row.status >= 500) throw error
    return new Redirect(withQuery(callbackURL, 'error', error.error === 'BANNED_USER' ? 'banned' : error.message))
  }
}
