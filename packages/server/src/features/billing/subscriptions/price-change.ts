import { after, days } from '../../../foundation/clock.ts'
import type { Db, Tx } from '../../../foundation/db/database.ts'
import type { ChangeTarget } from '../../../foundation/db/tables/order.ts'
import { skipNotices } from '../order/price-notice.repository.ts'
import type { SubscriptionRow } from '../order/subscription.repository.ts'
import { changePlanned, findOpenNotice, moveNotice } from './price-change.repository.ts'
import type { PricedItem } from './subscribed.ts'

type OpenNotice = NonNullable<Awaited<ReturnType<typeof findOpenNotice>>>

/** A change of price that applies with a period, and the prices that the subscription then has. */
export type DueChange = { readonly notice: OpenNotice; readonly priceIds: PricedItem['productPriceId'][] }

/**
 * The change of price that applies with the period that begins at `start`: never before its notice was sent so many days
 * earlier. One whose notice is still to come counts as if it were sent in time, for previews alone.
 */
export async function dueChangeOf(
  db: Db,
  row: SubscriptionRow,
  start: Date,
  readItems: () => Promise<readonly Pick<PricedItem, 'productPriceId'>[]>,
): Promise<DueChange | undefined> {
  if (row.schedule !== null) return undefined
  const notice = await findOpenNotice(db, row.id)
  if (!notice || notice.productId !== row.productId || start < notice.startsAt) return undefined
  if (after(notice.noticedAt ?? notice.noticeAt, days(notice.noticeDays)) > start) return undefined
  const items = await readItems()
  const replaced = notice.prices.find(({ fromPriceIds }) =>
    items.some(({ productPriceId }) => fromPriceIds.includes(productPriceId)),
  )
  if (!replaced) return undefined
  const priceIds = items.map(({ productPriceId }) =>
    replaced.fromPriceIds.includes(productPriceId) ? replaced.toPriceId : productPriceId,
  )
  return { notice, priceIds }
}

/** Leaves a locked subscription out of the change of price that it waits for, if that replaces none of its prices. */
export async function leaveUnlessConcerned(
  tx: Tx,
  id: SubscriptionRow['id'],
  now: Pick<ChangeTarget, 'productId' | 'priceIds'>,
): Promise<void> {
  const notice = await findOpenNotice(tx, id)
  if (!notice) return
  const replaces = notice.prices.some(({ fromPriceIds }) => now.priceIds.some((each) => fromPriceIds.includes(each)))
  if (notice.productId !== now.productId || !replaces) await skipNotices(tx, [id])
}

/** Takes a change of price up for a locked subscription; false for one that is not told yet, or is canceled meanwhile. */
export async function takeUp(tx: Tx, { notice }: DueChange, start: Date): Promise<boolean> {
  if (notice.status !== 'noticed') return false
  const begun = { status: 'running', modifiedAt: start } as const
  if (notice.changeStatus === 'planned' && !(await changePlanned(tx, notice.priceChangeId, begun))) {
    const now = await findOpenNotice(tx, notice.subscriptionId)
    if (now?.changeStatus !== 'running') return false
  }
  return moveNotice(tx, notice, { status: 'applied', appliedAt: start })
}
