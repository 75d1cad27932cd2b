import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db, Id, Tx } from '../../../foundation/db/database.ts'
import { lockInOrder } from '../../../foundation/db/lock-order.ts'
import { prepare } from '../../../foundation/db/prepared.ts'
import { countRows } from '../../../foundation/db/rows.ts'
import type { Tables } from '../../../foundation/db/tables.ts'
import { column, type ListRequest, readPage } from '../list.repository.ts'

export type EndpointRow = Selectable<Tables['webhookEndpoint']>

const present = (db: Db) => db.selectFrom('webhookEndpoint').selectAll().where('deletedAt', 'is', null)
const ofOrganization = (db: Db, organizationId: Id<'organization'>) =>
  present(db).where('organizationId', '=', organizationId)

const columns = {
  created_at: column('webhookEndpoint.createdAt', 'time'),
  url: column('webhookEndpoint.url', 'text'),
}

export const pageOfEndpoints = (db: Db, organizationId: Id<'organization'>, request: ListRequest) =>
  readPage(ofOrganization(db, organizationId), request, { columns, id: 'webhookEndpoint.id' })

/** An endpoint of an organization, unless deleted. */
export const findEndpoint = (db: Db, organizationId: Id<'organization'>, id: Id<'webhookEndpoint'>) =>
  ofOrganization(db, organizationId).where('id', '=', id).executeTakeFirst()

/** Like `findEndpoint`, but locks the row until the transaction ends; messages for it can still be written. */
export const lockEndpoint = (tx: Tx, organizationId: Id<'organization'>, id: Id<'webhookEndpoint'>) =>
  lockInOrder(
    tx,
    'webhookEndpoint',
    id,
    ofOrganization(tx, organizationId).where('id', '=', id),
    'forNoKeyUpdate',
  ).executeTakeFirst()

/** An enabled endpoint of any organization, for the job that sends. */
export const findOpenEndpoint = (db: Db, id: Id<'webhookEndpoint'>) =>
  db
    .selectFrom('webhookEndpoint')
    .innerJoin('organization', 'organization.id', 'webhookEndpoint.organizationId')
    .selectAll('webhookEndpoint')
    .select(['organization.slug as organizationSlug', 'organization.name as organizationName'])
    .where('webhookEndpoint.id', '=', id)
    .where('webhookEndpoint.enabled', '=', true)
    .where('webhookEndpoint.deletedAt', 'is', null)
    .executeTakeFirst()

export const lockAnyEndpoint = (tx: Tx, id: Id<'webhookEndpoint'>) =>
  lockInOrder(tx, 'webhookEndpoint', id, present(tx).where('id', '=', id), 'forNoKeyUpdate').executeTakeFirst()

const listeners = (db: Db) =>
  db
    .selectFrom('webhookEndpoint')
    .select(['id', 'organizationId', 'coversInstallation', 'events'])
    .where('enabled', '=', true)
    .where('deletedAt', 'is', null)
    .orderBy('id')

/** The enabled endpoints of some organizations and of the installation, in the order in which their jobs are queued. */
export function listListeners(db: Db, organizationIds: readonly Id<'organization'>[]) {
  const [id] = organizationIds
  return id !== undefined && organizationIds.length === 1
    ? listenersOfOne(db, { id })
    : listeners(db)
        .where((is) => is.or([is('organizationId', 'in', organizationIds), is('coversInstallation', '=', true)]))
        .execute()
}

const listenersOfOne = prepare((db, { id }: { id: Id<'organization'> }) =>
  listeners(db).where((is) => is.or([is('organizationId', '=', id), is('coversInstallation', '=', true)])),
)

/** Installation-wide endpoints only: they get every account event. */
export const listInstallationListeners = (db: Db) => installationListeners(db, {})

const installationListeners = prepare((db) => listeners(db).where('coversInstallation', '=', true))

export const countEndpoints = (db: Db, organizationId: Id<'organization'>): Promise<number> =>
  countRows(ofOrganization(db, organizationId))

export const insertEndpoint = (tx: Tx, row: Insertable<Tables['webhookEndpoint']>) =>
  tx.insertInto('webhookEndpoint').values(row).returningAll().executeTakeFirstOrThrow()

export const updateEndpointRow = (tx: Tx, id: Id<'webhookEndpoint'>, values: Updateable<Tables['webhookEndpoint']>) =>
  tx.updateTable('webhookEndpoint').set(values).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
