import type { ProcessorEvent } from './processor.ts'

/** An event of Stripe's, as far as it is believed: what kind it is, and what it is about. */
export type StripeEvent = { readonly id: string; readonly type: string; readonly about: ProcessorEvent | undefined }

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Reads the body of an event. Undefined where it is none; `about` is undefined where it is about nothing of ours: other kinds
 * (docs.stripe.com/api/events/types), or objects of others who share the account. How anything stands is never taken from it.
 */
export const stripeEventOf = (body: Uint8Array): StripeEvent | undefined => stripeEventIn(parsed(body))

/** The same of an event that was asked for. */
export function stripeEventIn(event: unknown): StripeEvent | undefined {
  const id = textIn(event, 'id')
  const type = textIn(event, 'type')
  if (id === undefined || type === undefined || !/^evt_\w{1,200}$/.test(id) || type.length > 200) return undefined
  const object = memberOf(memberOf(event, 'data'), 'object')
  return { id, type, about: subjectOf(type, object) }
}

function subjectOf(type: string, object: unknown): ProcessorEvent | undefined {
  const named = (name: string): string | undefined => {
    const id = textIn(memberOf(object, 'metadata'), name)
    return id !== undefined && uuid.test(id) ? id : undefined
  }
  if (/^(payment_intent|setup_intent)\./.test(type)) {
    const paymentId = named('payment_id')
    return paymentId === undefined ? undefined : { paymentId }
  }
  if (/^(refund|charge\.refund)\./.test(type)) {
    const refundId = named('refund_id')
    if (refundId !== undefined) return { refundId }
    // Made by somebody at Stripe.
    const refundReference = referenceIn(object)
    return refundReference === undefined ? undefined : { refundReference }
  }
  const disputeReference = type.startsWith('charge.dispute.') ? referenceIn(object) : undefined
  return disputeReference === undefined ? undefined : { disputeReference }
}

/** What Stripe calls an object. */
function referenceIn(object: unknown): string | undefined {
  const id = textIn(object, 'id')
  return id !== undefined && /^\w{1,200}$/.test(id) ? id : undefined
}

/** The kinds of events that change something here: what the endpoint at Stripe has to be told of. */
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
