import type { BillingCallName } from '@tollgate/contract/billing'
import { billingSchemas } from '@tollgate/contract/billing-schemas'
import type { BillingAnswer } from '@tollgate/contract/billing-types'
import { type BillingEventType, billingEvents, billingObjects } from '@tollgate/contract/events'
import { after, days } from '../../foundation/clock.ts'
import type { Context } from '../../foundation/context.ts'
import type { Id, Tx } from '../../foundation/db/database.ts'
import { toWire } from '../../foundation/http/wire-shape.ts'
import { note } from '../../foundation/outbox.ts'

/** The event's organization, and the user who caused it; null for a token, a buyer or the server. */
export type EventScope = { readonly organizationId: Id<'organization'>; readonly actorId: Id<'user'> | null }

type ObjectOf<Type extends BillingEventType> = (typeof billingObjects)[(typeof billingEvents)[Type]['object']]

/** The payload of an event type: the response of the call that its object names. */
export type EventPayload<Type extends BillingEventType> =
  ObjectOf<Type> extends { readonly shape: infer Name extends BillingCallName }
    ? Extract<BillingAnswer<Name>, object>
    : object

/**
 * Records a billing event with its object as it is now, in the transaction of the change. Events of one transaction
 * keep their order. Secrets that only a response may hold (a client secret) are left out.
 */
export async function emitBilling<Type extends BillingEventType>(
  tx: Tx,
  now: Date,
  { organizationId, actorId }: EventScope,
  type: Type,
  subject: EventPayload<Type>,
): Promise<void> {
  const object = billingObjects[billingEvents[type].object]
  const isCustomer = object.kind === 'customers'
  note(tx, now, {
    type,
    actorId,
    merchantId: organizationId,
    subjectId: textOf(subject, 'id'),
    customerId: textOf(subject, isCustomer ? 'id' : 'customerId'),
    payload: bodyOf(subject, object),
  })
}

/** The bodies of objects, which the events of one change share. */
const bodies = new WeakMap<object, string>()

function bodyOf(subject: object, object: (typeof billingObjects)[keyof typeof billingObjects]): string {
  const known = bodies.get(subject)
  if (known !== undefined) return known
  const body = JSON.stringify(toWire(subject, 'shape' in object ? billingSchemas[object.shape].output : undefined))
  bodies.set(subject, body)
  return body
}

const textOf = (subject: object, key: string): string | null => {
  const value: unknown = Reflect.get(subject, key)
  return typeof value === 'string' ? value : null
}

/** The time before which events of sales, and the deliveries of events, are deleted (`billing.events.retention`). */
export function forgottenBefore({ config: { billing } }: Pick<Context, 'config'>, now: Date): Date {
  if (billing === false) throw new Error('billing is off, but a billing function was called')
  return after(now, -days(Number.parseInt(billing.events.retention, 10)))
}
