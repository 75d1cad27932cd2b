import type { Answer } from '@tollgate/contract/types'
import type { Context } from '../../foundation/context.ts'
import { TollgateError } from '../../foundation/error.ts'
import { emit } from '../../foundation/outbox.ts'
import { proven } from '../../foundation/proof/proven.ts'
import { requireAdmin, transactionAsAdministrator } from '../identity/access.ts'
import type { AuthHandler } from '../identity/auth-handler.ts'
import {
  type AttentionRow,
  countOpenAttention,
  findAttention,
  pageOfAttention,
  resolveAttention,
} from './attention.repository.ts'
import { readCursor, toCursor } from './list-cursor.ts'

const usualLimit = 50
const newestFirst = { by: 'createdAt', direction: 'desc' } as const

type Listed = Answer<'adminListAttention'>['items'][number]

/** Money that processors moved unlike any request, newest first, and how many entries are open. */
export const adminListAttention: AuthHandler<'adminListAttention'> = async ({ ctx, session, query }) => {
  const { state, kind, limit: asked, cursor } = query
  requireAdmin(ctx, session, 'attention', 'list', 'ADMIN_LIST_ATTENTION')
  if (ctx.config.billing === false) throw new TollgateError('NOT_FOUND')
  const limit = asked || usualLimit
  const before = cursor ? readCursor(cursor, newestFirst) : undefined
  const [found, open] = await Promise.all([
    pageOfAttention(ctx.db, { isResolved: state === 'resolved', kind, before, limit: limit + 1 }),
    countOpenAttention(ctx.db),
  ])
  const rows = found.slice(0, limit)
  const last = found.length > limit ? rows.at(-1) : undefined
  return {
    items: rows.map((row) => toListed(ctx, row)),
    nextCursor: last ? toCursor<never>(newestFirst, last) : null,
    open,
  }
}

/** Notes how an administrator settled an entry at the processor. Of two administrators at once, the first is noted. */
export const adminResolveAttention: AuthHandler<'adminResolveAttention'> = async ({ ctx, session, body }) => {
  const { attentionId, note } = body
  requireAdmin(ctx, session, 'attention', 'resolve', 'ADMIN_RESOLVE_ATTENTION')
  if (ctx.config.billing === false) throw new TollgateError('NOT_FOUND')
  return transactionAsAdministrator(ctx, session, 'ADMIN_RESOLVE_ATTENTION', async (tx) => {
    const now = ctx.clock.now()
    const actorId = session.user.id
    const resolution = { resolvedAt: now, resolvedBy: actorId, note: note.trim() }
    const isResolved = await resolveAttention(tx, attentionId, resolution)
    const row = await findAttention(tx, attentionId)
    if (!row) throw new TollgateError('ADMIN_ATTENTION_NOT_FOUND')
    if (!isResolved) throw new TollgateError('ADMIN_ATTENTION_RESOLVED')
    const data = { attentionId, processor: row.processor, reference: row.processorReference }
    await emit(tx, now, { type: 'attention.resolved', actorId, userId: null, data })
    return toListed(ctx, row)
  })
}

const toListed = (ctx: Context, row: AttentionRow): Listed => ({
  id: row.id,
  kind: row.kind,
  organization: organizationOf(row),
  processor: row.processor,
  processorReference: row.processorReference,
  paymentId: row.paymentId,
  refundId: row.refundId,
  amount: row.amount,
  currency: row.currency,
  expectedAmount: row.expectedAmount,
  expectedCurrency: row.expectedCurrency,
  detail: row.detail,
  isTest: ctx.payments.byName(row.processor)?.isTest ?? false,
  createdAt: row.createdAt.toISOString(),
  resolved: resolutionOf(row),
})

const organizationOf = ({ organizationId, organizationName, organizationSlug }: AttentionRow) =>
  organizationId === null
    ? null
    : {
        id: organizationId,
        name: proven(organizationName, 'the organization exists'),
        slug: proven(organizationSlug, 'the organization exists'),
      }

const resolutionOf = ({ resolvedAt, resolvedBy, resolverName, resolverEmail, note }: AttentionRow) =>
  resolvedAt && {
    at: resolvedAt.toISOString(),
    by: resolvedBy === null ? null : { id: resolvedBy, name: resolverName ?? '', email: resolverEmail ?? '' },
    note: note ?? '',
  }
