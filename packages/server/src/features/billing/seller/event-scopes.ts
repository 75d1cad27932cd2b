import { billingObjects, billingRow } from '@tollgate/contract/events'
import type { Seller } from './seller.service.ts'

/** Whether a caller may read a billing event's object through its own call. False for all other events. */
export function readsObjectOf({ holds }: Pick<Seller, 'holds'>, type: string): boolean {
  const row = billingRow(type)
  return row !== undefined && holds(billingObjects[row.object].scope)
}
