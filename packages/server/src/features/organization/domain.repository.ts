import type { Insertable, Selectable } from 'kysely'
import type { Db, Id, Tx } from '../../foundation/db/database.ts'
import type { Tables } from '../../foundation/db/tables.ts'

export type DomainRow = Selectable<Tables['organizationDomain']>

export const insertDomain = (tx: Tx, domain: Insertable<Tables['organizationDomain']>): Promise<DomainRow> =>
  tx.insertInto('organizationDomain').values(domain).returningAll().executeTakeFirstOrThrow()

const domains = (db: Db) => db.selectFrom('organizationDomain').selectAll()

/** The domains of an organization, by name. */
export const listDomainsOf = (db: Db, organizationId: Id<'organization'>): Promise<DomainRow[]> =>
  domains(db).where('organizationId', '=', organizationId).orderBy('domain').execute()

/** A domain by id, within one organization. */
export const findDomain = (
  db: Db,
  organizationId: Id<'organization'>,
  id: Id<'organizationDomain'>,
): Promise<DomainRow | undefined> =>
  domains(db).where('organizationId', '=', organizationId).where('id', '=', id).executeTakeFirst()

/** A domain of any organization, for administrators. */
export const findAnyDomain = (db: Db, id: Id<'organizationDomain'>): Promise<DomainRow | undefined> =>
  domains(db).where('id', '=', id).executeTakeFirst()

/** The verified row of a domain; at most one organization has it. */
export const findVerifiedDomain = (db: Db, domain: string): Promise<DomainRow | undefined> =>
  domains(db).where('domain', '=', domain).where('verifiedAt', 'is not', null).executeTakeFirst()

/** Marks a domain verified, once; the unique index refuses a domain that another organization has verified. */
export const markDomainVerified = (tx: Tx, id: Id<'organizationDomain'>, now: Date): Promise<DomainRow | undefined> =>
  tx
    .updateTable('organizationDomain')
    .set({ verifiedAt: now })
    .where('id', '=', id)
    .where('verifiedAt', 'is', null)
    .returningAll()
    .executeTakeFirst()

export const updateJoinMode = (
  tx: Tx,
  organizationId: Id<'organization'>,
  id: Id<'organizationDomain'>,
  joinMode: DomainRow['joinMode'],
) =>
  tx
    .updateTable('organizationDomain')
    .set({ joinMode })
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()

export const deleteDomain = (
  tx: Tx,
  organizationId: Id<'organization'>,
  id: Id<'organizationDomain'>,
): Promise<DomainRow | undefined> =>
  tx
    .deleteFrom('organizationDomain')
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
