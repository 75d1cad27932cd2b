import type { ParsedBillingQuery, TimelineItem } from '@tollgate/contract/billing-types'
import { billingEventTypes, billingRow } from '@tollgate/contract/events'
import type { Context } from '../../../foundation/context.ts'
import { type CsvColumns, csvOfLog } from '../../../foundation/csv.ts'
import type { Id } from '../../../foundation/db/database.ts'
import type { SessionRow } from '../../../foundation/db/session-row.ts'
import { Download } from '../../../foundation/http/handler.ts'
import { lastOf } from '../../../foundation/proof/proven.ts'
import { can } from '../../identity/access.ts'
import type { BillingHandler } from '../seller/billing-handler.ts'
import { readsObjectOf } from '../seller/event-scopes.ts'
import type { Seller } from '../seller/seller.service.ts'
import { summaryOf } from './event-summary.ts'
import {
  countDeliveries,
  type EventRow,
  findWhoCustomerIs,
  namesOf,
  organizationNamesOf,
  pageOfEvents,
  type Source,
  subjectsOfSubscription,
} from './timeline.repository.ts'

type Asked = ParsedBillingQuery<'exportTimeline'>

/** The reader: the organization they act for, and whether they may read every event on this server. */
type Reader = { readonly seller: Seller; readonly readsAccounts: boolean }

/**
 * The events of a shop, of one customer or of one subscription, newest first. A reader sees what other calls would show
 * them: order events with `orders:read`, and so on. Readers of the audit log also see what the organization's own members
 * did. Administrators and server code also see what happened to the customer's account or organization. Unless types are
 * named, `customer.state_changed` is left out.
 */
export const listTimeline: BillingHandler<'listTimeline'> = async ({ ctx, seller, current, query }) => {
  const reader = readerOf(ctx, seller, current)
  const sources = await sourcesOf(ctx, reader, query)
  const rows = await readRows(ctx, sources, query, query.cursor, query.limit + 1)
  const shown = rows.slice(0, query.limit)
  return {
    items: await toItems(ctx, reader, shown),
    pagination: { nextCursor: rows.length > query.limit ? lastOf(shown, 'a limit is at least one').id : null },
  }
}

/** The timeline as a table, newest first; the last row says so if the table is cut off. */
export const exportTimeline: BillingHandler<'exportTimeline'> = async ({ ctx, seller, current, query }) => {
  const reader = readerOf(ctx, seller, current)
  const sources = await sourcesOf(ctx, reader, query)
  const file = csvOfLog(columns, {
    read: async ({ cursor, limit }) => {
      const rows = await readRows(ctx, sources, query, cursor, limit)
      return { rows: await toItems(ctx, reader, rows), nextCursor: rows.at(-1)?.id ?? null }
    },
    how: ({ createdAt }) => `Ask for the older ones with end_timestamp=${createdAt}`,
  })
  return new Download('text/csv; charset=utf-8', 'timeline.csv', file)
}

const columns: CsvColumns<TimelineItem> = [
  ['time', ({ createdAt }) => createdAt],
  ['event', ({ type }) => type],
  ['actor', ({ actor }) => actor?.name ?? actor?.id ?? ''],
  ['user', ({ user }) => user?.name ?? user?.id ?? ''],
  ['organization', ({ organization }) => organization?.name ?? organization?.id ?? ''],
  ['customer_id', ({ customerId }) => customerId ?? ''],
  ['subject_id', ({ subjectId }) => subjectId ?? ''],
  ['details', ({ data }) => (data ? JSON.stringify(data) : '')],
  ['id', ({ id }) => id],
]

const readerOf = (ctx: Context, seller: Seller, current: SessionRow | undefined): Reader => ({
  seller,
  readsAccounts:
    seller.by === 'server' ||
    (current !== undefined && current.session.impersonatedBy === null && can(ctx, current.user, { event: ['list'] })),
})

/** The sources of the requested events, as far as the reader may see them. */
async function sourcesOf(ctx: Context, reader: Reader, { customerId, subscriptionId, type }: Asked): Promise<Source[]> {
  const { seller, readsAccounts } = reader
  const types = visibleTypes(seller, type)
  const which = types ? { types } : { without: echoes }
  if (subscriptionId !== undefined) {
    const subjects = await subjectsOfSubscription(ctx.db, seller.organizationId, { subscriptionId, customerId })
    return subjects.map((subjectId) => ({ subjectId, ...which }))
  }
  const ofShop: Source = {
    merchantId: seller.organizationId,
    ...which,
    ...(customerId !== undefined && { customerId }),
  }
  if (customerId === undefined)
    return seller.readsAudit ? [ofShop, { organizationId: seller.organizationId, types: type }] : [ofShop]
  const who = readsAccounts ? await findWhoCustomerIs(ctx.db, seller.organizationId, customerId) : undefined
  if (who?.userId) return [ofShop, { userId: who.userId, types: type }]
  return who?.buyerOrganizationId ? [ofShop, { organizationId: who.buyerOrganizationId, types: type }] : [ofShop]
}

/** Types that a timeline shows only on request. */
const echoes: readonly string[] = billingEventTypes.filter((type) => billingRow(type)?.isEcho)

/** The requested billing types that the reader may see; undefined means all but the echoes. */
function visibleTypes(seller: Seller, asked: readonly string[] | undefined): string[] | undefined {
  const readable = billingEventTypes.filter((type) => readsObjectOf(seller, type))
  if (asked) return readable.filter((type) => asked.includes(type))
  return readable.length === billingEventTypes.length ? undefined : readable.filter((type) => !echoes.includes(type))
}

/** One page of the sources' events. */
const readRows = (
  ctx: Context,
  sources: readonly Source[],
  { startTimestamp, endTimestamp }: Asked,
  before: string | undefined,
  limit: number,
): Promise<EventRow[]> =>
  pageOfEvents(
    ctx.database.lists,
    sources.filter(({ types }) => types?.length !== 0),
    { before, since: startTimestamp, until: endTimestamp, limit },
  )

/** Adds names and delivery counts to rows: three queries at most, whatever their number. */
async function toItems(
  ctx: Context,
  { seller, readsAccounts }: Reader,
  rows: readonly EventRow[],
): Promise<TimelineItem[]> {
  if (rows.length === 0) return []
  const { organizationId } = seller
  const people = [...new Set(rows.flatMap(({ actorId, userId }) => [actorId, userId]).filter((id) => id !== null))]
  // Events of other organizations come only through a customer's account, to readers who may see all of them.
  const places = new Set(rows.flatMap((row) => row.organizationId ?? []))
  places.delete(organizationId)
  const [names, organizationNames, deliveries] = await Promise.all([
    // Tokens read no names of people. Former members' names are hidden.
    seller.by === 'token'
      ? new Map<string, string>()
      : namesOf(ctx.db, people, readsAccounts ? undefined : organizationId),
    organizationNamesOf(ctx.db, [...places]),
    seller.holds('webhooks:read') ? deliveriesOf(ctx, organizationId, rows) : undefined,
  ])
  const person = (id: string | null) => (id === null ? null : { id, name: names.get(id) ?? null })
  const another = (id: string | null) =>
    id === null || id === organizationId ? null : { id, name: organizationNames.get(id) ?? null }
  return rows.map((row) => ({
    id: row.id,
    type: row.type,
    createdAt: row.createdAt.toISOString(),
    actor: person(row.actorId),
    user: person(row.userId),
    organization: another(row.organizationId),
    customerId: row.customerId,
    subjectId: row.subjectId,
    data: row.payload === null ? row.data : summaryOf(row.type, row.payload),
    deliveries: deliveries?.get(row.id) ?? null,
  }))
}

type Deliveries = NonNullable<TimelineItem['deliveries']>

async function deliveriesOf(
  ctx: Context,
  organizationId: Id<'organization'>,
  rows: readonly EventRow[],
): Promise<Map<string, Deliveries>> {
  const counts = await countDeliveries(
    ctx.db,
    organizationId,
    rows.map(({ id }) => id),
  )
  const byEvent = new Map<string, Deliveries>()
  for (const { eventId, state, count } of counts) {
    // Events that a disabled endpoint missed did not go out at all.
    if (state !== 'pending' && state !== 'succeeded' && state !== 'failed') continue
    const before = byEvent.get(eventId) ?? { pending: 0, succeeded: 0, failed: 0 }
    byEvent.set(eventId, { ...before, [state]: Number(count) })
  }
  return byEvent
}
