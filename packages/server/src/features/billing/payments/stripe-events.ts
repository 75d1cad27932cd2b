import type { Id } from '../../../foundation/db/database.ts'
import type { ProcessorEvent } from './processor.ts'
import { fromStripe } from './stripe-answers.ts'

/** The trusted parts of a Stripe event: its type and its object. */
export type StripeEvent = {
  readonly id: string
  readonly type: string
  readonly about: ProcessorEvent | undefined
  /** The object by Stripe's own id, for when this server's id is unknown here. */
  readonly otherwise?: ProcessorEvent | undefined
  /** Set for a payment by an intent with this server's ids. */
  readonly paid?: PaidIntent | undefined
}

export type PaidIntent = {
  readonly intent: string
  readonly paymentId: Id<'payment'>
  readonly organizationId: Id<'organization'>
  /** What Stripe has taken, in minor units. */
  readonly amount: number
  readonly currency: string
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** An organization's id; the same format as account ids. */
const accountId = /^[A-Za-z0-9]{1,64}$/

/**
 * Reads the body of an event; undefined if it is not one. `about` is undefined for other types
 * (docs.stripe.com/api/events/types), and for objects of other systems on the account. No state of a known object is
 * taken from it; only of a payment that is unknown here, what Stripe has taken.
 */
export const stripeEventOf = (body: Uint8Array): StripeEvent | undefined => stripeEventIn(parsed(body))

/** The same for an event read from Stripe's API. */
export function stripeEventIn(event: unknown): StripeEvent | undefined {
  const id = textIn(event, 'id')
  const type = textIn(event, 'type')
  if (id === undefined || type === undefined || !/^evt_\w{1,200}$/.test(id) || type.length > 200) return undefined
  const object = memberOf(memberOf(event, 'data'), 'object')
  return { id, type, ...subjectOf(type, object) }
}

function subjectOf(type: string, object: unknown): Pick<StripeEvent, 'about' | 'otherwise' | 'paid'> {
  const named = (name: string, shape = uuid): string | undefined => {
    const id = textIn(memberOf(object, 'metadata'), name)
    return id !== undefined && shape.test(id) ? id : undefined
  }
  const reference = referenceIn(object)
  if (/^(payment_intent|setup_intent)\./.test(type)) {
    const paymentId = named('payment_id')
    if (paymentId === undefined) return { about: undefined }
    const organizationId = named('organization_id', accountId)
    const paid = type === 'payment_intent.succeeded' && takenBy(object)
    if (!paid || organizationId === undefined || reference === undefined) return { about: { paymentId } }
    return { about: { paymentId }, paid: { intent: reference, paymentId, organizationId, ...paid } }
  }
  if (/^(refund|charge\.refund)\./.test(type)) {
    const refundId = named('refund_id')
    const there = reference === undefined ? undefined : { refundReference: reference }
    // Without this server's id, the object was made at Stripe.
    return refundId === undefined ? { about: there } : { about: { refundId }, otherwise: there }
  }
  const isDispute = type.startsWith('charge.dispute.') && reference !== undefined
  return { about: isDispute ? { disputeReference: reference } : undefined }
}

/** What an intent has taken. */
function takenBy(intent: unknown): Pick<PaidIntent, 'amount' | 'currency'> | undefined {
  const amount = memberOf(intent, 'amount_received')
  const currency = textIn(intent, 'currency')
  if (typeof amount !== 'number' || !Number.isSafeInteger(amount)) return undefined
  if (currency === undefined || !/^[a-z]{3}$/i.test(currency)) return undefined
  return { amount: Math.round(fromStripe(amount, currency)), currency }
}

/** The Stripe id of an object. */
function referenceIn(object: unknown): string | undefined {
  const id = textIn(object, 'id')
  return id !== undefined && /^\w{1,200}$/.test(id) ? id : undefined
}

/** The event types that this server handles: the endpoint at Stripe must subscribe to them. */
export const stripeEventTypes = [
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.processing',
  'payment_intent.canceled',
  'setup_intent.succeeded',
  'setup_intent.setup_failed',
  'setup_intent.canceled',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
] as const

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'))
  } catch {
    return undefined
  }
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined

function textIn(value: unknown, name: string): string | undefined {
  const member = memberOf(value, name)
  return typeof member === 'string' ? member : undefined
}
