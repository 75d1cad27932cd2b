import type { Order } from '@tollgate/contract/billing-types'
import { useDashboard } from '../../context.ts'
import { Dot } from '../../parts/status.tsx'
import { dayText } from '../../parts/time.tsx'
import { ordersWords as words } from './orders.texts.ts'

/** An invoice is overdue when the day is over that begins at its due date: in milliseconds. */
const lastDay = 86_400_000

type Due = Pick<Order, 'status' | 'dueAt' | 'voidedAt'>

/** When an open invoice is due, or since when it is overdue; nothing for any other order. */
export function OrderDue({ order: { status, dueAt, voidedAt } }: { order: Due }) {
  const { now } = useDashboard()
  if (dueAt === null || status !== 'pending' || voidedAt !== null) return null
  const day = dayText(dueAt)
  const isOverdue = Date.parse(dueAt) + lastDay <= now()
  return (
    <span className="quiet block">
      {isOverdue ? <Dot tone="danger">{words.overdueSince(day)}</Dot> : words.dueOn(day)}
    </span>
  )
}
