import type { ParsedBillingQuery } from '@tollgate/contract/billing-types'
import type { InferResult, Insertable } from 'kysely'
import { sql } from 'kysely'
import type { Db, Id, Lists, Tx } from '../../../foundation/db/database.ts'
import { bodyOfEvent } from '../../../foundation/db/event-body.ts'
import type { Tables } from '../../../foundation/db/tables.ts'
import { column, contains, readPage, whereOneOf } from '../list.repository.ts'

export type NewAttempt = Insertable<Tables['webhookAttempt']>

export async function insertAttempts(tx: Tx, rows: readonly NewAttempt[]): Promise<void> {
  if (rows.length > 0)
    await tx
      .insertInto('webhookAttempt')
      .values([...rows])
      .execute()
}

type AttemptFilters = ParsedBillingQuery<'listWebhookDeliveries'>

/** Whose attempts a reader may see, and of which event types they may read the payload. */
export type AttemptReader = {
  readonly organizationId: Id<'organization'>
  readonly seesInstallation: boolean
  readonly readable: readonly string[]
}

const columns = { created_at: column('webhookAttempt.createdAt', 'time') }

/** An attempt with its message. */
export type ShownAttempt = InferResult<ReturnType<typeof attempts>>[number]

/** Attempts for an organization's endpoints; those of installation-wide endpoints only for readers with that right. */
const attempts = (db: Db, organizationId: Id<'organization'>, seesInstallation: boolean) =>
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
    .select(sql<string | null>`coalesce(webhook_message.payload, ${bodyOfEvent()})`.as('told'))
    .where('webhookAttempt.organizationId', '=', organizationId)
    .where('webhookEndpoint.deletedAt', 'is', null)
    .$if(!seesInstallation, (query) => query.where('webhookEndpoint.coversInstallation', '=', false))

/** The most attempts that a text search reads: payloads are long and have no index. */
const mostSearched = 10_000

/** A page of attempts. Each selective filter has its index. */
export function pageOfAttempts(lists: Lists, reader: AttemptReader, filters: AttemptFilters) {
  const fitting = fittingAttempts(lists, reader, filters)
  const query = filters.query ? attemptsByText(lists, reader, fitting, filters.query) : fitting
  return readPage(query, filters, { columns, id: 'webhookAttempt.id' })
}

function fittingAttempts({ db }: Lists, { organizationId, seesInstallation }: AttemptReader, filters: AttemptFilters) {
  const { eventType, succeeded, httpCodeClass, startTimestamp, endTimestamp } = filters
  const all = attempts(db, organizationId, seesInstallation)
  let query = whereOneOf(all, 'webhookAttempt', filters, ['endpointId', 'eventId', 'type'])
  if (eventType) query = query.where('webhookAttempt.type', 'in', eventType)
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
 * Of the newest matching attempts, those with a text in the parts that the reader may see. Hidden payloads are not
 * searched, because a match would reveal their content.
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
  // Filters by id alone: with further conditions a database might scan all matching rows.
  return fitting
    .clearWhere()
    .where('webhookAttempt.id', 'in', lists.db.selectFrom(newest.as('newest')).select('newest.id'))
    .where((is) =>
      is.or([
        is('webhookAttempt.id', '=', text.toLowerCase()),
        contains(lists, text, 'webhookAttempt.eventId', 'webhookAttempt.type', 'webhookAttempt.response'),
        is.and([
          is('webhookAttempt.type', 'in', readable),
          is.or([
            contains(lists, text, 'webhookMessage.payload'),
            is.and([is('webhookMessage.payload', 'is', null), contains(lists, text, bodyOfEvent())]),
          ]),
        ]),
      ]),
    )
}

export const findAttempt = (
  db: Db,
  organizationId: Id<'organization'>,
  seesInstallation: boolean,
  id: Id<'webhookAttempt'>,
) => attempts(db, organizationId, seesInstallation).where('webhookAttempt.id', '=', id).executeTakeFirst()
