import type { Insertable, Selectable } from 'kysely'
import { sql } from 'kysely'
import { asTime } from '../../db/as-time.ts'
import type { Db, Lists, Tx } from '../../db/database.ts'
import type { Tables } from '../../db/tables.ts'
import { column, contains, type ListRequest, type Page, readPage } from '../list.repository.ts'

export type AttemptRow = Selectable<Tables['webhookAttempt']>
export type NewAttempt = Insertable<Tables['webhookAttempt']>

export async function insertAttempts(tx: Tx, rows: readonly NewAttempt[]): Promise<void> {
  if (rows.length > 0)
    await tx
      .insertInto('webhookAttempt')
      .values([...rows])
      .execute()
}

export type AttemptFilters = ListRequest & {
  readonly endpointId?: string[] | undefined
  readonly eventId?: string[] | undefined
  readonly eventType?: string[] | undefined
  readonly type?: string[] | undefined
  readonly succeeded?: boolean | undefined
  readonly httpCodeClass?: string | undefined
  readonly startTimestamp?: Date | undefined
  readonly endTimestamp?: Date | undefined
  readonly query?: string | undefined
}

/** Whose attempts somebody may see, and the types of events of which they may read what was told. */
export type AttemptReader = {
  readonly organizationId: string
  readonly seesInstallation: boolean
  readonly readable: readonly string[]
}

const columns = { created_at: column('webhookAttempt.createdAt', 'time') }

/** An attempt with the message that it was made for. */
export type ShownAttempt = AttemptRow & {
  readonly messageState: string
  readonly messageAttempts: number
  readonly messageCreatedAt: Date
  readonly messageModifiedAt: Date | null
  readonly firstFailedAt: Date | null
  readonly nextAttemptAt: Date | null
  readonly lastHttpCode: number | null
  readonly told: string | null
  readonly happenedAt: Date | null
  readonly organizationSlug: string
}

/** Attempts for an organization's endpoints; those for the whole installation only for whoever may see them. */
const attempts = (db: Db, organizationId: string, seesInstallation: boolean) =>
  db
    .selectFrom('webhookAttempt')
    .innerJoin('webhookMessage', 'webhookMessage.id', 'webhookAttempt.messageId')
    .innerJoin('webhookEndpoint', 'webhookEndpoint.id', 'webhookAttempt.endpointId')
    .innerJoin('organization', 'organization.id', 'webhookAttempt.organizationId')
    .leftJoin('event', 'event.id', 'webhookAttempt.eventId')
    .selectAll('webhookAttempt')
    .select(['webhookMessage.state as messageState', 'webhookMessage.attempts as messageAttempts'])
    .select(['webhookMessage.createdAt as messageCreatedAt', 'webhookMessage.modifiedAt as messageModifiedAt'])
    .select(['webhookMessage.firstFailedAt', 'webhookMessage.nextAttemptAt', 'webhookMessage.lastHttpCode'])
    .select(['event.createdAt as happenedAt', 'organization.slug as organizationSlug'])
    .select(sql<string | null>`coalesce(webhook_message.payload, event.payload)`.as('told'))
    .where('webhookAttempt.organizationId', '=', organizationId)
    .where('webhookEndpoint.deletedAt', 'is', null)
    .$if(!seesInstallation, (query) => query.where('webhookEndpoint.coversInstallation', '=', false))

/** How many attempts are searched for a text: what they were told is long, and has no index. */
const mostSearched = 10_000

/** A page of what has been sent. Each filter that singles out has its index. */
export async function pageOfAttempts(
  lists: Lists,
  reader: AttemptReader,
  filters: AttemptFilters,
): Promise<Page<ShownAttempt>> {
  const fitting = fittingAttempts(lists, reader, filters)
  const query = filters.query ? attemptsByText(lists, reader, fitting, filters.query) : fitting
  const asked = readPage(query as never, filters, { columns, id: 'webhookAttempt.id' }) as Promise<Page<ShownAttempt>> // tables that are joined
  const { rows, pagination } = await asked
  return { rows: rows.map(withTimes), pagination }
}

function fittingAttempts({ db }: Lists, { organizationId, seesInstallation }: AttemptReader, filters: AttemptFilters) {
  const { endpointId, eventId, eventType, type, succeeded, httpCodeClass, startTimestamp, endTimestamp } = filters
  let query = attempts(db, organizationId, seesInstallation)
  if (endpointId) query = query.where('webhookAttempt.endpointId', 'in', endpointId)
  if (eventId) query = query.where('webhookAttempt.eventId', 'in', eventId)
  if (eventType) query = query.where('webhookAttempt.type', 'in', eventType)
  if (type) query = query.where('webhookAttempt.type', 'in', type)
  if (succeeded !== undefined) query = query.where('webhookAttempt.succeeded', '=', succeeded)
  if (httpCodeClass) {
    const first = Number(httpCodeClass[0]) * 100
    query = query.where('webhookAttempt.httpCode', '>=', first).where('webhookAttempt.httpCode', '<', first + 100)
  }
  if (startTimestamp) query = query.where('webhookAttempt.createdAt', '>=', startTimestamp)
  if (endTimestamp) query = query.where('webhookAttempt.createdAt', '<=', endTimestamp)
  return query
}

/**
 * Of the newest attempts that fit those that have a text in what their reader may see of them. What somebody may not read is
 * not searched either: whether it was found would tell them.
 */
function attemptsByText(
  lists: Lists,
  { readable }: AttemptReader,
  fitting: ReturnType<typeof attempts>,
  text: string,
): ReturnType<typeof attempts> {
  const newest = fitting
    .clearSelect()
    .select('webhookAttempt.id')
    .orderBy('webhookAttempt.createdAt', 'desc')
    .orderBy('webhookAttempt.id', 'desc')
    .limit(mostSearched)
  // By nothing but the ids: with the other conditions beside them a database might walk through all that fit.
  return fitting
    .clearWhere()
    .where('webhookAttempt.id', 'in', lists.db.selectFrom(newest.as('newest')).select('newest.id'))
    .where((is) =>
      is.or([
        is('webhookAttempt.id', '=', text.toLowerCase()),
        contains(lists, 'webhookAttempt.eventId', text),
        contains(lists, 'webhookAttempt.type', text),
        contains(lists, 'webhookAttempt.response', text),
        is.and([
          is('webhookAttempt.type', 'in', readable),
          is.or([
            contains(lists, 'webhookMessage.payload', text),
            is.and([is('webhookMessage.payload', 'is', null), contains(lists, 'event.payload', text)]),
          ]),
        ]),
      ]),
    )
}

const withTimes = (row: ShownAttempt): ShownAttempt => ({
  ...row,
  happenedAt: row.happenedAt && asTime(row.happenedAt),
  messageCreatedAt: asTime(row.messageCreatedAt),
  messageModifiedAt: row.messageModifiedAt && asTime(row.messageModifiedAt),
})

export async function findAttempt(
  db: Db,
  organizationId: string,
  seesInstallation: boolean,
  id: string,
): Promise<ShownAttempt | undefined> {
  const row = await attempts(db, organizationId, seesInstallation)
    .where('webhookAttempt.id', '=', id)
    .executeTakeFirst()
  return row && withTimes(row)
}
