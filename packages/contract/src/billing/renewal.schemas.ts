import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { foreignId, sellerErrors, utc, writeErrors } from './fields.ts'
import type { renewalCalls } from './renewal.calls.ts'

/** What a seller may choose for the periods that nothing billed. */
export const missedPeriodChoices = ['start_again', 'bill_missed'] as const

const missedPeriods = z.object({
  /** Subscriptions that have stood in one period since before renewals existed, and are not decided yet. */
  subscriptionsCount: z.int(),
  /** What the seller has chosen; null while undecided. Then nothing is billed backwards. */
  chosen: z.enum(missedPeriodChoices).nullable(),
  choices: z.array(
    z.object({
      name: z.enum(missedPeriodChoices),
      /** Orders for missed periods, and what they cost before tax, in each currency. */
      ordersCount: z.int(),
      amounts: z.array(z.object({ currency: z.string(), amount: z.int() })),
      /** The first renewal; null without such subscriptions. */
      firstRenewalAt: utc.nullable(),
    }),
  ),
})

const byMerchant = z.object({ id: foreignId })

/** Bodies, answers and refusals of the calls about missed periods. */
export const renewalSchemas = {
  getMissedPeriods: {
    summary: 'Returns the subscriptions that have missed periods, and what each choice for them would charge.',
    params: byMerchant,
    output: missedPeriods,
    errors: sellerErrors,
  },
  decideMissedPeriods: {
    summary: 'Chooses what happens with missed periods: subscriptions start again, or pay for them.',
    params: byMerchant,
    body: z.object({ choice: z.enum(missedPeriodChoices) }),
    output: missedPeriods,
    errors: writeErrors,
  },
} as const satisfies Record<keyof typeof renewalCalls, Endpoint>
