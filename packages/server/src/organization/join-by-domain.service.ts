import type { Answer, ParsedBody, ParsedQuery } from '@tollgate/contract/types'
import type { Context } from '../context.ts'
import type { Db } from '../db/database.ts'
import type { SessionRow } from '../db/session-row.ts'
import { TollgateError } from '../error.ts'
import type { Caller } from '../http/route.ts'
import { findUser, isBanned, lockUser, type UserRow } from '../identity/users.service.ts'
import type { JobHandler } from '../jobs.ts'
import type { MemberRow } from './answers.ts'
import { type DomainRow, findVerifiedDomain } from './domain.repository.ts'
import { domainOf } from './domain-rules.ts'
import { answerEntry, askToJoin, enter, mayMailRequest, requireNewcomer, wasRemoved } from './entry.service.ts'
import { tellMemberAdded } from './hooks.service.ts'
import { listJoinable } from './join-by-domain.repository.ts'
import { findMemberOf } from './membership.repository.ts'
import { admitMember, requireOrganization } from './membership.service.ts'

const usualLimit = 100
/** What everybody becomes who comes in by a domain, or asks to. */
const role = 'member'

/** Organizations that take people of the caller's domain; to whoever has not verified their address none are told. */
export async function listJoinableOrganizations(
  ctx: Context,
  { user }: SessionRow,
  query: ParsedQuery<'listJoinableOrganizations'>,
): Promise<Answer<'listJoinableOrganizations'>> {
  if (!user.emailVerified) return []
  const page = { limit: query.limit || usualLimit, offset: query.offset ?? 0 }
  const rows = await listJoinable(ctx.db, { domain: domainOf(user.email), userId: user.id }, page)
  const listed: Answer<'listJoinableOrganizations'> = []
  // Few at most: a domain is proved by one organization.
  for (const { joinMode, status, ...organization } of rows) {
    const comesIn = await letsIn(ctx.db, { joinMode, organizationId: organization.id }, user.id)
    listed.push({ ...organization, joinMode: comesIn ? 'auto' : 'request', requested: status !== null })
  }
  return listed
}

/**
 * Joins by the domain of one's address, or asks to: where that is wanted, and for whoever has been removed. Organizations
 * that do not take the caller are as if there were none.
 */
export async function joinOrganization(
  ctx: Context,
  caller: Caller,
  current: SessionRow,
  { organizationId }: ParsedBody<'joinOrganization'>,
): Promise<Answer<'joinOrganization'>> {
  if (!current.user.emailVerified) throw new TollgateError('ORGANIZATION_WANTS_VERIFIED_EMAIL')
  const door = await findDoor(ctx.db, current.user, organizationId)
  const mailsRequest =
    door !== undefined &&
    !(await letsIn(ctx.db, door, current.user.id)) &&
    (await mayMailRequest(ctx, organizationId, current.user))

  const entry = await ctx.transaction(async (tx) => {
    const user = await requireNewcomer(tx, current)
    const organization = await requireOrganization(tx, organizationId, 'JOIN_NOT_ALLOWED')
    if (await findMemberOf(tx, organizationId, user.id)) throw new TollgateError('ALREADY_A_MEMBER')
    const open = await findDoor(tx, user, organizationId)
    if (!open) throw new TollgateError('JOIN_NOT_ALLOWED')
    if (await letsIn(tx, open, user.id)) return enter(ctx, tx, current, organization, { role, by: 'domain' })
    const request = { role, teamId: null, linkId: null }
    await askToJoin(ctx, tx, organization, user, request, mailsRequest ? caller.locale : undefined)
    return undefined
  })
  return entry ? answerEntry(ctx, caller, current, entry) : { status: 'requested', organizationId, member: null }
}

/** The domain of somebody's verified address, where an organization has proved it and takes people by it. */
async function findDoor(db: Db, user: UserRow, organizationId?: string): Promise<DomainRow | undefined> {
  if (!user.emailVerified) return undefined
  const domain = await findVerifiedDomain(db, domainOf(user.email))
  if (!domain || domain.joinMode === 'off') return undefined
  return organizationId === undefined || domain.organizationId === organizationId ? domain : undefined
}

/** Whether somebody comes in by a door without being asked for. */
const letsIn = async (
  db: Db,
  { joinMode, organizationId }: Pick<DomainRow, 'joinMode' | 'organizationId'>,
  userId: string,
): Promise<boolean> => joinMode === 'auto' && !(await wasRemoved(db, organizationId, userId))

/**
 * Lets whoever has just verified their address into the organization that takes everybody of its domain. Run twice, it finds
 * them there. An organization that is full stays as it is, and whoever it has removed stays out.
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
      ctx.log.warn({ organizationId, user: user.id, refusal: error.error }, 'somebody could not join by their domain')
    }
    return undefined
  }
}

/** Nothing where it is not to be any more, or has been done. */
const letIn = (ctx: Context, userId: string, organizationId: string): Promise<MemberRow | undefined> =>
  ctx.transaction(async (tx) => {
    const user = await lockUser(tx, userId)
    if (!user || isBanned(user, ctx.clock.now())) return undefined
    await requireOrganization(tx, organizationId, 'JOIN_NOT_ALLOWED')
    const door = await findDoor(tx, user, organizationId)
    if (!door || (await findMemberOf(tx, organizationId, userId))) return undefined
    if (!(await letsIn(tx, door, userId))) return undefined
    return admitMember(ctx, tx, { organizationId, userId, role, actorId: null, by: 'domain' })
  })
