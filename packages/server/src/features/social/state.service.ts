import { after, minutes } from '../../foundation/clock.ts'
import type { Config } from '../../foundation/config/config.ts'
import type { Context } from '../../foundation/context.ts'
import { type Id, isDatabaseUnavailable } from '../../foundation/db/database.ts'
import { TollgateError } from '../../foundation/error.ts'
import type { Caller } from '../../foundation/http/handler.ts'
import { newCodeVerifier, newId } from '../../foundation/ids.ts'
import { sha256 } from '../../foundation/token.ts'
import { consumeState, findState, insertState } from './state.repository.ts'

/**
 * What the server remembers of a sign-in while the browser is at the provider (specification, section 4; auth
 * contract, section 4).
 */
export type FlowState = {
  readonly providerId: string
  readonly codeVerifier: string
  readonly nonce: string
  readonly callbackURL: string
  readonly errorURL?: string | undefined
  readonly newUserURL?: string | undefined
  readonly requestSignUp: boolean
  /** Set when the account will be linked to a signed-in user. */
  readonly link?: { readonly userId: Id<'user'> } | undefined
  /** Hash of the mark of the browser that began the flow. */
  readonly browser: string
}

/** Ten minutes (specification, section 9). */
const stateLife = minutes(10)

/** Signed and random: it marks a browser, so that no other browser can finish its flow (security, §0). */
const browserCookie = (config: Config): string =>
  `${config.secureCookies ? '__Secure-' : ''}${config.advanced.cookiePrefix}.state`

export type NewFlow = Omit<FlowState, 'codeVerifier' | 'nonce' | 'browser'>

/** Begins a flow: the state for the address, and the cookie that binds it to this browser. */
export async function beginFlow(ctx: Context, caller: Caller, flow: NewFlow): Promise<FlowState & { state: string }> {
  const cookie = browserCookie(ctx.config)
  // One mark serves all tabs: a second sign-in does not end the first.
  const mark = caller.cookies.getSigned(cookie) ?? newId()
  caller.cookies.setSigned(cookie, mark, stateLife / 1000)

  const state = newId()
  const stored: FlowState = { ...flow, codeVerifier: newCodeVerifier(), nonce: newId(), browser: sha256(mark) }
  const now = ctx.clock.now()
  const content = ctx.secrets.seal(JSON.stringify(stored), 'oauth-state')
  try {
    await ctx.transaction((tx) =>
      insertState(tx, { state, userId: flow.link?.userId ?? '', content, expiresAt: after(now, stateLife), now }),
    )
  } catch (cause) {
    if (isDatabaseUnavailable(cause)) throw cause
    throw new TollgateError('UNABLE_TO_CREATE_VERIFICATION', { cause })
  }
  return { ...stored, state }
}

/** Ends a flow, once. Undefined for unknown, used and expired states, and for those of another browser or provider. */
export async function endFlow(
  ctx: Context,
  caller: Caller,
  state: string,
  providerId: string,
): Promise<FlowState | undefined> {
  const now = ctx.clock.now()
  const mark = caller.cookies.getSigned(browserCookie(ctx.config))
  const isOurs = (content: string | undefined): FlowState | undefined => {
    const flow = content === undefined ? undefined : openFlow(ctx, content)
    return flow && mark !== null && flow.browser === sha256(mark) && flow.providerId === providerId ? flow : undefined
  }
  // Check first: a visitor who knows the state but did not begin it must not be able to end it.
  if (!isOurs(await findState(ctx.db, state, now))) return undefined
  return isOurs(await ctx.transaction((tx) => consumeState(tx, state, now)))
}

function openFlow(ctx: Context, content: string): FlowState | undefined {
  try {
    return JSON.parse(ctx.secrets.open(content, 'oauth-state')) // Sealed by beginFlow.
  } catch {
    return undefined // Sealed with a removed secret.
  }
}
