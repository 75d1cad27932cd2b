import { isPastDue, waitsForAnswer } from '@tollgate/contract/billing'
import type { Answer } from '@tollgate/contract/types'
import { TollgateError } from '../../foundation/error.ts'
import { requireAdmin } from '../identity/access.ts'
import type { AuthHandler } from '../identity/auth-handler.ts'
import { countDisputesToAnswer, type OpenDisputeRow, pageOfOpenDisputes } from './dispute.repository.ts'
import { readCursor, toCursor } from './list-cursor.ts'

const usualLimit = 50
const oldestFirst = { by: 'createdAt', direction: 'asc' } as const

type Listed = Answer<'adminListDisputes'>

/** The undecided disputes of all organizations, oldest first, and how many need a response. */
export const adminListDisputes: AuthHandler<'adminListDisputes'> = async ({ ctx, session, query }) => {
  const { limit: asked, cursor } = query
  requireAdmin(ctx, session, 'dispute', 'list', 'ADMIN_LIST_DISPUTES')
  if (ctx.config.billing === false) throw new TollgateError('NOT_FOUND')
  const limit = asked || usualLimit
  const behind = cursor ? readCursor(cursor, oldestFirst) : undefined
  const [found, toAnswer] = await Promise.all([
    pageOfOpenDisputes(ctx.db, { behind, limit: limit + 1 }),
    countDisputesToAnswer(ctx.db),
  ])
  const rows = found.slice(0, limit)
  const last = found.length > limit ? rows.at(-1) : undefined
  const now = ctx.clock.now()
  return {
    disputes: rows.map((row) => toOpenDispute(row, now)),
    nextCursor: last ? toCursor<never>(oldestFirst, last) : null,
    toAnswer,
  }
}

const toOpenDispute = (row: OpenDisputeRow, now: Date): Listed['disputes'][number] => ({
  id: row.id,
  organization: { id: row.organizationId, name: row.organizationName, slug: row.organizationSlug },
  order: { id: row.orderId, invoiceNumber: row.invoiceNumber },
  processor: row.processor,
  caseId: row.processorReference,
  status: row.status as Listed['disputes'][number]['status'], // asked for
  reason: row.reason,
  amount: row.amount + row.taxAmount,
  currency: row.currency,
  evidenceDueBy: row.evidenceDueBy?.toISOString() ?? null,
  toAnswer: waitsForAnswer(row),
  pastDue: isPastDue(row, now),
  isTest: row.isTest,
  createdAt: row.createdAt.toISOString(),
})
