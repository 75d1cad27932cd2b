import type { BillingAnswer } from '@tollgate/contract/billing-types'
import { number } from '../../texts.ts'
import { webhookWords } from './webhooks.texts.ts'

export type Delivery = BillingAnswer<'listWebhookDeliveries'>['items'][number]

const words = webhookWords.outcome

/** "Succeeded, 200", or why not: by its status, or that there was no answer. */
export const outcomeText = ({ succeeded, httpCode }: Pick<Delivery, 'succeeded' | 'httpCode'>): string =>
  `${succeeded ? words.succeeded : words.failed}, ${httpCode ?? words.noAnswer}`

/** "80 ms", "2.4 s". */
export const durationText = (ms: number): string =>
  ms < 1000 ? words.ms(number.format(ms)) : words.seconds((ms / 1000).toFixed(1))

/** The duration that half of them are shorter than; nothing of nothing. */
export function medianOf(durations: readonly number[]): number | undefined {
  const sorted = durations.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}
