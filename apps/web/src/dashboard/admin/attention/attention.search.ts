import { pageIn, pageSize } from '../../paging.ts'
import type { MoneyToCheckQuery } from '../../queries/money-to-check.ts'
import { textIn } from '../../search.ts'

/** The kinds of entries, in the order of the filter. */
export const attentionKinds = [
  'paid_after_failure',
  'paid_after_void',
  'amount_differs',
  'unknown_payment',
  'refund_amount_differs',
] as const satisfies readonly MoneyToCheckQuery['kind'][]

/** The address of the attention list. Open entries have the plain address. */
export type AttentionSearch = {
  state?: 'resolved' | undefined
  kind?: (typeof attentionKinds)[number] | undefined
  cursor?: string | undefined
  page?: number | undefined
}

export function attentionSearchIn(given: Readonly<Record<string, unknown>>): AttentionSearch {
  const kind = attentionKinds.find((each) => each === given.kind)
  const cursor = textIn(given.cursor, 1024)
  const page = cursor ? pageIn(given.page) : undefined
  return {
    ...(given.state === 'resolved' && { state: 'resolved' }),
    ...(kind && { kind }),
    ...(cursor && { cursor }),
    ...(page && { page }),
  }
}

export const attentionQueryOf = ({ state, kind, cursor }: AttentionSearch): MoneyToCheckQuery => ({
  limit: pageSize,
  ...(state && { state }),
  ...(kind && { kind }),
  ...(cursor && { cursor }),
})
