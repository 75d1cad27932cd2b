import type { Answer } from '@tollgate/contract/types'
import type { Context } from '../../foundation/context.ts'
import type { Id, Tx } from '../../foundation/db/database.ts'
import { TollgateError } from '../../foundation/error.ts'
import type { OrganizationsOfUsers } from '../identity/organizations-of-users.ts'
import type { MemberRow, OrganizationRow } from './answers.ts'
import { tellMemberRemoved, tellOrganizationDeleted } from './hooks.service.ts'
import { provesAddress } from './invitation-proof.ts'
import { countMembers, findMemberOf, listMembershipsOf, lockOrganization } from './membership.repository.ts'
import { endMembership, isSoleOwner, removeOrganization, soleOwned } from './membership.service.ts'
import { countMembersOf, listMembershipsWithOrganization } from './overview.repository.ts'

/** What happens to a user's organizations when the user is deleted (auth contract, section 10: "deleting a user"). */

/** Everything that ended with the user. */
type Departures = {
  readonly memberships: readonly MemberRow[]
  readonly organizations: readonly OrganizationRow[]
}

/**
 * Ends every membership of a locked user, every organization without other members, and what the user and these have
 * bought. Refuses with ONLY_OWNER if others would have no owner, or if an organization that would end has sold something:
 * its books must be kept. Applies also while organizations are off, because their rows still exist.
 */
async function leaveAllOrganizations(
  ctx: Context,
  tx: Tx,
  userId: Id<'user'>,
  actorId: Id<'user'>,
): Promise<Departures> {
  const memberships: MemberRow[] = []
  const organizations: OrganizationRow[] = []
  const ids = (await listMembershipsOf(tx, userId)).map(({ organizationId }) => organizationId).toSorted()
  // Lock all organizations before any rows inside them.
  for (const organizationId of ids) await lockOrganization(tx, organizationId)
  const alone: Id<'organization'>[] = []
  for (const organizationId of ids) {
    // Read again under the lock: the membership may have ended or become the only owner's meanwhile.
    const member = await findMemberOf(tx, organizationId, userId)
    if (!member) continue
    if ((await countMembers(tx, organizationId)) === 1) {
      alone.push(organizationId)
    } else {
      if (await isSoleOwner(ctx, tx, member)) throw new TollgateError('ONLY_OWNER')
      await endMembership(ctx, tx, member, actorId)
      memberships.push(member)
    }
  }
  // Customers are locked before the selling side of an organization.
  await ctx.purchasesOfBuyers.endAll(ctx, tx, { userId, organizationIds: alone }, actorId)
  for (const organizationId of alone) {
    if (await ctx.selling.hasSold(tx, organizationId)) throw new TollgateError('ONLY_OWNER')
    organizations.push(await removeOrganization(ctx, tx, organizationId, actorId))
  }
  return { memberships, organizations }
}

/** Refuses with ONLY_OWNER before mailing a link that would end in that refusal. The deletion itself checks again. */
async function refuseNeeded(ctx: Context, userId: Id<'user'>): Promise<void> {
  for (const member of await listMembershipsOf(ctx.db, userId)) {
    const isAlone = (await countMembers(ctx.db, member.organizationId)) === 1
    const isNeeded = isAlone
      ? await ctx.selling.hasSold(ctx.db, member.organizationId)
      : await isSoleOwner(ctx, ctx.db, member)
    if (isNeeded) throw new TollgateError('ONLY_OWNER')
  }
}

/** Maximum number of organizations in the preview. */
const mostPreviewed = 200

/**
 * Which organizations would block the user's deletion now, which would be deleted too, and which purchases would end. The
 * deletion itself checks again.
 */
export async function previewDeletion(ctx: Context, userId: Id<'user'>): Promise<Answer<'previewUserDeletion'>> {
  const memberships = await listMembershipsWithOrganization(ctx.db, userId, mostPreviewed)
  const held = memberships.map(({ id, memberRole }) => ({ organizationId: id, role: memberRole }))
  const owned = await soleOwned(ctx, ctx.db, userId, held)
  const members = await countMembersOf(
    ctx.db,
    memberships.map(({ id }) => id),
  )
  const blocking: OrganizationName[] = []
  const ending: OrganizationName[] = []
  for (const { id, name, slug } of memberships) {
    const isAlone = members.get(id) === 1
    if (isAlone ? await ctx.selling.hasSold(ctx.db, id) : owned.has(id)) blocking.push({ id, name, slug })
    else if (isAlone) ending.push({ id, name, slug })
  }
  const organizationIds = ending.map(({ id }) => id)
  const purchases = await ctx.purchasesOfBuyers.plan(ctx.db, { userId, organizationIds })
  return { blocking, ending, purchases }
}

type OrganizationName = Pick<OrganizationRow, 'id' | 'name' | 'slug'>

/** Notifies the application, after the commit. */
function tellDepartures(ctx: Context, { memberships, organizations }: Departures): void {
  for (const member of memberships) tellMemberRemoved(ctx, member)
  for (const organization of organizations) tellOrganizationDeleted(ctx, organization)
}

/** The operations on organizations that accounts need. */
export const organizationsOfUsers: OrganizationsOfUsers = {
  provesAddress,
  previewDeletion,
  refuseNeeded,
  async leaveAll(ctx, tx, userId, actorId) {
    const departures = await leaveAllOrganizations(ctx, tx, userId, actorId)
    return () => tellDepartures(ctx, departures)
  },
}
