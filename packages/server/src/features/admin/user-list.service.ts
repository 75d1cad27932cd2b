import type { ParsedQuery } from '@tollgate/contract/types'
import { z } from 'zod'
import { TollgateError } from '../../foundation/error.ts'
import { lastOf } from '../../foundation/proof/proven.ts'
import { requireAdmin } from '../identity/access.ts'
import type { AuthHandler } from '../identity/auth-handler.ts'
import { toKnownUser } from '../identity/session-answer.ts'
import { type Order, readCursor, toCursor } from './list-cursor.ts'
import { type Comparison, countUsers, type Filter, listUsers } from './user-list.repository.ts'

/** The ecosystem's servers use this default. */
const usualLimit = 100

/** Users, searched, filtered and sorted, with the total; a page begins at an offset or after a cursor. */
export const adminListUsers: AuthHandler<'adminListUsers'> = async ({ ctx, session, query }) => {
  requireAdmin(ctx, session, 'user', 'list', 'ADMIN_LIST_USERS')
  const now = ctx.clock.now()
  const order = toOrder(query)
  const after = query.cursor === undefined ? undefined : readCursor(query.cursor, order)
  const limit = query.limit || usualLimit
  const offset = after ? 0 : (query.offset ?? 0)
  const { searchField = 'email', searchOperator = 'contains', searchValue } = query
  const selection = {
    search: searchValue ? { field: searchField, operator: searchOperator, value: searchValue } : undefined,
    filter: toFilter(query),
    now,
    defaultRole: ctx.config.admin.defaultRole,
  }

  const total = await countUsers(ctx.db, selection)
  // One more than the page shows whether there is another page.
  const rows = total === 0 ? [] : await listUsers(ctx.db, selection, order, { total, limit: limit + 1, offset, after })
  const page = rows.slice(0, limit)
  return {
    users: page.map((row) => toKnownUser(row, now)),
    total,
    ...(query.limit !== undefined && { limit: query.limit }),
    ...(query.offset !== undefined && { offset: query.offset }),
    nextCursor: rows.length > limit ? toCursor(order, lastOf(page, 'a limit is at least one')) : null,
  }
}

/** Newest first by default; a named order is ascending, as in the ecosystem's servers. */
function toOrder({ sortBy, sortDirection }: ParsedQuery<'adminListUsers'>): Order<'email' | 'name'> {
  if (sortBy === undefined) return { by: 'createdAt', direction: sortDirection ?? 'desc' }
  return { by: sortBy, direction: sortDirection ?? 'asc' }
}

/** Time as ISO 8601, or a day, which begins at midnight UTC. */
const time = z.iso.datetime({ offset: true }).or(z.iso.date())

/** Refuses a filter whose value or operator does not fit its field. */
function toFilter(query: ParsedQuery<'adminListUsers'>): Filter | undefined {
  const { filterField: field = 'email', filterOperator: operator = 'eq', filterValue: value } = query
  if (value === undefined) return undefined
  switch (field) {
    case 'id':
      return { field, operator, value }
    case 'email':
      return { field, operator, value: value.toLowerCase() }
    case 'createdAt':
      if (!time.safeParse(value).success) throw new TollgateError('INVALID_QUERY')
      return { field, operator, value: new Date(value) }
    case 'emailVerified':
    case 'banned':
      if (value !== 'true' && value !== 'false') throw new TollgateError('INVALID_QUERY')
      return { field, holds: isOrIsNot(operator) === (value === 'true') }
    case 'role':
    case 'provider':
      return { field, value, holds: isOrIsNot(operator) }
  }
}

function isOrIsNot(operator: Comparison): boolean {
  if (operator !== 'eq' && operator !== 'ne') throw new TollgateError('INVALID_QUERY')
  return operator === 'eq'
}
