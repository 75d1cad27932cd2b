import type { Insertable, Selectable } from 'kysely'
import type { Db, Tx } from '../db/database.ts'
import type { Tables } from '../db/tables.ts'

export type DomainRow = Selectable<Tables['organizationDomain']>

export const insertDomain = (tx: Tx, domain: Insertable<Tables['organizationDomain']>): Promise<DomainRow> =>
  tx.insertInto('organizationDomain').values(domain).returningAll().executeTakeFirstOrThrow()

/** The domains of an organization, by name. */
export const listDomainsOf = (db: Db, organizationId: string): Promise<DomainRow[]> =>
  db
    .selectFrom('organizationDomain')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .orderBy('domain')
    .execute()

/** A domain by id, of one organization only: an id of another one finds nothing. */
export const findDomain = (db: Db, organizationId: string, id: string): Promise<DomainRow | undefined> =>
  db
    .selectFrom('organizationDomain')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()

/** A domain of whichever organization, for those who administer the installation. */
export const findAnyDomain = (db: Db, id: string): Promise<DomainRow | undefined> =>
  db.selectFrom('organizationDomain').selectAll().where('id', '=', id).executeTakeFirst()

/** The one organization's that has proved the domain. */
export const findVerifiedDomain = (db: Db, domain: string): Promise<DomainRow | undefined> =>
  db
    .selectFrom('organizationDomain')
    .selectAll()
    .where('domain', '=', domain)
    .where('verifiedAt', 'is not', null)
    .executeTakeFirst()

/** Marks a domain proved, once; where another organization has it already, the unique index refuses. */
export const markDomainVerified = (tx: Tx, id: string, now: Date): Promise<DomainRow | undefined> =>
  tx
    .updateTable('organizationDomain')
    .set({ verifiedAt: now })
    .where('id', '=', id)
    .where('verifiedAt', 'is', null)
    .returningAll()
    .executeTakeFirst()

export const updateJoinMode = (
  tx: Tx,
  organizationId: string,
  id: string,
  joinMode: string,
): Promise<DomainRow | undefined> =>
  tx
    .updateTable('organizationDomain')
    .set({ joinMode })
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()

export const deleteDomain = (tx: Tx, organizationId: string, id: string): Promise<DomainRow | undefined> =>
  tx
    .deleteFrom('organizationDomain')
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
