import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db, Id, Tx } from '../../../foundation/db/database.ts'
import { lockInOrder } from '../../../foundation/db/lock-order.ts'
import type { Tables } from '../../../foundation/db/tables.ts'
import { column, type ListRequest, type Page, readPage } from '../list.repository.ts'

export type AccessTokenRow = Selectable<Tables['organizationAccessToken']>

const sorting = {
  created_at: column('organizationAccessToken.createdAt', 'time'),
  comment: column('organizationAccessToken.comment', 'text'),
  last_used_at: column('organizationAccessToken.lastUsedAt', 'nullable'),
  expires_at: column('organizationAccessToken.expiresAt', 'nullable'),
}

export const listTokens = (
  db: Db,
  organizationId: Id<'organization'>,
  request: ListRequest,
): Promise<Page<AccessTokenRow>> =>
  readPage(db.selectFrom('organizationAccessToken').selectAll().where('organizationId', '=', organizationId), request, {
    columns: sorting,
    id: 'organizationAccessToken.id',
  })

export const lockToken = (
  tx: Tx,
  organizationId: Id<'organization'>,
  id: Id<'organizationAccessToken'>,
): Promise<AccessTokenRow | undefined> =>
  lockInOrder(
    tx,
    'accessToken',
    id,
    tx
      .selectFrom('organizationAccessToken')
      .selectAll()
      .where('organizationId', '=', organizationId)
      .where('id', '=', id),
  ).executeTakeFirst()

export const insertToken = (tx: Tx, token: Insertable<Tables['organizationAccessToken']>): Promise<AccessTokenRow> =>
  tx.insertInto('organizationAccessToken').values(token).returningAll().executeTakeFirstOrThrow()

export const updateTokenRow = (
  tx: Tx,
  organizationId: Id<'organization'>,
  id: Id<'organizationAccessToken'>,
  changes: Updateable<Tables['organizationAccessToken']>,
): Promise<AccessTokenRow | undefined> =>
  tx
    .updateTable('organizationAccessToken')
    .set(changes)
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()

export const deleteTokenRow = (
  tx: Tx,
  organizationId: Id<'organization'>,
  id: Id<'organizationAccessToken'>,
): Promise<AccessTokenRow | undefined> =>
  tx
    .deleteFrom('organizationAccessToken')
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
