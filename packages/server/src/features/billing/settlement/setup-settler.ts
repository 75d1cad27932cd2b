import { proven } from '../../../foundation/proof/proven.ts'
import { lockCustomer } from '../customer/customer.repository.ts'
import { tellCustomer } from '../customer/customer.service.ts'
import { forgetAtProcessors } from '../customer/forget-method.service.ts'
import { listPaymentMethods, removePaymentMethod } from '../customer/payment-method.repository.ts'
import { updatePayment } from '../order/payment.repository.ts'
import { noteIntent } from '../payments/processor.repository.ts'
import { isAbandoned } from './abandoned.ts'
import { makeDefault } from './default-method.service.ts'
import { keepMethod } from './keep-method.service.ts'
import type { Settler } from './settlers.ts'

/**
 * A method that a customer adds. It becomes their default if they want that, or have none. The method of a customer who
 * was removed meanwhile, or deleted as a buyer, is removed as well, and detached at the processor (CUS-1).
 */
export const setupSettler: Settler = {
  async succeeded(ctx, tx, payment, attempt) {
    const { organizationId } = payment
    const customerId = proven(payment.customerId, 'the setup of a method has a customer')
    const customer = await lockCustomer(tx, organizationId, { id: customerId })
    const id = await keepMethod(ctx, tx, { ...payment, customerId }, attempt, false)
    if (id === null) return
    if (!customer || (await isAbandoned(tx, payment))) {
      const now = ctx.clock.now()
      await removePaymentMethod(tx, id, now)
      await forgetAtProcessors(tx, now, organizationId, [id])
      return
    }
    await updatePayment(tx, payment.id, { paymentMethodId: id })
    const methods = await listPaymentMethods(tx, organizationId, customerId)
    const kept = proven(
      methods.find((method) => method.id === id),
      'it was kept above',
    )
    if (payment.makesDefault || !methods.some(({ isDefault }) => isDefault)) await makeDefault(ctx, tx, kept, null)
    else await tellCustomer(ctx, tx, { organizationId, actorId: null }, 'customer.updated', customerId)
  },
  async failed() {},
  /** The processor's id is how the customer names the setup once they have authenticated the card. */
  async waits(ctx, payment, { reference }) {
    await ctx.transaction((tx) => noteIntent(tx, payment.id, reference))
  },
}
