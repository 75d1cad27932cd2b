import type { Insertable, Selectable } from 'kysely'
import type { Db, Tx } from '../db/database.ts'
import type { Tables } from '../db/tables.ts'

export type RoleRow = Selectable<Tables['organizationRole']>

/** How a role of an organization's own is named. */
export type NamedRole = { readonly role: string } | { readonly id: string }

export function findRole(db: Db, organizationId: string, named: NamedRole): Promise<RoleRow | undefined> {
  const roles = db.selectFrom('organizationRole').selectAll().where('organizationId', '=', organizationId)
  return ('role' in named ? roles.where('role', '=', named.role) : roles.where('id', '=', named.id)).executeTakeFirst()
}

/** All of them; there are as many as the service lets in. */
export const listRoleRows = (db: Db, organizationId: string): Promise<RoleRow[]> =>
  db.selectFrom('organizationRole').selectAll().where('organizationId', '=', organizationId).orderBy('role').execute()

export async function countRoles(db: Db, organizationId: string): Promise<number> {
  const row = await db
    .selectFrom('organizationRole')
    .select((count) => count.fn.countAll<number | string>().as('count'))
    .where('organizationId', '=', organizationId)
    .executeTakeFirstOrThrow()
  return Number(row.count) // PostgreSQL gives a text
}

export const insertRole = (tx: Tx, role: Insertable<Tables['organizationRole']>): Promise<RoleRow> =>
  tx.insertInto('organizationRole').values(role).returningAll().executeTakeFirstOrThrow()

export const updateRoleRow = (
  tx: Tx,
  id: string,
  changes: { readonly role: string; readonly permission: string; readonly updatedAt: Date },
): Promise<RoleRow> =>
  tx.updateTable('organizationRole').set(changes).where('id', '=', id).returningAll().executeTakeFirstOrThrow()

export async function deleteRoleRow(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('organizationRole').where('id', '=', id).execute()
}

/**
 * Texts of roles that have this one in them somewhere: of members, and of what can still make one. Which of them really
 * hold it, `splitRoles` decides. An invitation that has run out is renewed with a role of its own.
 */
export async function listRoleTexts(db: Db, organizationId: string, role: string, now: Date): Promise<string[]> {
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

/** Puts one text of roles in place of another, of members and of what can still make one. */
export async function replaceRoleText(tx: Tx, organizationId: string, before: string, role: string): Promise<void> {
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
