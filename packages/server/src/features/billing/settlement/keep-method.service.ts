import type { Context } from '../../../foundation/context.ts'
import type { Id, Tx } from '../../../foundation/db/database.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import { sha256 } from '../../../foundation/token.ts'
import {
  findKeptMethod,
  insertMethod,
  noteFingerprint,
  type PaymentRow,
  unsetDefaultMethods,
} from '../order/payment.repository.ts'
import { cardKeyOf } from '../posting/trial-guard.service.ts'
import type { Succeeded } from './settlers.ts'

/** What is stored of a method that holds no card. */
const noCard = { brand: '', lastFour: '', expMonth: 0, expYear: 0 }

/**
 * Saves the method of a payment, once per customer; null if the processor kept none. `isDefault` makes it the default
 * for later charges.
 */
export async function keepMethod(
  ctx: Context,
  tx: Tx,
  payment: Pick<PaymentRow, 'organizationId' | 'processor'> & { readonly customerId: Id<'customer'> },
  { method, methodReference, fingerprint }: Succeeded,
  isDefault: boolean,
): Promise<Id<'paymentMethod'> | null> {
  const { organizationId, customerId, processor } = payment
  if (methodReference === undefined || processor === 'manual') return null
  const referenceHash = sha256(`${processor} ${methodReference}`)
  const known = await findKeptMethod(tx, customerId, referenceHash)
  const fingerprintHash = cardKeyOf(fingerprint)
  if (known) {
    // Cards that were saved before fingerprints were kept get theirs with their next use.
    if (known.fingerprintHash === null && fingerprintHash !== null) await noteFingerprint(tx, known.id, fingerprintHash)
    return known.id
  }
  if (isDefault) await unsetDefaultMethods(tx, organizationId, customerId)
  const made = await insertMethod(tx, {
    processorReference: methodReference,
    referenceHash,
    fingerprintHash,
    isDefault,
    id: newUuid(),
    organizationId,
    customerId,
    processor,
    ...noCard,
    ...method,
    createdAt: ctx.clock.now(),
  })
  // A concurrent purchase of this customer saved it first.
  return (made ?? proven(await findKeptMethod(tx, customerId, referenceHash), 'a concurrent purchase saved it')).id
}
