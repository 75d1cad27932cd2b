import { after, days, minutes } from '../../clock.ts'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import { newUuid } from '../../ids.ts'
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
import { cardOf, type RefundFailure, refundFailures, type SandboxCardName } from './sandbox-cards.ts'

/** What the sandbox does with money that it has taken. */
export type SandboxRefunds = Pick<Processor, 'refund' | 'lookRefund' | 'lookForeignRefund' | 'lookDispute'> & {
  /** Gives money back as somebody would by the processor's own pages: we hear of it by the event. */
  refundThere(paymentId: string, amount: number, currency: string): Promise<RefundAttempt>
  /** Begins the dispute of a payment by a card whose owner disputes it. */
  openDispute(tx: Tx, intent: SandboxIntentRow): Promise<void>
  /** The bank's decision, by the dispute's reference: how it stands then; nothing for an unknown one. */
  decideDispute(reference: string, outcome: 'won' | 'lost'): Promise<'won' | 'lost' | undefined>
}

/** What is asked of a refund; why, is nobody's business here. */
type Asked = Pick<RefundOrder, 'refundId' | 'paymentId' | 'amount' | 'currency'>

/** Leaves word of what has happened, now or when it will have happened. */
type Tell = (tx: Tx, about: ProcessorEvent, at: Date) => Promise<void>

/** How long a refund takes that is pending, or that comes back. */
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
      const goes = failure || !intent ? undefined : cardOf(intent.card as SandboxCardName).refunds // written by `charge`
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
    // The same refund at the same moment has made it.
    return attemptOf(made ?? (await findSandboxRefund(db, order.refundId))!, now)
  }

  /** Why nothing is given back: never more than was taken, and nothing of what a bank is to decide about. */
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

/** How a refund stands: what becomes of it by itself needs nobody to write it down. */
const statusOf = ({ status, laterStatus, laterAt }: SandboxRefundRow, now: Date): RefundAttempt['status'] =>
  (laterAt !== null && laterAt <= now ? laterStatus : status) as RefundAttempt['status'] // written above

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
  status: status as DisputeTold['status'], // written above
  reason: 'fraudulent',
  amount,
  currency,
  evidenceDueBy: after(createdAt, evidenceTime),
})
