import { createHmac } from 'node:crypto'
import { systemClock } from '../../../foundation/clock.ts'

/**
 * A fake Stripe for tests: the API calls that Tollgate uses, in Stripe's shapes (docs.stripe.com/api). It has Stripe's
 * idempotency: a repeated key returns the first answer, and a different request with it is refused. Tests deliver its
 * events. It moves no money.
 */
export type StripeServer = {
  /** Replaces the network. */
  readonly fetch: typeof fetch
  /** The requests so far, as `POST /v1/refunds`. */
  readonly requests: string[]
  /** Every event so far, oldest first. */
  readonly events: StripeEventObject[]
  readonly intents: ReadonlyMap<string, Thing>
  readonly refunds: ReadonlyMap<string, Thing>
  /** Kept methods, and those of one payment. */
  readonly methods: ReadonlyMap<string, Thing>
  /** A confirmation token for a card, for one payment. */
  token(card?: StripeCard): string
  /** The only intent of a server's payment. */
  intentOf(paymentId: string): Thing
  /** The buyer's answer to 3-D Secure. */
  answerAction(clientSecret: string, outcome: 'succeed' | 'fail'): Thing
  /** Finishes an intent that is processing. */
  finish(intentId: string, outcome: 'succeed' | 'fail'): void
  /** Refunds from Stripe's dashboard. */
  refundThere(intentId: string, amount: number): void
  /** Changes the state of a refund. */
  moveRefund(refundId: string, status: 'succeeded' | 'failed', reason?: string): void
  /** Opens a dispute at the buyer's bank, or moves one to a status. */
  dispute(intentId: string, status: string, disputeId?: string): string
  /** Removes a customer, as from Stripe's dashboard. */
  removeCustomer(customerId: string): void
  /** Changes an object directly. */
  tamper(id: string, changes: Thing): void
  /** Makes matching requests fail, `times` times, or until the returned function is called. */
  fail(request: RegExp, how: Fault, times?: number): () => void
  /** The account's webhook endpoints. */
  readonly endpoints: Thing[]
  /** A body and the header that signs it. */
  signed(event: object, given?: { secret?: string; at?: Date }): { body: string; signature: string }
}

/** 401, 429 and 500 as responses; no response, before any change (`refuse`) or after it (`lose`); or a delayed one. */
export type Fault = 401 | 429 | 500 | 'refuse' | 'lose' | { readonly until: Promise<unknown> }

export type StripeCard =
  | 'success'
  | 'decline'
  | 'funds'
  | 'stolen'
  | 'action'
  | 'processing'
  | 'renewal'
  | 'sepa'
  | 'link'

// biome-ignore lint/suspicious/noExplicitAny: Stripe's objects, of which tests look at everything
type Thing = Record<string, any>
type StripeEventObject = { id: string; type: string; data: { object: Thing }; livemode: boolean }

type Options = {
  readonly secretKey?: string
  readonly webhookSecret?: string
  readonly livemode?: boolean
  /** Whether the account has Link switched on. */
  readonly takesLink?: boolean
}

export const stripeTestKeys = {
  STRIPE_SECRET_KEY: 'sk_test_of_the_stand_in',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_of_the_stand_in',
  STRIPE_WEBHOOK_SECRET: 'whsec_of_the_stand_in',
  // The stand-in has no limit, and tests do not wait for one.
  STRIPE_CALLS_PER_SECOND: '10000',
} as const

/** Thrown inside; becomes a Stripe error response. */
class Refused extends Error {
  readonly status: number
  readonly error: Thing
  constructor(status: number, error: Thing) {
    super(String(error.message ?? error.code))
    this.status = status
    this.error = error
  }
}

const invalid = (code: string, message: string, param?: string) =>
  new Refused(400, { type: 'invalid_request_error', code, message, ...(param && { param }) })
const missing = (id: string, param = 'id') =>
  new Refused(404, { type: 'invalid_request_error', code: 'resource_missing', message: `No such object: ${id}`, param })

const declines: Partial<Record<StripeCard, Thing>> = {
  decline: { code: 'card_declined', decline_code: 'generic_decline', message: 'Your card was declined.' },
  funds: { code: 'card_declined', decline_code: 'insufficient_funds', message: 'Your card has insufficient funds.' },
  stolen: { code: 'card_declined', decline_code: 'stolen_card', message: 'Your card was declined.' },
}
/** The minimum amounts of some currencies; for the lira, the value of 50 cents. */
const leasts: Readonly<Record<string, number>> = { usd: 50, pln: 200, huf: 17_500, mxn: 1000, try: 4000 }

const authenticationFailure = {
  code: 'payment_intent_authentication_failure',
  message: 'The provided payment method has failed authentication.',
}

export function createStripeServer(options: Options = {}): StripeServer {
  const { secretKey = stripeTestKeys.STRIPE_SECRET_KEY, webhookSecret = stripeTestKeys.STRIPE_WEBHOOK_SECRET } = options
  const { livemode = false, takesLink = true } = options
  const kept = { customers: new Map<string, Thing>(), intents: new Map<string, Thing>() }
  const refunds = new Map<string, Thing>()
  const disputes = new Map<string, Thing>()
  const methods = new Map<string, Thing>()
  const usedTokens = new Map<string, string>()
  const answers = new Map<string, { request: string; status: number; body: Thing }>()
  const requests: string[] = []
  const events: StripeEventObject[] = []
  const endpoints: Thing[] = []
  const faults: { request: RegExp; how: Fault; times: number }[] = []
  let count = 0
  const newId = (prefix: string): string => {
    count += 1
    return `${prefix}_test${count}`
  }
  const seconds = (): number => Math.floor(systemClock.now().getTime() / 1000)

  const tell = (type: string, object: Thing): void => {
    events.push({
      id: newId('evt'),
      type,
      livemode,
      ...{
        object: 'event',
        api_version: null,
        created: seconds(),
        pending_webhooks: 1,
        request: { id: null, idempotency_key: null },
      },
      data: { object: structuredClone(object) },
    })
  }

  const cardOf = (token: string): StripeCard | undefined => {
    const name = /^ctoken_([a-z]+)\d+$/.exec(token)?.[1]
    return ['success', 'action', 'processing', 'renewal', 'sepa', 'link', ...Object.keys(declines)].find(
      (each) => each === name,
    ) as StripeCard | undefined
  }

  const newMethod = (card: StripeCard, customer: string | null): Thing => {
    const method = {
      id: newId('pm'),
      object: 'payment_method',
      livemode,
      customer,
      metadata: {},
      ...(card === 'link'
        ? { type: 'link', link: { email: 'buyer@example.com' } }
        : {
            type: 'card',
            card: {
              brand: 'visa',
              last4: card === 'success' ? '4242' : '0002',
              exp_month: 12,
              exp_year: 2049,
              funding: 'credit',
              wallet: null,
            },
          }),
      behaves: card,
    }
    methods.set(method.id, method)
    return method
  }

  const find = (id: string): Thing => kept.intents.get(id) ?? missingOne(id)
  const missingOne = (id: string): never => {
    throw missing(id, 'intent')
  }

  function createIntent(kind: 'payment_intent' | 'setup_intent', given: Thing): Thing {
    if (given.customer !== undefined && !kept.customers.has(given.customer)) throw missing(given.customer, 'customer')
    const types: string[] = Object.values(given.payment_method_types ?? {})
    if (types.includes('link') && !takesLink)
      throw invalid(
        'payment_intent_invalid_parameter',
        'The payment method type "link" is invalid.',
        'payment_method_types',
      )
    const id = newId(kind === 'payment_intent' ? 'pi' : 'seti')
    const isPayment = kind === 'payment_intent'
    if (isPayment && Number(given.amount) < (leasts[given.currency] ?? 1))
      throw invalid('amount_too_small', 'Amount must convert to at least 50 cents.', 'amount')
    if (isPayment && Number(given.amount) > 99_999_999 && given.currency === 'usd')
      throw invalid('amount_too_large', 'Amount must be no more than $999,999.99', 'amount')
    const intent: Thing = {
      id,
      object: kind,
      client_secret: `${id}_secret_test`,
      created: seconds(),
      customer: given.customer ?? null,
      livemode,
      metadata: { ...given.metadata },
      next_action: null,
      payment_method: null,
      payment_method_types: types,
      status: 'requires_payment_method',
      ...(isPayment
        ? {
            amount: Number(given.amount),
            amount_received: 0,
            currency: given.currency,
            last_payment_error: null,
            setup_future_usage: null,
            latest_charge: null,
          }
        : { usage: given.usage ?? 'off_session', last_setup_error: null }),
    }
    kept.intents.set(id, intent)
    tell(`${kind}.created`, intent)
    return intent
  }

  const errorName = ({ object }: Thing) => (object === 'payment_intent' ? 'last_payment_error' : 'last_setup_error')

  function succeed(intent: Thing): void {
    Object.assign(intent, { status: 'succeeded', next_action: null, [errorName(intent)]: null })
    if (intent.object === 'payment_intent') {
      intent.amount_received = intent.amount
      intent.latest_charge = newId('ch')
      tell('charge.succeeded', {
        id: intent.latest_charge,
        object: 'charge',
        payment_intent: intent.id,
        metadata: intent.metadata,
      })
    }
    tell(`${intent.object}.succeeded`, intent)
  }

  function decline(intent: Thing, why: Thing, method: Thing): Thing {
    const error = { type: 'card_error', ...why, payment_method: method }
    Object.assign(intent, {
      status: 'requires_payment_method',
      next_action: null,
      payment_method: null,
      [errorName(intent)]: error,
    })
    tell(intent.object === 'payment_intent' ? 'payment_intent.payment_failed' : 'setup_intent.setup_failed', intent)
    return error
  }

  function confirm(intent: Thing, given: Thing): Thing {
    if (!['requires_payment_method', 'requires_confirmation'].includes(intent.status))
      throw invalid(`${intent.object}_unexpected_state`, `This intent's status is ${intent.status}.`)
    const { confirmation_token: token, payment_method: methodId } = given
    let method: Thing
    if (token === undefined) {
      method = methods.get(methodId) ?? missingMethod(methodId)
      if (method.customer !== intent.customer)
        throw invalid('payment_method_unexpected_state', 'It belongs to another customer.', 'payment_method')
    } else {
      const card = cardOf(token)
      if (!card) throw missing(token, 'confirmation_token')
      if (usedTokens.has(token)) throw invalid('confirmation_token_used', 'It was used.', 'confirmation_token')
      usedTokens.set(token, intent.id)
      const isKept = intent.object === 'setup_intent' || given.setup_future_usage === 'off_session'
      method = newMethod(card, isKept ? intent.customer : null)
    }
    if (!intent.payment_method_types.includes(method.type))
      throw invalid('payment_method_unexpected_type', `This intent does not take ${method.type}.`, 'payment_method')
    if (intent.object === 'payment_intent') intent.setup_future_usage = given.setup_future_usage ?? null
    const isOffSession = given.off_session === 'true'
    const card: StripeCard = method.behaves
    const why =
      declines[card] ??
      (isOffSession && card === 'renewal' ? declines.decline : undefined) ??
      (isOffSession && card === 'action'
        ? { code: 'authentication_required', decline_code: 'authentication_required', message: 'It needs its owner.' }
        : undefined)
    if (why) throw new Refused(402, { ...decline(intent, why, method), [intent.object]: intent })
    intent.payment_method = method.id
    if (card === 'action' && !isOffSession) {
      Object.assign(intent, { status: 'requires_action', next_action: { type: 'use_stripe_sdk', use_stripe_sdk: {} } })
      tell(`${intent.object}.requires_action`, intent)
    } else if (card === 'processing') {
      intent.status = 'processing'
      tell(`${intent.object}.processing`, intent)
    } else succeed(intent)
    return intent
  }
  const missingMethod = (id: string): never => {
    throw missing(id, 'payment_method')
  }

  function cancel(intent: Thing): Thing {
    if (['succeeded', 'canceled', 'processing'].includes(intent.status))
      throw invalid(`${intent.object}_unexpected_state`, `This intent's status is ${intent.status}.`)
    Object.assign(intent, { status: 'canceled', next_action: null, cancellation_reason: null })
    tell(`${intent.object}.canceled`, intent)
    return intent
  }

  function detach(id: string): Thing {
    const method = methods.get(id) ?? missingMethod(id)
    if (method.customer === null)
      throw invalid('payment_method_unexpected_state', 'It is not attached to a customer.', 'payment_method')
    return Object.assign(method, { customer: null })
  }

  function createRefund(given: Thing): Thing {
    const intent = kept.intents.get(given.payment_intent)
    if (!intent) throw missing(given.payment_intent, 'payment_intent')
    const amount = Number(given.amount)
    // An inquiry leaves the money here, and it may be refunded. A dispute takes it away until it is won.
    const isTaken = [...disputes.values()].some(
      (each) => each.payment_intent === intent.id && ['needs_response', 'under_review', 'lost'].includes(each.status),
    )
    if (isTaken) throw invalid('charge_disputed', `Charge ${intent.latest_charge} has been charged back.`)
    const before = [...refunds.values()].filter((each) => each.payment_intent === intent.id && each.status !== 'failed')
    if (before.reduce((sum, each) => sum + each.amount, 0) + amount > intent.amount_received)
      throw invalid('charge_already_refunded', 'The charge has been refunded.')
    const card: StripeCard = methods.get(intent.payment_method)?.behaves ?? 'success'
    const refund = {
      id: newId('re'),
      object: 'refund',
      amount,
      currency: intent.currency,
      charge: intent.latest_charge,
      created: seconds(),
      metadata: { ...given.metadata },
      payment_intent: intent.id,
      reason: given.reason ?? null,
      status: card === 'renewal' ? 'pending' : 'succeeded',
    }
    refunds.set(refund.id, refund)
    tell('refund.created', refund)
    return refund
  }

  /** Handles a request by its path; the result is not expanded yet. */
  function answerTo(method: string, path: string, given: Thing): Thing {
    const [kind = '', id, action] = path.split('/')
    const intentKinds: Record<string, 'payment_intent' | 'setup_intent'> = {
      payment_intents: 'payment_intent',
      setup_intents: 'setup_intent',
    }
    const intentKind = intentKinds[kind]
    if (intentKind && method === 'GET' && id === undefined) {
      if (!kept.customers.has(given.customer)) throw missing(given.customer, 'customer')
      return page(
        [...kept.intents.values()].filter((each) => each.object === intentKind && each.customer === given.customer),
      )
    }
    if (intentKind && id === undefined) return createIntent(intentKind, given)
    if (intentKind && method === 'GET') return find(id!)
    if (intentKind && action === 'confirm') return confirm(find(id!), given)
    if (intentKind && action === 'cancel') return cancel(find(id!))
    if (kind === 'customers' && method === 'POST') {
      const customer = {
        id: newId('cus'),
        object: 'customer',
        livemode,
        email: given.email ?? null,
        name: given.name ?? null,
        metadata: { ...given.metadata },
      }
      kept.customers.set(customer.id, customer)
      return customer
    }
    if (kind === 'confirmation_tokens') return tokenObject(id!)
    if (kind === 'payment_methods' && action === 'detach') return detach(id!)
    if (kind === 'refunds' && method === 'POST') return createRefund(given)
    if (kind === 'refunds' && id === undefined)
      return page([...refunds.values()].filter((each) => each.payment_intent === given.payment_intent))
    if (kind === 'refunds') return refunds.get(id!) ?? missingOne(id!)
    if (kind === 'disputes') return disputes.get(id!) ?? missingOne(id!)
    if (kind === 'events') return eventsPage(given)
    if (kind === 'balance') return { object: 'balance', livemode, available: [], pending: [] }
    if (kind === 'webhook_endpoints') return page(endpoints)
    if (kind === 'payment_method_configurations')
      return page([
        { id: 'pmc_1', object: 'payment_method_configuration', is_default: true, link: { available: takesLink } },
      ])
    throw new Refused(404, {
      type: 'invalid_request_error',
      message: `Unrecognized request URL (${method}: /v1/${path}).`,
    })
  }

  /** The events of a time span and some types, newest first. */
  function eventsPage({ created, types, limit, starting_after: behind }: Thing): Thing {
    const asked = Object.values(types)
    const fitting = (events as Thing[])
      .filter((each) => asked.includes(each.type) && each.created >= created.gte && each.created <= created.lte)
      .toReversed()
    const rest = fitting.slice(behind === undefined ? 0 : fitting.findIndex(({ id }) => id === behind) + 1)
    return { object: 'list', data: rest.slice(0, limit), has_more: rest.length > limit, url: '/v1/events' }
  }

  function tokenObject(id: string): Thing {
    const card = cardOf(id)
    if (!card) throw missing(id, 'confirmation_token')
    const intent = usedTokens.get(id) ?? null
    const type = card === 'sepa' ? 'sepa_debit' : card === 'link' ? 'link' : 'card'
    return {
      id,
      object: 'confirmation_token',
      livemode,
      expires_at: seconds() + 3600,
      payment_intent: intent?.startsWith('pi_') ? intent : null,
      setup_intent: intent?.startsWith('seti_') ? intent : null,
      payment_method_preview: { type, ...(type === 'card' && { card: { brand: 'visa', last4: '4242' } }) },
    }
  }

  const page = (data: Thing[]): Thing => ({ object: 'list', data: data.toReversed(), has_more: false, url: '/v1' })

  /** Replaces ids by objects, as the request's `expand` asks. */
  function expanded(thing: Thing, asked: readonly string[]): Thing {
    if (thing.object === 'list')
      return {
        ...thing,
        data: thing.data.map((each: Thing) =>
          expanded(
            each,
            asked.map((name) => name.replace(/^data\./, '')),
          ),
        ),
      }
    const copy = structuredClone(thing)
    if (asked.includes('payment_method') && typeof copy.payment_method === 'string')
      copy.payment_method = structuredClone(methods.get(copy.payment_method))
    if (asked.includes('payment_intent') && typeof copy.payment_intent === 'string')
      copy.payment_intent = structuredClone(kept.intents.get(copy.payment_intent))
    return copy
  }

  function handle(method: string, url: URL, body: string, headers: Headers): { status: number; body: Thing } {
    if (headers.get('authorization') !== `Bearer ${secretKey}`)
      return { status: 401, body: { error: { type: 'invalid_request_error', message: 'Invalid API Key provided' } } }
    const given = formOf(method === 'GET' ? url.search.slice(1) : body)
    const key = method === 'POST' ? headers.get('idempotency-key') : null
    const request = `${method} ${url.pathname} ${body}`
    const before = key === null ? undefined : answers.get(key)
    if (before && before.request !== request)
      return {
        status: 400,
        body: {
          error: {
            type: 'idempotency_error',
            message: 'Keys for idempotent requests can only be used with the same parameters.',
          },
        },
      }
    if (before) return before
    const made = answered(method, url.pathname.replace(/^\/v1\//, ''), given)
    // A request refused before any change is not stored under its key, as at Stripe.
    if (key !== null && made.status !== 400 && made.status !== 404) answers.set(key, { request, ...made })
    return made
  }

  function answered(method: string, path: string, given: Thing): { status: number; body: Thing } {
    try {
      const asked = Object.values(given.expand ?? {}) as string[]
      return { status: 200, body: expanded(answerTo(method, path, given), asked) }
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      return { status: error.status, body: structuredClone({ error: error.error }) }
    }
  }

  const answer: typeof fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const method = init?.method ?? 'GET'
    const request = `${method} ${url.pathname}`
    const body = typeof init?.body === 'string' ? init.body : ''
    requests.push(request)
    const fault = faults.find((each) => each.times > 0 && each.request.test(request))
    if (fault) fault.times -= 1
    const how = fault?.how
    const headers = new Headers(init?.headers)
    if (how === 'refuse') throw new TypeError('fetch failed')
    if (typeof how === 'object') await how.until
    if (how === 401)
      return json(401, { error: { type: 'invalid_request_error', message: `Invalid API Key provided: ${secretKey}` } })
    if (how === 429)
      return json(429, { error: { type: 'invalid_request_error', code: 'rate_limit', message: 'Too many requests' } })
    if (how === 500)
      return json(
        500,
        { error: { type: 'api_error', message: 'An unknown error occurred' } },
        { 'stripe-should-retry': 'false' },
      )
    const { status, body: answerBody } = handle(method, url, body, headers)
    if (how === 'lose') throw new TypeError('fetch failed')
    return json(status, answerBody)
  }

  return {
    fetch: answer,
    requests,
    events,
    endpoints,
    intents: kept.intents,
    refunds,
    methods,
    token: (card = 'success') => `ctoken_${card}${newId('t').replace(/\D/g, '')}`,
    intentOf: (paymentId) => {
      const [intent, ...others] = [...kept.intents.values()].filter(({ metadata }) => metadata.payment_id === paymentId)
      if (!intent || others.length > 0)
        throw new Error(`payment ${paymentId} has ${intent ? others.length + 1 : 0} intents`)
      return intent
    },
    answerAction: (clientSecret, outcome) => {
      const intent = [...kept.intents.values()].find((each) => each.client_secret === clientSecret)
      if (intent?.status !== 'requires_action') throw new Error(`nothing waits for ${clientSecret}`)
      if (outcome === 'succeed') succeed(intent)
      else decline(intent, authenticationFailure, methods.get(intent.payment_method)!)
      return intent
    },
    finish: (id, outcome) => {
      const intent = find(id)
      if (outcome === 'succeed') succeed(intent)
      else decline(intent, declines.decline!, methods.get(intent.payment_method)!)
    },
    refundThere: (intentId, amount) => {
      createRefund({ payment_intent: intentId, amount, reason: 'requested_by_customer' })
    },
    moveRefund: (id, status, reason) => {
      const refund = refunds.get(id)!
      Object.assign(refund, { status, ...(reason && { failure_reason: reason }) })
      tell('refund.updated', refund)
      if (status === 'failed') tell('refund.failed', refund)
    },
    dispute: (intentId, status, disputeId = newId('du')) => {
      const intent = find(intentId)
      const before = disputes.get(disputeId)
      const dispute = {
        id: disputeId,
        object: 'dispute',
        amount: intent.amount_received,
        currency: intent.currency,
        charge: intent.latest_charge,
        created: seconds(),
        evidence_details: { due_by: seconds() + 604_800, has_evidence: false },
        livemode,
        metadata: {},
        payment_intent: intentId,
        reason: 'fraudulent',
        status,
      }
      disputes.set(disputeId, dispute)
      tell(
        before
          ? ['won', 'lost'].includes(status)
            ? 'charge.dispute.closed'
            : 'charge.dispute.updated'
          : 'charge.dispute.created',
        dispute,
      )
      return disputeId
    },
    removeCustomer: (id) => {
      kept.customers.delete(id)
    },
    tamper: (id, changes) => {
      Object.assign(kept.intents.get(id) ?? refunds.get(id) ?? disputes.get(id) ?? missingOne(id), changes)
    },
    fail: (request, how, times = 1) => {
      const fault = { request, how, times }
      faults.push(fault)
      return () => {
        fault.times = 0
      }
    },
    signed: (event, { secret = webhookSecret, at = systemClock.now() } = {}) => {
      const body = JSON.stringify(event)
      const time = Math.floor(at.getTime() / 1000)
      const mac = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')
      return { body, signature: `t=${time},v1=${mac}` }
    },
  }
}

const json = (status: number, body: Thing, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } })

/** A form with names such as `metadata[payment_id]`, as an object. */
function formOf(text: string): Thing {
  const values: Thing = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const [, outer = name, inner] = /^([^[]+)\[([^\]]*)\]$/.exec(name) ?? []
    if (inner === undefined) values[outer] = value
    else values[outer] = { ...values[outer], [inner]: value }
  }
  return values
}
