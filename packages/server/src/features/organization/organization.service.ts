import type { Answer } from '@tollgate/contract/types'
import type { Context } from '../../foundation/context.ts'
import type { Db, Id, Tx } from '../../foundation/db/database.ts'
import type { SessionRow } from '../../foundation/db/session-row.ts'
import { TollgateError } from '../../foundation/error.ts'
import { actorOf, emit } from '../../foundation/outbox.ts'
import { requireStillSession } from '../identity/access.ts'
import type { AuthHandler } from '../identity/auth-handler.ts'
import { renewSessionCookies } from '../identity/session-cookies.ts'
import { findUser } from '../identity/users.service.ts'
import { forgetUnlessShown, receivePicture, storePicture } from '../pictures/picture.service.ts'
import { type OrganizationRow, toOrganization } from './answers.ts'
import { unlessTaken } from './creation.service.ts'
import { tellOrganizationDeleted } from './hooks.service.ts'
import { endOrganization, listOwners, requireOrganization } from './membership.service.ts'
import { type Membership, organizationConfig, requireMember, requirePermission } from './membership.ts'
import { findOrganization, findOrganizationBySlug, updateOrganizationRow } from './organization.repository.ts'
import { checkedProfile, requireSlug } from './profile.ts'

/** Whether a slug is free now. */
export const checkOrganizationSlug: AuthHandler<'checkOrganizationSlug'> = async ({ ctx, body }) => {
  const slug = requireSlug(body.slug)
  if (await findOrganizationBySlug(ctx.db, slug)) throw new TollgateError('SLUG_TAKEN')
  return { status: true }
}

/**
 * Changes an organization's profile and its requirement of verified addresses. A caller who turns that on needs a
 * verified address, or they would lock themselves out. Only an owner may lock out an owner.
 */
export const updateOrganization: AuthHandler<'updateOrganization'> = async ({ ctx, session, body }) => {
  const organizationId = namedOrActive(body, session)
  // Checked before the lock, so that strangers cannot block the organization, and again under it.
  await requireEditor(ctx, ctx.db, session, organizationId)
  const { requireVerifiedEmail } = body.data
  if (requireVerifiedEmail && !session.user.emailVerified) throw new TollgateError('ORGANIZATION_WANTS_VERIFIED_EMAIL')
  const changes = checkedProfile(body.data)
  if (Object.keys(changes).length === 0) return unchanged(ctx, organizationId)

  const updated = await unlessTaken(() =>
    ctx.transaction(async (tx) => {
      const before = await requireOrganization(tx, organizationId, 'ORGANIZATION_NOT_FOUND')
      const membership = await requireEditor(ctx, tx, session, organizationId)
      if (requireVerifiedEmail && !before.requireVerifiedEmail) await requireNoOwnerShutOut(ctx, tx, membership)
      return writeProfile(ctx, tx, session, organizationId, changes)
    }),
  )
  return toOrganization(updated)
}

/** Stores an uploaded picture as the logo, in place of an earlier uploaded one. */
export const uploadOrganizationLogo: AuthHandler<'uploadOrganizationLogo'> = async ({ ctx, session, query, file }) => {
  const organizationId = namedOrActive(query, session)
  await requireEditor(ctx, ctx.db, session, organizationId)
  const picture = await receivePicture(ctx, session.user.id, file)
  const updated = await ctx.transaction(async (tx) => {
    await requireOrganization(tx, organizationId, 'ORGANIZATION_NOT_FOUND')
    await requireEditor(ctx, tx, session, organizationId)
    await requireStillSession(tx, session)
    await storePicture(ctx, tx, { organizationId }, picture)
    return writeProfile(ctx, tx, session, organizationId, { logo: picture.url })
  })
  return toOrganization(updated)
}

function namedOrActive(given: { readonly organizationId?: string | undefined }, { session }: SessionRow): string {
  const organizationId = given.organizationId ?? session.activeOrganizationId
  if (!organizationId) throw new TollgateError('ORGANIZATION_NOT_FOUND')
  return organizationId
}

async function requireEditor(
  ctx: Context,
  db: Db,
  session: SessionRow,
  organizationId: Id<'organization'>,
): Promise<Membership> {
  const membership = await requireMember(ctx, db, session, organizationId, 'NOT_A_MEMBER')
  requirePermission(membership, 'organization', 'update', 'ORGANIZATION_UPDATE_NOT_ALLOWED')
  return membership
}

/** Writes checked changes and their event. */
async function writeProfile(
  ctx: Context,
  tx: Tx,
  session: SessionRow,
  organizationId: Id<'organization'>,
  changes: ReturnType<typeof checkedProfile>,
): Promise<OrganizationRow> {
  const now = ctx.clock.now()
  const row = await updateOrganizationRow(tx, organizationId, { ...changes, updatedAt: now })
  if (!row) throw new TollgateError('ORGANIZATION_NOT_FOUND')
  if (changes.logo !== undefined) await forgetUnlessShown(tx, { organizationId }, changes.logo)
  const actorId = actorOf(session)
  const data = { fields: Object.keys(changes).join() }
  await emit(tx, now, { type: 'organization.updated', actorId, userId: null, organizationId, data })
  await ctx.selling.tellProfile(ctx, tx, organizationId, actorId)
  return row
}

/** Updates the validated name or logo of the locked organization. */
export async function changeProfile(
  tx: Tx,
  organizationId: Id<'organization'>,
  profile: { readonly name?: string; readonly logo?: string | null },
  now: Date,
): Promise<void> {
  await updateOrganizationRow(tx, organizationId, { ...profile, updatedAt: now })
  if (profile.logo !== undefined) await forgetUnlessShown(tx, { organizationId }, profile.logo)
}

/** Owners are exempt: their own unverified address is their concern. */
async function requireNoOwnerShutOut(ctx: Context, tx: Tx, { isOwner, organizationId }: Membership): Promise<void> {
  if (isOwner) return
  for (const { userId } of await listOwners(ctx, tx, [organizationId]))
    if (!(await findUser(tx, userId))?.emailVerified) throw new TollgateError('ORGANIZATION_UPDATE_NOT_ALLOWED')
}

async function unchanged(ctx: Context, organizationId: Id<'organization'>): Promise<Answer<'updateOrganization'>> {
  const row = await findOrganization(ctx.db, organizationId)
  if (!row) throw new TollgateError('ORGANIZATION_NOT_FOUND')
  return toOrganization(row)
}

/** What a deletion ends: whether sales block it, and which purchases of the organization end. */
export const previewOrganizationDeletion: AuthHandler<'previewOrganizationDeletion'> = async ({
  ctx,
  session,
  query: { organizationId },
}) => {
  await requireDeleter(ctx, ctx.db, session, organizationId)
  return planOrganizationDeletion(ctx, organizationId)
}

/** The effect of deleting an organization now; the deletion itself checks again. */
export const planOrganizationDeletion = async (
  ctx: Context,
  organizationId: Id<'organization'>,
): Promise<Answer<'previewOrganizationDeletion'>> => ({
  hasSold: await ctx.selling.hasSold(ctx.db, organizationId),
  purchases: await ctx.purchasesOfBuyers.plan(ctx.db, { userId: null, organizationIds: [organizationId] }),
})

async function requireDeleter(ctx: Context, db: Db, session: SessionRow, organizationId: Id<'organization'>) {
  if (organizationConfig(ctx).disableOrganizationDeletion) throw new TollgateError('ORGANIZATION_DELETION_DISABLED')
  const membership = await requireMember(ctx, db, session, organizationId, 'NOT_A_MEMBER')
  requirePermission(membership, 'organization', 'delete', 'ORGANIZATION_DELETE_NOT_ALLOWED')
}

/** Deletes an organization and its content except its events, and deactivates it in all sessions. */
export const deleteOrganization: AuthHandler<'deleteOrganization'> = async ({
  ctx,
  caller,
  session: current,
  body: { organizationId },
}) => {
  await requireDeleter(ctx, ctx.db, current, organizationId)

  const deleted = await ctx.transaction(async (tx) => {
    await requireOrganization(tx, organizationId, 'ORGANIZATION_NOT_FOUND')
    await requireDeleter(ctx, tx, current, organizationId)
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
