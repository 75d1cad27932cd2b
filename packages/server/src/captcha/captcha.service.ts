import { type AuthCallName, authCalls, type Call, captchaFields, captchaHeader } from '@tollgate/contract/calls'
import { seconds } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { TollgateError } from '../error.ts'
import type { Caller } from '../http/route.ts'
import { isGuarded } from './guarded.ts'
import {
  type CaptchaOptions,
  faultOfTheirs,
  faultsOfOurs,
  type PolicyDirective,
  providers,
  type Verdict,
  verdictSchema,
} from './providers.ts'

/** Longest answer that is passed on; real ones have up to 4000 characters. */
const responseLimit = 8192
/** Nothing else stands in an answer, so nothing else is worth asking about. */
const responsePattern = /^[\w.~:|+/=-]+$/
const timeout = seconds(10)
/** Longest verdict that is read, in bytes. */
const verdictLimit = 64 * 1024
/** When it is worth trying again while the provider is away, in seconds. */
const retryAfter = 10

/**
 * Refuses a guarded call that comes without the right answer to a captcha (auth contract, sections 7 and 10). What
 * happens while the provider is away is the configuration's choice (`whenDown`).
 */
export async function assertCaptcha(ctx: Context, caller: Caller, call: Call): Promise<void> {
  const options = ctx.config.captcha
  if (options === false || !isGuarded(ctx.config, call)) return
  const response = caller.headers.get(captchaHeader) ?? ''
  if (response === '') throw new TollgateError('CAPTCHA_MISSING')
  if (response.length > responseLimit || !responsePattern.test(response)) throw new TollgateError('CAPTCHA_FAILED')

  const verdict = await askProvider(ctx, options, response, caller.ipAddress)
  const codes = verdict?.['error-codes'] ?? []
  if (codes.some((code) => faultsOfOurs.has(code))) {
    // Not `whenDown`: a mistyped secret must not open the door.
    ctx.log.error({ provider: options.provider, codes }, 'the captcha provider does not accept captcha.secretKey')
    throw new TollgateError('CAPTCHA_UNAVAILABLE', { retryAfter })
  }
  if (!verdict || codes.includes(faultOfTheirs)) {
    if (options.whenDown === 'allow') return
    throw new TollgateError('CAPTCHA_UNAVAILABLE', { retryAfter })
  }
  if (!passes(verdict, options)) throw new TollgateError('CAPTCHA_FAILED')
}

function passes(verdict: Verdict, options: CaptchaOptions): boolean {
  const { hostnames, provider } = options
  if (!verdict.success) return false
  if (hostnames && !hostnames.includes(verdict.hostname ?? '')) return false
  return providers[provider].passes?.(verdict, options) ?? true
}

/** The provider's verdict, or nothing when there was none that can be read. */
async function askProvider(
  ctx: Context,
  options: CaptchaOptions,
  response: string,
  remoteip: string,
): Promise<Verdict | undefined> {
  const { verifyURL, further } = providers[options.provider]
  const body = new URLSearchParams({
    secret: options.secretKey,
    response,
    ...(remoteip && { remoteip }),
    ...further?.(options),
  })
  try {
    const answer = await ctx.fetch(options.verifyURL ?? verifyURL, {
      method: 'POST',
      body,
      signal: AbortSignal.timeout(timeout),
      // The secret goes where it is meant to go, and nowhere else.
      redirect: 'error',
    })
    if (answer.status >= 500) throw new Error(`answered ${answer.status}`)
    // A refusal may have any other status: what counts is what it says.
    return verdictSchema.parse(JSON.parse(await readText(answer)))
  } catch (error) {
    ctx.log.warn({ err: error, provider: options.provider }, 'the captcha provider could not be asked')
    return undefined
  }
}

async function readText(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    if (size > verdictLimit) throw new Error(`answered more than ${verdictLimit} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** The answer that a widget has put into a posted form, as a header; nothing where there is none that could be one. */
export function captchaHeaders({ captcha }: Config, values: Readonly<Record<string, string>>): Record<string, string> {
  const response = captcha === false ? undefined : values[captchaFields[captcha.provider]]
  return response !== undefined && responsePattern.test(response) ? { [captchaHeader]: response } : {}
}

/** The widget for pages whose forms make these calls; nothing where none of them is guarded, or no widget is configured. */
export function captchaWidget(config: Config, names: readonly AuthCallName[]) {
  const { captcha } = config
  if (captcha === false || captcha.siteKey === undefined) return undefined
  const calls = names.filter((name) => isGuarded(config, authCalls[name]))
  return calls.length === 0 ? undefined : { provider: captcha.provider, siteKey: captcha.siteKey, calls }
}

/** What the policy of a page with the provider's widget allows besides. */
export const captchaPolicy = (
  provider: CaptchaOptions['provider'],
): Readonly<Partial<Record<PolicyDirective, string>>> => providers[provider].policy
