import type { Answer } from '@tollgate/contract/types'
import { hasSold } from '../billing/seller/approval.service.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import { TollgateError } from '../error.ts'
import type { MemberRow, OrganizationRow } from './answers.ts'
import { tellMemberRemoved, tellOrganizationDeleted } from './hooks.service.ts'
import { countMembers, findMemberOf, listMembershipsOf, lockOrganization } from './membership.repository.ts'
import { endMembership, endOrganization, isSoleOwner, soleOwned } from './membership.service.ts'
import { countMembersOf, listMembershipsWithOrganization } from './overview.repository.ts'

/** What becomes of a user's organizations when the user is deleted (auth contract, section 10: "deleting a user"). */

/** What has ended along with a user. */
export type Departures = {
  readonly memberships: readonly MemberRow[]
  readonly organizations: readonly OrganizationRow[]
}

/**
 * Ends every membership of a user, who is locked by then, and every organization that has nobody else. Refused with
 * ONLY_OWNER where others would be left without an owner, and where an organization that would end has sold something: its
 * books must be kept. The same whether organizations are switched on or off: what they are made of is always there. Locked
 * one after the other in the order of their ids, as everybody who locks several does.
 */
export async function leaveAllOrganizations(
  ctx: Context,
  tx: Tx,
  userId: string,
  actorId: string,
): Promise<Departures> {
  const memberships: MemberRow[] = []
  const organizations: OrganizationRow[] = []
  for (const { organizationId } of await listMembershipsOf(tx, userId)) {
    await lockOrganization(tx, organizationId)
    // As it stands under the lock: they may have been removed, or been made the only owner, while it was waited for.
    const member = await findMemberOf(tx, organizationId, userId)
    if (!member) continue
    if ((await countMembers(tx, organizationId)) === 1) {
      if (await hasSold(tx, organizationId)) throw new TollgateError('ONLY_OWNER')
      organizations.push(await endOrganization(ctx, tx, organizationId, actorId))
    } else {
      if (await isSoleOwner(ctx, tx, member)) throw new TollgateError('ONLY_OWNER')
      await endMembership(ctx, tx, member, actorId)
      memberships.push(member)
    }
  }
  return { memberships, organizations }
}

/**
 * Refuses with ONLY_OWNER whoever could not be deleted as things stand now: before they are sent a link that would lead to
 * that refusal. What counts is decided when they are deleted.
 */
export async function refuseNeeded(ctx: Context, userId: string): Promise<void> {
  for (const member of await listMembershipsOf(ctx.db, userId)) {
    const isAlone = (await countMembers(ctx.db, member.organizationId)) === 1
    const isNeeded = isAlone ? await hasSold(ctx.db, member.organizationId) : await isSoleOwner(ctx, ctx.db, member)
    if (isNeeded) throw new TollgateError('ONLY_OWNER')
  }
}

/** Most organizations that are looked at before a deletion. */
const mostPreviewed = 200

/**
 * What would become of a user's organizations if the user were deleted now: which keep the account, and which are deleted
 * along with it. Said beforehand; what counts is decided when they are deleted.
 */
export async function previewUserDeletion(ctx: Context, userId: string): Promise<Answer<'previewUserDeletion'>> {
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
    if (isAlone ? await hasSold(ctx.db, id) : owned.has(id)) blocking.push({ id, name, slug })
    else if (isAlone) ending.push({ id, name, slug })
  }
  return { blocking, ending }
}

type OrganizationName = Pick<OrganizationRow, 'id' | 'name' | 'slug'>

/** Tells the application, after the commit. */
export function tellDepartures(ctx: Context, { memberships, organizations }: Departures): void {
  for (const member of memberships) tellMemberRemoved(ctx, member)
  for (const organization of organizations) tellOrganizationDeleted(ctx, organization)
}
