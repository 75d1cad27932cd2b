import type { Insertable, Selectable } from 'kysely'
import type { Db, Id, Tx } from '../../foundation/db/database.ts'
import { countRows } from '../../foundation/db/rows.ts'
import type { Tables } from '../../foundation/db/tables.ts'

export type RoleRow = Selectable<Tables['organizationRole']>

/** A custom role, by name or id. */
export type NamedRole = { readonly role: string } | { readonly id: Id<'organizationRole'> }

export function findRole(db: Db, organizationId: Id<'organization'>, named: NamedRole): Promise<RoleRow | undefined> {
  const roles = db.selectFrom('organizationRole').selectAll().where('organizationId', '=', organizationId)
  return ('role' in named ? roles.where('role', '=', named.role) : roles.where('id', '=', named.id)).executeTakeFirst()
}

/** All of them; the service limits their number. */
export const listRoleRows = (db: Db, organizationId: Id<'organization'>): Promise<RoleRow[]> =>
  db.selectFrom('organizationRole').selectAll().where('organizationId', '=', organizationId).orderBy('role').execute()

export const countRoles = (db: Db, organizationId: Id<'organization'>): Promise<number> =>
  countRows(db.selectFrom('organizationRole').where('organizationId', '=', organizationId))

export const insertRole = (tx: Tx, role: Insertable<Tables['organizationRole']>): Promise<RoleRow> =>
  tx.insertInto('organizationRole').values(role).returningAll().executeTakeFirstOrThrow()

export const updateRoleRow = (
  tx: Tx,
  id: Id<'organizationRole'>,
  changes: Pick<RoleRow, 'role' | 'permission' | 'updatedAt'>,
) => tx.updateTable('organizationRole').set(changes).where('id', '=', id).returningAll().executeTakeFirstOrThrow()

export async function deleteRoleRow(tx: Tx, id: Id<'organizationRole'>): Promise<void> {
  await tx.deleteFrom('organizationRole').where('id', '=', id).execute()
}

/**
 * Role texts that contain this one, of members and of open invitations, links and requests; `splitRoles` decides which
 * hold it. Expired invitations are excluded, because a renewal names its own role.
 */
export async function listRoleTexts(
  db: Db,
  organizationId: Id<'organization'>,
  role: string,
  now: Date,
): Promise<string[]> {
  const pattern = `%${role}%`
  const rows = await db
    .selectFrom('member')
    .select('role')
    .where('organizationId', '=', organizationId)
    .where('role', 'like', pattern)
    .union(
      db
        .selectFrom('invitation')
        .select('role')
        .where('organizationId', '=', organizationId)
        .where('status', '=', 'pending')
        .where('expiresAt', '>', now)
        .where('role', 'like', pattern),
    )
    .union(
      db
        .selectFrom('invitationLink')
        .select('role')
        .where('organizationId', '=', organizationId)
        .where('revokedAt', 'is', null)
        .where((where) => where.or([where('expiresAt', 'is', null), where('expiresAt', '>', now)]))
        .where((where) => where.or([where('maxUses', 'is', null), where('uses', '<', where.ref('maxUses'))]))
        .where('role', 'like', pattern),
    )
    .union(
      db
        .selectFrom('joinRequest')
        .select('role')
        .where('organizationId', '=', organizationId)
        .where('status', '=', 'pending')
        .where('role', 'like', pattern),
    )
    .execute()
  return rows.map(({ role: text }) => text)
}

/** Replaces a role text in members and in open invitations, links and requests. */
export async function replaceRoleText(
  tx: Tx,
  organizationId: Id<'organization'>,
  before: string,
  role: string,
): Promise<void> {
  await tx
    .updateTable('member')
    .set({ role })
    .where('organizationId', '=', organizationId)
    .where('role', '=', before)
    .execute()
  await tx
    .updateTable('invitation')
    .set({ role })
    .where('organizationId', '=', organizationId)
    .where('role', '=', before)
    .where('status', '=', 'pending')
    .execute()
  await tx
    .updateTable('invitationLink')
    .set({ role })
    .where('organizationId', '=', organizationId)
    .where('role', '=', before)
    .where('revokedAt', 'is', null)
    .execute()
  await tx
    .updateTable('joinRequest')
    .set({ role })
    .where('organizationId', '=', organizationId)
    .where('role', '=', before)
    .where('status', '=', 'pending')
    .execute()
}
