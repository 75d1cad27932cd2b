import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { byId, requiredText, writeErrors } from './fields.ts'
import type { openOrderCalls } from './open-order.calls.ts'
import { order } from './order.schemas.ts'

/** Bodies, answers and refusals of the calls about unpaid orders. */
export const openOrderSchemas = {
  voidOrder: {
    summary:
      'Voids an unpaid order: nothing more is collected. An order with an invoice gets a credit note. The status stays `pending`, with a `due_amount` of 0 and `voided_at`.',
    params: byId,
    body: z.object({
      /** Only the seller sees it. */
      reason: requiredText(500),
    }),
    output: order,
    errors: [...writeErrors, 'ORDER_NOT_DUE'],
  },
  markOrderPaid: {
    summary:
      'Marks an unpaid order as paid outside of Tollgate, such as by bank transfer, and records a payment with the reference.',
    params: byId,
    body: z.object({
      /** What identifies the payment, such as the reference of a bank transfer. */
      reference: requiredText(256),
    }),
    output: order,
    errors: [...writeErrors, 'ORDER_NOT_DUE'],
  },
} as const satisfies Record<keyof typeof openOrderCalls, Endpoint>
