import type { Answer, ParsedBody } from '@tollgate/contract/types'
import { tellSeller } from '../billing/seller/approval.service.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import type { SessionRow } from '../db/session-row.ts'
import { TollgateError } from '../error.ts'
import type { Caller } from '../http/route.ts'
import { renewSessionCookies } from '../identity/session-cookies.ts'
import { findUser } from '../identity/users.service.ts'
import { type Membership, organizationConfig, requireMember, requirePermission } from '../membership.ts'
import { actorOf, emit } from '../outbox.ts'
import { toOrganization } from './answers.ts'
import { unlessTaken } from './creation.service.ts'
import { tellOrganizationDeleted } from './hooks.service.ts'
import { endOrganization, listOwners, requireOrganization } from './membership.service.ts'
import { findOrganization, findOrganizationBySlug, updateOrganizationRow } from './organization.repository.ts'
import { checkedProfile, requireSlug } from './profile.ts'

/** Whether a slug could be taken now. */
export async function checkOrganizationSlug(
  ctx: Context,
  body: ParsedBody<'checkOrganizationSlug'>,
): Promise<{ status: true }> {
  const slug = requireSlug(body.slug)
  if (await findOrganizationBySlug(ctx.db, slug)) throw new TollgateError('SLUG_TAKEN')
  return { status: true }
}

/**
 * Changes what an organization says about itself, and who may act in it. Whoever asks for verified addresses has one:
 * they would shut themselves out. Nor does anybody but an owner shut out an owner.
 */
export async function updateOrganization(
  ctx: Context,
  current: SessionRow,
  body: ParsedBody<'updateOrganization'>,
): Promise<Answer<'updateOrganization'>> {
  const organizationId = body.organizationId ?? current.session.activeOrganizationId
  if (!organizationId) throw new TollgateError('ORGANIZATION_NOT_FOUND')
  const requireRight = async (db: Context['db']) => {
    const membership = await requireMember(ctx, db, current, organizationId, 'NOT_A_MEMBER')
    requirePermission(membership, 'organization', 'update', 'ORGANIZATION_UPDATE_NOT_ALLOWED')
    return membership
  }
  // Once before the lock, so that nobody holds up an organization that is not theirs, and once as it stands under it.
  await requireRight(ctx.db)
  const { requireVerifiedEmail } = body.data
  if (requireVerifiedEmail && !current.user.emailVerified) throw new TollgateError('ORGANIZATION_WANTS_VERIFIED_EMAIL')
  const changes = { ...checkedProfile(body.data), ...(requireVerifiedEmail !== undefined && { requireVerifiedEmail }) }
  if (Object.keys(changes).length === 0) return unchanged(ctx, organizationId)

  const now = ctx.clock.now()
  const updated = await unlessTaken(() =>
    ctx.transaction(async (tx) => {
      const before = await requireOrganization(tx, organizationId, 'ORGANIZATION_NOT_FOUND')
      const membership = await requireRight(tx)
      if (requireVerifiedEmail && !before.requireVerifiedEmail) await requireNoOwnerShutOut(ctx, tx, membership)
      const row = await updateOrganizationRow(tx, organizationId, { ...changes, updatedAt: now })
      if (!row) throw new TollgateError('ORGANIZATION_NOT_FOUND')
      const data = { fields: Object.keys(changes).join() }
      await emit(tx, now, {
        type: 'organization.updated',
        actorId: actorOf(current),
        userId: null,
        organizationId,
        data,
      })
      await tellSeller(ctx, tx, organizationId, actorOf(current))
      return row
    }),
  )
  return toOrganization(updated)
}

/** Changes name or picture, checked by then, in a transaction that has locked the organization and tells of the change. */
export async function changeProfile(
  tx: Tx,
  organizationId: string,
  profile: { readonly name?: string; readonly logo?: string | null },
  now: Date,
): Promise<void> {
  await updateOrganizationRow(tx, organizationId, { ...profile, updatedAt: now })
}

/** Owners are above everybody else here: an address of theirs that is not verified is theirs to mind. */
async function requireNoOwnerShutOut(ctx: Context, tx: Tx, { isOwner, organizationId }: Membership): Promise<void> {
  if (isOwner) return
  for (const { userId } of await listOwners(ctx, tx, [organizationId]))
    if (!(await findUser(tx, userId))?.emailVerified) throw new TollgateError('ORGANIZATION_UPDATE_NOT_ALLOWED')
}

async function unchanged(ctx: Context, organizationId: string): Promise<Answer<'updateOrganization'>> {
  const row = await findOrganization(ctx.db, organizationId)
  if (!row) throw new TollgateError('ORGANIZATION_NOT_FOUND')
  return toOrganization(row)
}

/** Deletes an organization with everything in it, but for its events; nobody acts in it any more. */
export async function deleteOrganization(
  ctx: Context,
  caller: Caller,
  current: SessionRow,
  { organizationId }: ParsedBody<'deleteOrganization'>,
): Promise<Answer<'deleteOrganization'>> {
  if (organizationConfig(ctx).disableOrganizationDeletion) throw new TollgateError('ORGANIZATION_DELETION_DISABLED')
  const requireRight = async (db: Context['db']) => {
    const membership = await requireMember(ctx, db, current, organizationId, 'NOT_A_MEMBER')
    requirePermission(membership, 'organization', 'delete', 'ORGANIZATION_DELETE_NOT_ALLOWED')
  }
  await requireRight(ctx.db)

  const deleted = await ctx.transaction(async (tx) => {
    await requireOrganization(tx, organizationId, 'ORGANIZATION_NOT_FOUND')
    await requireRight(tx)
    return endOrganization(ctx, tx, organizationId, actorOf(current))
  })
  const { session } = current
  if (session.activeOrganizationId === organizationId)
    renewSessionCookies(ctx, caller, {
      ...current,
      session: { ...session, activeOrganizationId: null, activeTeamId: null },
    })
  tellOrganizationDeleted(ctx, deleted)
  return toOrganization(deleted)
}
