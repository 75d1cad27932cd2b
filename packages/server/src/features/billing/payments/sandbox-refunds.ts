import { after, days, minutes } from '../../../foundation/clock.ts'
import type { Context } from '../../../foundation/context.ts'
import type { Id, Tx } from '../../../foundation/db/database.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import type { DisputeTold, Processor, ProcessorEvent, RefundAttempt, RefundOrder } from './processor.ts'
import {
  decideSandboxDispute,
  findDisputeOfIntent,
  findSandboxDispute,
  findSandboxRefund,
  findSandboxRefundByReference,
  insertSandboxDispute,
  insertSandboxRefund,
  listSandboxRefunds,
  lockIntent,
  type SandboxDisputeRow,
  type SandboxIntentRow,
  type SandboxRefundRow,
} from './sandbox.repository.ts'
import { cardOf, type RefundFailure, refundFailures } from './sandbox-cards.ts'

/** Refunds and disputes of the sandbox's payments. */
export type SandboxRefunds = Pick<Processor, 'refund' | 'lookRefund' | 'lookForeignRefund' | 'lookDispute'> & {
  /** Simulates a refund from the processor's dashboard: this server learns of it by the event. */
  refundThere(paymentId: Id<'payment'>, amount: number, currency: string): Promise<RefundAttempt>
  /** Opens a dispute, for a card whose owner disputes. */
  openDispute(tx: Tx, intent: SandboxIntentRow): Promise<void>
  /** Records the bank's decision and returns the dispute's state; undefined for an unknown reference. */
  decideDispute(reference: string, outcome: 'won' | 'lost'): Promise<'won' | 'lost' | undefined>
}

/** The request for a refund; the sandbox ignores the reason. */
type Asked = Pick<RefundOrder, 'refundId' | 'paymentId' | 'amount' | 'currency'>

/** Queues an event, for now or a later time. */
type Tell = (tx: Tx, about: ProcessorEvent, at: Date) => Promise<void>

/** How long a pending or later failing refund takes. */
const takes = minutes(1)
const evidenceTime = days(7)

export function createSandboxRefunds(
  { db, transaction, clock }: Pick<Context, 'db' | 'transaction' | 'clock'>,
  tell: Tell,
): SandboxRefunds {
  async function refund(order: Asked, isOurs = true): Promise<RefundAttempt> {
    const before = await findSandboxRefund(db, order.refundId)
    if (before) return attemptOf(before, clock.now())
    const now = clock.now()
    const made = await transaction(async (tx) => {
      const intent = await lockIntent(tx, order.paymentId)
      const failure = await failureOf(tx, intent, order, now)
      const goes = failure || !intent ? undefined : cardOf(intent.card).refunds
      const row = await insertSandboxRefund(tx, {
        id: order.refundId,
        intentId: order.paymentId,
        reference: `sandbox_refund_${newUuid()}`,
        status: failure ? 'failed' : goes === 'pending' ? 'pending' : 'succeeded',
        amount: order.amount,
        currency: order.currency,
        failureReason: failure ?? (goes === 'fail_later' ? 'expired_or_canceled_card' : null),
        ...(goes && { laterStatus: goes === 'pending' ? 'succeeded' : 'failed', laterAt: after(now, takes) }),
        createdAt: now,
      })
      if (!row) return undefined
      const about = isOurs ? { refundId: row.id } : { refundReference: row.reference }
      await tell(tx, about, now)
      if (row.laterAt) await tell(tx, about, row.laterAt)
      return row
    })
    // A concurrent call has made the same refund.
    return attemptOf(made ?? proven(await findSandboxRefund(db, order.refundId), 'it was made above'), now)
  }

  /** Why a refund fails: more than was paid, or an open dispute. */
  async function failureOf(
    tx: Tx,
    intent: SandboxIntentRow | undefined,
    { amount, currency }: Asked,
    now: Date,
  ): Promise<RefundFailure | undefined> {
    if (intent?.status !== 'succeeded' || intent.currency !== currency) return 'no_such_payment'
    const dispute = await findDisputeOfIntent(tx, intent.id)
    if (dispute && dispute.status !== 'won') return 'charge_disputed'
    const given = (await listSandboxRefunds(tx, intent.id)).filter((row) => statusOf(row, now) !== 'failed')
    const left = given.reduce((rest, row) => rest - row.amount, intent.amount)
    return amount > left ? 'amount_too_large' : undefined
  }

  return {
    refund: (order) => refund(order),
    refundThere: (paymentId, amount, currency) => refund({ refundId: newUuid(), paymentId, amount, currency }, false),
    lookRefund: async ({ refundId, reference }) => {
      const ours = await findSandboxRefund(db, refundId)
      const row = ours ?? (reference === null ? undefined : await findSandboxRefundByReference(db, reference))
      return row && attemptOf(row, clock.now())
    },
    lookForeignRefund: async (reference) => {
      const row = await findSandboxRefundByReference(db, reference)
      if (!row) return undefined
      const { intentId: paymentId, amount, currency } = row
      return { reference, paymentId, amount, currency, reason: 'other', attempt: attemptOf(row, clock.now()) }
    },
    lookDispute: async (reference) => {
      const row = await findSandboxDispute(db, reference)
      return row && disputeTold(row)
    },
    openDispute: async (tx, { id: intentId, amount, currency }) => {
      const now = clock.now()
      const id = `sandbox_dispute_${newUuid()}`
      await insertSandboxDispute(tx, { id, intentId, status: 'needs_response', amount, currency, createdAt: now })
      await tell(tx, { disputeReference: id }, now)
    },
    decideDispute: async (reference, outcome) => {
      const decided = await transaction(async (tx) => {
        const row = await decideSandboxDispute(tx, reference, outcome)
        if (row) await tell(tx, { disputeReference: reference }, clock.now())
        return row
      })
      const row = decided ?? (await findSandboxDispute(db, reference))
      return row && (row.status as 'won' | 'lost') // decided now or before
    },
  }
}

/** The state of a refund. Later states follow from the time and need no write. */
const statusOf = ({ status, laterStatus, laterAt }: SandboxRefundRow, now: Date): RefundAttempt['status'] =>
  laterStatus !== null && laterAt !== null && laterAt <= now ? laterStatus : status

function attemptOf(row: SandboxRefundRow, now: Date): RefundAttempt {
  const { reference, amount, currency } = row
  const status = statusOf(row, now)
  if (status === 'succeeded') return { status, reference, amount, currency }
  if (status === 'pending') return { status, reference }
  const reason = row.failureReason as RefundFailure // written above
  return { status, reference, reason, message: refundFailures[reason] }
}

const disputeTold = ({ id, intentId, status, amount, currency, createdAt }: SandboxDisputeRow): DisputeTold => ({
  reference: id,
  paymentId: intentId,
  status,
  reason: 'fraudulent',
  amount,
  currency,
  evidenceDueBy: after(createdAt, evidenceTime),
})
