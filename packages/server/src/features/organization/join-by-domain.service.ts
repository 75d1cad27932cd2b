import type { Answer } from '@tollgate/contract/types'
import type { Context } from '../../foundation/context.ts'
import type { Db, Id } from '../../foundation/db/database.ts'
import { TollgateError } from '../../foundation/error.ts'
import type { JobHandler } from '../../foundation/jobs.ts'
import type { AuthHandler } from '../identity/auth-handler.ts'
import { findUser, isBanned, lockUser, type UserRow } from '../identity/users.service.ts'
import type { MemberRow } from './answers.ts'
import { type DomainRow, findVerifiedDomain } from './domain.repository.ts'
import { domainOf } from './domain-rules.ts'
import { answerEntry, askToJoin, enter, mayMailRequest, requireNewcomer, wasRemoved } from './entry.service.ts'
import { tellMemberAdded } from './hooks.service.ts'
import { listJoinable } from './join-by-domain.repository.ts'
import { findMemberOf } from './membership.repository.ts'
import { admitMember, requireOrganization } from './membership.service.ts'

const usualLimit = 100
/** The role of members who join by domain. */
const role = 'member'

/** Organizations that accept the caller's domain; none before the address is verified. */
export const listJoinableOrganizations: AuthHandler<'listJoinableOrganizations'> = async ({ ctx, session, query }) => {
  const { user } = session
  if (!user.emailVerified) return []
  const page = { limit: query.limit || usualLimit, offset: query.offset ?? 0 }
  const rows = await listJoinable(ctx.db, { domain: domainOf(user.email), userId: user.id }, page)
  const listed: Answer<'listJoinableOrganizations'> = []
  // At most a few, because one organization has a verified domain.
  for (const { joinMode, status, ...organization } of rows) {
    const comesIn = await letsIn(ctx.db, { joinMode, organizationId: organization.id }, user.id)
    listed.push({ ...organization, joinMode: comesIn ? 'auto' : 'request', requested: status !== null })
  }
  return listed
}

/**
 * Joins by the domain of the caller's address. In request mode, or after a removal, this creates a request.
 * Organizations that do not accept the caller look like unknown ones.
 */
export const joinOrganization: AuthHandler<'joinOrganization'> = async ({ ctx, caller, session, body }) => {
  const { organizationId } = body
  if (!session.user.emailVerified) throw new TollgateError('ORGANIZATION_WANTS_VERIFIED_EMAIL')
  const door = await findDoor(ctx.db, session.user, organizationId)
  const mailsRequest =
    door !== undefined &&
    !(await letsIn(ctx.db, door, session.user.id)) &&
    (await mayMailRequest(ctx, organizationId, session.user))

  const entry = await ctx.transaction(async (tx) => {
    const user = await requireNewcomer(tx, session)
    const organization = await requireOrganization(tx, organizationId, 'JOIN_NOT_ALLOWED')
    if (await findMemberOf(tx, organizationId, user.id)) throw new TollgateError('ALREADY_A_MEMBER')
    const open = await findDoor(tx, user, organizationId)
    if (!open) throw new TollgateError('JOIN_NOT_ALLOWED')
    if (await letsIn(tx, open, user.id)) return enter(ctx, tx, session, organization, { role, by: 'domain' })
    const request = { role, teamId: null, linkId: null }
    await askToJoin(ctx, tx, organization, user, request, mailsRequest ? caller.locale : undefined)
    return undefined
  })
  return entry ? answerEntry(ctx, caller, session, entry) : { status: 'requested', organizationId, member: null }
}

/** The verified domain that accepts the user's verified address. */
async function findDoor(db: Db, user: UserRow, organizationId?: Id<'organization'>): Promise<DomainRow | undefined> {
  if (!user.emailVerified) return undefined
  const domain = await findVerifiedDomain(db, domainOf(user.email))
  if (!domain || domain.joinMode === 'off') return undefined
  return organizationId === undefined || domain.organizationId === organizationId ? domain : undefined
}

/** Whether the user may join without a request. */
const letsIn = async (
  db: Db,
  { joinMode, organizationId }: Pick<DomainRow, 'joinMode' | 'organizationId'>,
  userId: Id<'user'>,
): Promise<boolean> => joinMode === 'auto' && !(await wasRemoved(db, organizationId, userId))

/**
 * Adds a user with a newly verified address to the organization that auto-joins its domain. A second run is a no-op. A
 * full organization or an earlier removal prevents joining.
 */
export function createJoinByDomainHandler(ctx: Context): JobHandler {
  return async (job) => {
    if (ctx.config.organization === false) return undefined
    const user = await findUser(ctx.db, job.payload)
    const door = user && (await findDoor(ctx.db, user))
    if (!user || door?.joinMode !== 'auto') return undefined
    try {
      const member = await letIn(ctx, user.id, door.organizationId)
      if (member) tellMemberAdded(ctx, member)
    } catch (error) {
      if (!(error instanceof TollgateError)) throw error
      const { organizationId } = door
      ctx.log.warn({ organizationId, user: user.id, refusal: error.error }, 'Join by domain refused')
    }
    return undefined
  }
}

/** Undefined if the user may no longer join or is a member. */
const letIn = (ctx: Context, userId: Id<'user'>, organizationId: Id<'organization'>): Promise<MemberRow | undefined> =>
  ctx.transaction(async (tx) => {
    const user = await lockUser(tx, userId)
    if (!user || isBanned(user, ctx.clock.now())) return undefined
    await requireOrganization(tx, organizationId, 'JOIN_NOT_ALLOWED')
    const door = await findDoor(tx, user, organizationId)
    if (!door || (await findMemberOf(tx, organizationId, userId))) return undefined
    if (!(await letsIn(tx, door, userId))) return undefined
    return admitMember(ctx, tx, { organizationId, userId, role, actorId: null, by: 'domain' })
  })
