import type { Context } from '../../../foundation/context.ts'
import type { Id, Tx } from '../../../foundation/db/database.ts'
import { TollgateError } from '../../../foundation/error.ts'
import { lockCustomer } from '../customer/customer.repository.ts'
import { tellCustomer } from '../customer/customer.service.ts'
import { forgetAtProcessors } from '../customer/forget-method.service.ts'
import {
  findPaymentMethod,
  listPaymentMethods,
  type PaymentMethodRow,
  removePaymentMethod,
} from '../customer/payment-method.repository.ts'
import { toPaymentMethod } from '../customer/payment-method.service.ts'
import { isCharged } from '../order/payment.repository.ts'
import { needsMethod } from '../order/subscription.repository.ts'
import type { BillingHandler } from '../seller/billing-handler.ts'
import { makeDefault } from '../settlement/default-method.service.ts'

/** A method, as its customer or the seller names it. */
type Named = {
  readonly organizationId: Id<'organization'>
  readonly customerId: Id<'customer'>
  readonly id: Id<'paymentMethod'>
}

/** Removes a customer's own method. */
export const deletePortalPaymentMethod: BillingHandler<'deletePortalPaymentMethod'> = ({ ctx, customer, params }) =>
  ctx.transaction((tx) =>
    remove(ctx, tx, { organizationId: customer.organizationId, customerId: customer.id, id: params.id }, null),
  )

/** Removes a customer's method for the seller. */
export const deleteCustomerPaymentMethod: BillingHandler<'deleteCustomerPaymentMethod'> = ({ ctx, seller, params }) =>
  ctx.transaction((tx) => remove(ctx, tx, namedBySeller(seller, params), seller.actorId))

/** Makes a method the customer's default for the seller. */
export const makeDefaultCustomerPaymentMethod: BillingHandler<'makeDefaultCustomerPaymentMethod'> = ({
  ctx,
  seller,
  params,
}) =>
  ctx.transaction(async (tx) => {
    const named = namedBySeller(seller, params)
    const method = await requireMethod(tx, named)
    await makeDefault(ctx, tx, method, seller.actorId)
    return toPaymentMethod((await findPaymentMethod(tx, named.organizationId, named.customerId, named.id)) ?? method)
  })

const namedBySeller = (
  { organizationId }: { readonly organizationId: Id<'organization'> },
  params: { readonly id: Id<'customer'>; readonly paymentMethodId: Id<'paymentMethod'> },
): Named => ({ organizationId, customerId: params.id, id: params.paymentMethodId })

/** Locks the customer, and returns their method. Every charge begins under the same lock, so none begins meanwhile. */
async function requireMethod(tx: Tx, { organizationId, customerId, id }: Named): Promise<PaymentMethodRow> {
  const customer = await lockCustomer(tx, organizationId, { id: customerId })
  const method = customer && (await findPaymentMethod(tx, organizationId, customerId, id))
  if (!method) throw new TollgateError('RESOURCE_NOT_FOUND')
  return method
}

/**
 * Removes a method; the newest other one takes the place of the default. The last one stays while a subscription that
 * charges later goes on (SUB-20), and any one stays while a payment by it is under way, whose outcome would be unknown.
 */
async function remove(ctx: Context, tx: Tx, named: Named, actorId: Id<'user'> | null): Promise<undefined> {
  const { organizationId, customerId, id } = named
  const method = await requireMethod(tx, named)
  const next = (await listPaymentMethods(tx, organizationId, customerId)).find((other) => other.id !== id)
  if (!next && (await needsMethod(tx, organizationId, customerId))) throw new TollgateError('PAYMENT_METHOD_NEEDED')
  if (await isCharged(tx, organizationId, customerId, id)) throw new TollgateError('PAYMENT_METHOD_BUSY')
  const now = ctx.clock.now()
  await removePaymentMethod(tx, id, now)
  await forgetAtProcessors(tx, now, organizationId, [id])
  if (method.isDefault && next) await makeDefault(ctx, tx, next, actorId)
  else await tellCustomer(ctx, tx, { organizationId, actorId }, 'customer.updated', customerId)
  return undefined
}
