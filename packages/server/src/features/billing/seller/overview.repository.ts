import { type RawBuilder, sql } from 'kysely'
import type { Db, Id, Lists } from '../../../foundation/db/database.ts'
import { between, isWithin, type Span, valuesOf } from '../../../foundation/db/spans.ts'

/*
 * One statement for all periods of a chart. Each reads its table by an index on organization and time, between the first
 * and the last moment asked for, so its work does not grow with the seller's history.
 */

/** Counts paid orders per span and currency, and sums them net of tax and refunds. Spans without orders have no row. */
export const orderSums = (...of: Parameters<typeof salesStatement>) => rowsOf(of[0], salesStatement(...of))

export const salesStatement = (lists: Lists, organizationId: Id<'organization'>, spans: readonly Span[]) =>
  sql<Numbers<{ position: number; currency: string; orders: number; amount: number }>>`
    select span.column1 as position, sale.currency, count(*) as orders,
      sum(sale.net_amount - sale.refunded_amount) as amount
    from ${valuesOf(lists, spans)} join ${sql.table('order')} as sale on ${isWithin('sale.createdAt')}
    where sale.organization_id = ${organizationId} and ${between('sale.createdAt', spans)} and sale.status <> 'pending'
    group by span.column1, sale.currency`

/** Counts new customers per span. */
export const customerCounts = (...of: Parameters<typeof customersStatement>) => rowsOf(of[0], customersStatement(...of))

export const customersStatement = (lists: Lists, organizationId: Id<'organization'>, spans: readonly Span[]) =>
  sql<Numbers<{ position: number; count: number }>>`
    select span.column1 as position, count(*) as count
    from ${valuesOf(lists, spans)} join customer on ${isWithin('customer.createdAt')}
    where customer.organization_id = ${organizationId} and ${between('customer.createdAt', spans)}
      and customer.deleted_at is null
    group by span.column1`

/** Counts subscriptions per span that started in it, less those that ended in it. */
export const subscriptionChanges = (...of: Parameters<typeof changesStatement>) =>
  rowsOf(of[0], changesStatement(...of))

export const changesStatement = (lists: Lists, organizationId: Id<'organization'>, spans: readonly Span[]) =>
  sql<Numbers<{ position: number; change: number }>>`
    select span.column1 as position, sum(turn.change) as change
    from ${valuesOf(lists, spans)} join (
      select started_at as at, 1 as change from subscription
      where organization_id = ${organizationId} and ${between('startedAt', spans)}
      union all
      select ended_at as at, -1 as change from subscription
      where organization_id = ${organizationId} and ${between('endedAt', spans)} and started_at is not null
    ) as turn on ${isWithin('turn.at')}
    group by span.column1`

/** Counts the subscriptions that have started and not ended. */
export async function countRunningSubscriptions(db: Db, organizationId: Id<'organization'>): Promise<number> {
  const { count } = await db
    .selectFrom('subscription')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('organizationId', '=', organizationId)
    .where('endedAt', 'is', null)
    .where('startedAt', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

const rowsOf = async <Row>({ db }: Lists, statement: RawBuilder<Row>): Promise<Row[]> =>
  (await statement.execute(db)).rows

/** PostgreSQL returns sums and counts as text, because they may exceed a number. */
type Numbers<Row> = { readonly [Key in keyof Row]: Row[Key] extends number ? number | string : Row[Key] }
