import { type AuthCallName, authCalls, type Call, captchaFields, captchaHeader } from '@tollgate/contract/calls'
import { seconds } from '../../foundation/clock.ts'
import type { Config } from '../../foundation/config/config.ts'
import { isGuarded } from '../../foundation/config/guarded-calls.ts'
import type { Context } from '../../foundation/context.ts'
import { TollgateError } from '../../foundation/error.ts'
import type { Caller } from '../../foundation/http/handler.ts'
import { chunksOf } from '../../foundation/proof/proven.ts'
import {
  type CaptchaOptions,
  faultOfTheirs,
  faultsOfOurs,
  type PolicyDirective,
  providers,
  type Verdict,
  verdictSchema,
} from './providers.ts'

/** The longest answer to forward; real ones have up to 4000 characters. */
const responseLimit = 8192
/** The characters of an answer; any other value is refused without a call. */
const responsePattern = /^[\w.~:|+/=-]+$/
const timeout = seconds(10)
/** The longest verdict to read, in bytes. */
const verdictLimit = 64 * 1024
/** The `Retry-After` while the provider is down, in seconds. */
const retryAfter = 10

/**
 * Refuses a guarded call without a valid captcha answer (auth contract, sections 7 and 10). `whenDown` configures what
 * happens while the provider is down.
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
    ctx.log.error({ provider: options.provider, codes }, 'The captcha provider rejects captcha.secretKey')
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

/** The provider's verdict; undefined without a readable one. */
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
      // Do not follow redirects, which would carry the secret elsewhere.
      redirect: 'error',
    })
    if (answer.status >= 500) throw new Error(`answered ${answer.status}`)
    // A refusal may have any other status; its body decides.
    return verdictSchema.parse(JSON.parse(await readText(answer)))
  } catch (error) {
    ctx.log.warn({ err: error, provider: options.provider }, 'Captcha provider unavailable')
    return undefined
  }
}

async function readText(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of answer.body ? chunksOf(answer.body) : []) {
    size += chunk.byteLength
    if (size > verdictLimit) throw new Error(`answered more than ${verdictLimit} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** The widget's answer in a posted form, as a header; empty without a plausible one. */
export function captchaHeaders({ captcha }: Config, values: Readonly<Record<string, string>>): Record<string, string> {
  const response = captcha === false ? undefined : values[captchaFields[captcha.provider]]
  return response !== undefined && responsePattern.test(response) ? { [captchaHeader]: response } : {}
}

/**
 * The widget for pages whose forms make these calls; undefined when none of them is guarded or no widget is
 * configured.
 */
export function captchaWidget(config: Config, names: readonly AuthCallName[]) {
  const { captcha } = config
  if (captcha === false || captcha.siteKey === undefined) return undefined
  const calls = names.filter((name) => isGuarded(config, authCalls[name]))
  return calls.length === 0 ? undefined : { provider: captcha.provider, siteKey: captcha.siteKey, calls }
}

/** What the widget adds to the page's content security policy. */
export const captchaPolicy = (
  provider: CaptchaOptions['provider'],
): Readonly<Partial<Record<PolicyDirective, string>>> => providers[provider].policy
