import { expect, test } from 'vitest'
import { systemClock } from '../../../foundation/clock.ts'
import { resolveConfig } from '../../../foundation/config/config.ts'
import { createStripeServer, type StripeServer, stripeTestKeys } from '../testing/stripe-server.ts'
import { examineStripe } from './stripe-check.ts'
import { stripeEventTypes } from './stripe-events.ts'

const liveKeys = {
  STRIPE_SECRET_KEY: 'sk_live_of_the_stand_in',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_of_the_stand_in',
  STRIPE_WEBHOOK_SECRET: 'whsec_of_the_stand_in',
}
const origin = 'https://pay.example.com'
const url = `${origin}/v1/stripe/events`
const endpoint = { url, status: 'enabled', enabled_events: [...stripeEventTypes] }

/** The check's findings for a server URL, with or without an endpoint at Stripe. */
async function found(
  { noLink = '', ...given }: Record<string, string>,
  endpoints: object[] = [endpoint],
  at: Partial<StripeServer> = {},
) {
  const secret = { TOLLGATE_MODE: 'production', SECRET: 'a secret of tests that is long enough to be one' }
  const config = resolveConfig({}, { ...secret, BASE_URL: origin, ...stripeTestKeys, ...given })
  const { secretKey } = config.stripe!
  const stripe = createStripeServer({ secretKey, livemode: secretKey.startsWith('sk_live_'), takesLink: !noLink })
  stripe.endpoints.push(...endpoints)
  const findings = await examineStripe(config, config.stripe!, at.fetch ?? stripe.fetch)
  return findings.map(({ check, ok, detail }) => `${ok ? 'well' : 'wrong'} ${check}: ${detail}`)
}

test('everything in order is reported as such', async () => {
  expect(await found(liveKeys)).toEqual([
    'well stripe: the keys work, live mode',
    `well events: Stripe sends them to ${url}`,
  ])
  expect(await found({}, [{ ...endpoint, enabled_events: ['*'] }])).toEqual([
    'well stripe: the keys work, test mode: no real money is taken',
    `well events: Stripe sends them to ${url}`,
  ])
  expect(await found({ TOLLGATE_MODE: 'development', BASE_URL: 'http://localhost:3000' }, [])).toEqual([
    'well stripe: the keys work, test mode',
    'well events: Stripe cannot reach http://localhost:3000: stripe listen --forward-to http://localhost:3000/v1/stripe/events',
  ])
})

test.each([
  ['no endpoint', [], `wrong events: no endpoint at Stripe for ${url}`],
  ['one of another address', [{ ...endpoint, url: `${url}/` }], `wrong events: no endpoint at Stripe for ${url}`],
  ['one that is off', [{ ...endpoint, status: 'disabled' }], `wrong events: disabled endpoint at Stripe for ${url}`],
  [
    'one that hears too little',
    [{ ...endpoint, enabled_events: stripeEventTypes.filter((type) => !type.startsWith('refund.u')) }],
    `wrong events: ${url} does not receive refund.updated`,
  ],
])('events that do not come are seen: %s', async (_, endpoints, expected) => {
  expect(await found({}, endpoints)).toContain(expected)
})

test('where buyers may pay with Link, the account must take it', async () => {
  expect(await found({ STRIPE_LINK: 'on' })).toContain('well link: Stripe takes Link')
  expect(await found({ STRIPE_LINK: 'on', noLink: 'yes' })).toContain(
    'wrong link: switch Link on at Stripe, or set STRIPE_LINK=off',
  )
  expect((await found({ noLink: 'yes' })).join()).not.toContain('link:')
})

test('live keys want a public address', async () => {
  expect(await found({ ...liveKeys, TOLLGATE_MODE: 'development', BASE_URL: 'http://localhost:3000' })).toContain(
    'wrong stripe: live keys at http://localhost:3000: real money needs a public https address',
  )
})

test('the check detects keys that Stripe refuses and a Stripe that does not answer; it prints no key', async () => {
  const other = createStripeServer({ secretKey: 'sk_test_other' })
  expect(await found({}, [], { fetch: other.fetch })).toEqual(['wrong stripe: Invalid API Key provided'])

  other.fail(/./, 'refuse', 2)
  const [finding] = await found({}, [], { fetch: other.fetch })
  expect(finding).toMatch(/^wrong stripe: /)
  expect(finding).not.toContain(stripeTestKeys.STRIPE_SECRET_KEY)
})

const refused: typeof fetch = () =>
  Promise.reject(
    new TypeError('fetch failed', { cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }) }),
  )

// The library retries once, half a second later.
test.concurrent.each([
  [
    {},
    refused,
    'no response from https://api.stripe.com (ECONNREFUSED): check name resolution, and whether a firewall blocks connections to it',
  ],
  [
    { STRIPE_API_BASE: 'http://127.0.0.1:12111' },
    refused,
    'no response from http://127.0.0.1:12111 (ECONNREFUSED): start the server that STRIPE_API_BASE names, or remove that setting to use Stripe itself',
  ],
  [
    { STRIPE_API_BASE: 'http://127.0.0.1:12111' },
    async () => new Response('<html>', { status: 200 }),
    'http://127.0.0.1:12111 does not answer like Stripe: Invalid JSON received from the Stripe API',
  ],
])('of a Stripe that is unreachable at %j names the address and the remedy', async (given, at, detail) => {
  expect(await found(given, [], { fetch: at })).toEqual([`wrong stripe: ${detail}`])
})

test('a clock that is wrong is seen', async () => {
  const stripe = createStripeServer()
  const at =
    (date: string): typeof fetch =>
    async (input, init) => {
      const answer = await stripe.fetch(input, init)
      answer.headers.set('date', date)
      return answer
    }
  const [, , late] = await found({}, [], { fetch: at('Mon, 02 Mar 2020 12:00:00 GMT') })
  expect(late).toMatch(/^wrong time: \d+ s from Stripe's$/)
  const [, , right] = await found({}, [], { fetch: at(systemClock.now().toUTCString()) })
  expect(right).toMatch(/^well time: /)
})
