import type { Expression, ExpressionBuilder, Insertable, Selectable, SqlBool } from 'kysely'
import type { Db, Id, Tx } from '../../foundation/db/database.ts'
import { countRows, hasRow } from '../../foundation/db/rows.ts'
import type { Tables } from '../../foundation/db/tables.ts'

export type InvitationLinkRow = Selectable<Tables['invitationLink']>

export const insertLink = (tx: Tx, link: Insertable<Tables['invitationLink']>): Promise<InvitationLinkRow> =>
  tx.insertInto('invitationLink').values(link).returningAll().executeTakeFirstOrThrow()

const ofOrganization = (db: Db, organizationId: Id<'organization'>) =>
  db.selectFrom('invitationLink').selectAll().where('organizationId', '=', organizationId)

export const countLiveLinks = (db: Db, organizationId: Id<'organization'>, now: Date): Promise<number> =>
  countRows(ofOrganization(db, organizationId).where(isLive(now)))

/** Usable links, newest first. */
export const listLiveLinks = (
  db: Db,
  organizationId: Id<'organization'>,
  now: Date,
  page: { limit: number; offset: number },
) =>
  ofOrganization(db, organizationId)
    .where(isLive(now))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute()

export const findLiveLink = (db: Db, tokenHash: string, now: Date): Promise<InvitationLinkRow | undefined> =>
  db.selectFrom('invitationLink').selectAll().where('tokenHash', '=', tokenHash).where(isLive(now)).executeTakeFirst()

/** A link in any state, within one organization. */
export const findLink = (
  db: Db,
  organizationId: Id<'organization'>,
  id: Id<'invitationLink'>,
): Promise<InvitationLinkRow | undefined> => ofOrganization(db, organizationId).where('id', '=', id).executeTakeFirst()

/** Counts a use; returns nothing if none is left. */
export const countUse = (tx: Tx, id: Id<'invitationLink'>): Promise<InvitationLinkRow | undefined> =>
  tx
    .updateTable('invitationLink')
    .set((set) => ({ uses: set('uses', '+', 1) }))
    .where('id', '=', id)
    .where(isLeft)
    .returningAll()
    .executeTakeFirst()

/** Revokes a link, once. */
export const revokeLink = (tx: Tx, organizationId: Id<'organization'>, id: Id<'invitationLink'>, now: Date) =>
  tx
    .updateTable('invitationLink')
    .set({ revokedAt: now })
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .where('revokedAt', 'is', null)
    .returningAll()
    .executeTakeFirst()

export const hasTeam = (db: Db, organizationId: Id<'organization'>, id: Id<'team'>): Promise<boolean> =>
  hasRow(db.selectFrom('team').select('id').where('organizationId', '=', organizationId).where('id', '=', id))

type Where = ExpressionBuilder<Tables, 'invitationLink'>

const isLeft = (where: Where): Expression<SqlBool> =>
  where.or([where('maxUses', 'is', null), where('uses', '<', where.ref('maxUses'))])

/** Not revoked, not expired, not used up. */
const isLive =
  (now: Date) =>
  (where: Where): Expression<SqlBool> =>
    where.and([
      where('revokedAt', 'is', null),
      where.or([where('expiresAt', 'is', null), where('expiresAt', '>', now)]),
      isLeft(where),
    ])
