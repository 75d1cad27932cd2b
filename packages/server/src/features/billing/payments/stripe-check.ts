import { seconds, systemClock } from '../../../foundation/clock.ts'
import type { Config } from '../../../foundation/config/config.ts'
import { isLoopback } from '../../../foundation/config/config.ts'
import type { StripeSettings } from '../../../foundation/config/stripe.ts'
import { membersOf, messageOf } from '../../../foundation/proof/proven.ts'
import { stripeEventsUrl } from './processor.service.ts'
import { stripeClient } from './stripe-client.ts'
import { stripeEventTypes } from './stripe-events.ts'

/** One finding of `tollgate doctor`. */
export type StripeFinding = { readonly check: string; readonly ok: boolean; readonly detail: string }

/** The largest accepted difference from Stripe's clock: well below the age limit of an event's signature. */
const skewLimit = seconds(60)

/** Asks Stripe whether the keys work, their mode, whether its events reach this server, and the time. */
export async function examineStripe(
  config: Config,
  stripe: StripeSettings,
  fetchFunction: typeof fetch,
): Promise<StripeFinding[]> {
  let date: string | null = null
  const watched: typeof fetch = async (input, init) => {
    const answer = await fetchFunction(input, init)
    date = answer.headers.get('date')
    return answer
  }
  const client = await stripeClient(stripe, watched)()
  try {
    const balance = await client.balance.retrieve()
    const { data: endpoints } = await client.webhookEndpoints.list({ limit: 100 })
    const methods = stripe.takesLink ? await client.paymentMethodConfigurations.list({ limit: 100 }) : undefined
    return [
      checkKeys(config, stripe, balance.livemode),
      checkEvents(config, endpoints),
      ...(methods ? [checkLink(methods.data)] : []),
      ...checkClock(date),
    ]
  } catch (error) {
    return [{ check: 'stripe', ok: false, detail: faultText(stripe, error) }]
  }
}

/** What went wrong, and advice if the connection failed: Stripe's library names neither the address nor the cause. */
function faultText({ apiBase }: StripeSettings, error: unknown): string {
  const said = messageOf(error)
  const { type } = membersOf(error) // the library's; others have none
  const address = apiBase?.origin ?? 'https://api.stripe.com'
  if (type === 'StripeAPIError') return `${address} does not answer like Stripe: ${said}`
  if (type !== 'StripeConnectionError') return said
  const advice = apiBase
    ? 'start the server that STRIPE_API_BASE names, or remove that setting to use Stripe itself'
    : 'check name resolution, and whether a firewall blocks connections to it'
  return `no response from ${address}${reasonOf(error)}: ${advice}`
}

/** Why the connection failed, such as " (ECONNREFUSED)": the code of the deepest cause that has one. */
function reasonOf(error: unknown): string {
  let code = ''
  for (let [at, depth] = [error, 0]; typeof at === 'object' && at !== null && depth < 5; depth += 1) {
    const { code: own, detail, cause } = membersOf(at)
    if (typeof own === 'string') code = ` (${own})`
    at = detail ?? cause
  }
  return code
}

function checkKeys({ mode, baseURL }: Config, { isTest }: StripeSettings, isLive: boolean): StripeFinding {
  const check = 'stripe'
  if (isLive === isTest)
    return { check, ok: false, detail: 'the secret key answers in a different mode than its name says' }
  if (isTest)
    return {
      check,
      ok: true,
      detail: `the keys work, test mode${mode === 'production' ? ': no real money is taken' : ''}`,
    }
  const isPublic = baseURL.protocol === 'https:' && !isLoopback(baseURL.hostname)
  const detail = isPublic
    ? 'the keys work, live mode'
    : `live keys at ${baseURL.origin}: real money needs a public https address`
  return { check, ok: isPublic, detail }
}

type Endpoint = { readonly url: string; readonly status: string; readonly enabled_events: readonly string[] }

function checkEvents(config: Config, endpoints: readonly Endpoint[]): StripeFinding {
  const check = 'events'
  const url = stripeEventsUrl(config)
  // Only this machine reaches a local server; Stripe's command line forwards events there.
  if (isLoopback(config.baseURL.hostname))
    return {
      check,
      ok: true,
      detail: `Stripe cannot reach ${config.baseURL.origin}: stripe listen --forward-to ${url}`,
    }
  const ours = endpoints.filter((endpoint) => endpoint.url === url)
  const enabled = ours.filter(({ status }) => status === 'enabled')
  if (enabled.length === 0)
    return { check, ok: false, detail: `${ours.length > 0 ? 'disabled endpoint' : 'no endpoint'} at Stripe for ${url}` }
  const told = new Set(enabled.flatMap(({ enabled_events: names }) => names))
  const missing = told.has('*') ? [] : stripeEventTypes.filter((type) => !told.has(type))
  return missing.length > 0
    ? { check, ok: false, detail: `${url} does not receive ${missing.join(', ')}` }
    : { check, ok: true, detail: `Stripe sends them to ${url}` }
}

type MethodConfiguration = { readonly is_default: boolean; readonly link?: { readonly available: boolean } }

/** Stripe refuses each payment that names a method which the account does not take. */
function checkLink(configurations: readonly MethodConfiguration[]): StripeFinding {
  const ok = configurations.some(({ is_default: isDefault, link }) => isDefault && link?.available === true)
  return { check: 'link', ok, detail: ok ? 'Stripe takes Link' : 'switch Link on at Stripe, or set STRIPE_LINK=off' }
}

/** By the `Date` of Stripe's response, in whole seconds; empty if a stub sends none. */
function checkClock(date: string | null): StripeFinding[] {
  if (date === null || Number.isNaN(Date.parse(date))) return []
  const skew = Math.abs(Date.parse(date) - systemClock.now().getTime())
  return [{ check: 'time', ok: skew <= skewLimit, detail: `${Math.round(skew / 1000)} s from Stripe's` }]
}
