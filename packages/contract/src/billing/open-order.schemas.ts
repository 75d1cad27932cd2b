import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { byId, said, writeErrors } from './fields.ts'
import type { openOrderCalls } from './open-order.calls.ts'
import { order } from './order.schemas.ts'

/** Bodies, answers and refusals of the calls about orders that wait for their payment. */
export const openOrderSchemas = {
  voidOrder: {
    summary:
      'Voids an order that waits for its payment: nothing more is collected. An order with an invoice gets a credit note. On the wire it stays `pending`, with nothing due and `voided_at`.',
    params: byId,
    body: z.object({
      /** Why nothing is to be paid; the seller alone reads it. */
      reason: said(500),
    }),
    output: order,
    errors: [...writeErrors, 'ORDER_NOT_DUE'],
  },
  markOrderPaid: {
    summary: 'Marks an order as paid in another way, such as by bank transfer, with a payment that has the reference.',
    params: byId,
    body: z.object({
      /** Where to find the money, such as the text of a bank transfer. */
      reference: said(256),
    }),
    output: order,
    errors: [...writeErrors, 'ORDER_NOT_DUE'],
  },
} as const satisfies Record<keyof typeof openOrderCalls, Endpoint>
