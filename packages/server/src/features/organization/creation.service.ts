import type { Answer, ParsedBody } from '@tollgate/contract/types'
import type { Context } from '../../foundation/context.ts'
import { type Id, isUniqueViolation, type Tx } from '../../foundation/db/database.ts'
import type { SessionRow } from '../../foundation/db/session-row.ts'
import { TollgateError } from '../../foundation/error.ts'
import type { Caller } from '../../foundation/http/handler.ts'
import { newId } from '../../foundation/ids.ts'
import { actorOf, emit } from '../../foundation/outbox.ts'
import { isAdministrator, requireStillSession } from '../identity/access.ts'
import type { AuthHandler } from '../identity/auth-handler.ts'
import { renewSessionCookies } from '../identity/session-cookies.ts'
import {
  findUser,
  findUserByEmail,
  lockUser,
  type StoredSession,
  setActiveOrganization,
  type UserRow,
} from '../identity/users.service.ts'
import { type MemberRow, type OrganizationRow, type TeamRow, toMember, toOrganization } from './answers.ts'
import { tellMemberAdded, tellOrganizationCreated } from './hooks.service.ts'
import { admitMember } from './membership.service.ts'
import { organizationConfig } from './membership.ts'
import { countMembershipsOf, insertOrganization, insertTeam } from './organization.repository.ts'
import { checkedProfile, requireName, requireSlug } from './profile.ts'

export const createOrganization: AuthHandler<'createOrganization'> = ({ ctx, caller, session, body }) =>
  createOrganizationWith(ctx, caller, session, body)

/**
 * Creates an organization with its creator as first member and, if teams are on, a team of its name. It becomes active
 * in the creator's session unless they keep theirs (specification, section 4). `alongside` writes further rows in the
 * same transaction.
 */
export async function createOrganizationWith(
  ctx: Context,
  caller: Caller,
  current: SessionRow | undefined,
  body: ParsedBody<'createOrganization'>,
  alongside?: (tx: Tx, organizationId: Id<'organization'>) => Promise<void>,
): Promise<Answer<'createOrganization'>> {
  const { userId, keepCurrentActiveOrganization, ...profile } = body
  const plan = toPlan(profile)
  const creator = await requireCreator(ctx, caller, current, userId)
  const limit = await organizationLimit(ctx, creator)
  // Only the caller's own new organization becomes active; naming another owner leaves the session unchanged.
  const activates = creator.id === current?.user.id && !keepCurrentActiveOrganization
  const actorId = current ? actorOf(current) : null

  const { founded, session } = await unlessTaken(() =>
    ctx.transaction(async (tx) => {
      const administers = current !== undefined && (await stillAdministers(ctx, tx, current))
      if (!caller.isServer && !administers && creator.id !== current?.user.id)
        throw new TollgateError('ORGANIZATION_CREATE_NOT_ALLOWED')
      const founded = await found(ctx, tx, plan, creator, limit, actorId)
      if (administers) await ctx.selling.approveFirst(ctx, tx, founded.organization.id, actorId)
      await alongside?.(tx, founded.organization.id)
      return { founded, session: activates && current ? await activate(tx, current, founded) : undefined }
    }),
  )

  if (session && current) renewSessionCookies(ctx, caller, { ...current, session })
  tellFounded(ctx, founded)
  return toAnswer(ctx, founded)
}

/** The same for the operator's own code, for the user with an address. */
export async function createOrganizationFor(
  ctx: Context,
  { email, name, slug }: { email: string; name: string; slug: string },
  alongside?: (tx: Tx, organizationId: Id<'organization'>) => Promise<void>,
): Promise<Answer<'createOrganization'>> {
  const plan = toPlan({ name, slug })
  const creator = await findUserByEmail(ctx.db, email)
  if (!creator) throw new TollgateError('USER_NOT_FOUND')
  const limit = await organizationLimit(ctx, creator)
  const founded = await unlessTaken(() =>
    ctx.transaction(async (tx) => {
      const founded = await found(ctx, tx, plan, creator, limit, null)
      await alongside?.(tx, founded.organization.id)
      return founded
    }),
  )
  tellFounded(ctx, founded)
  return toAnswer(ctx, founded)
}

type Profile = Omit<ParsedBody<'createOrganization'>, 'userId' | 'keepCurrentActiveOrganization'>
type Plan = ReturnType<typeof toPlan>
type Founded = { organization: OrganizationRow; member: MemberRow; team: TeamRow | undefined }

const toPlan = ({ name, slug, ...others }: Profile) => ({
  ...checkedProfile(others),
  name: requireName(name),
  slug: requireSlug(slug),
})

/**
 * The future owner. Administrators and server code may name another user, even if users may not create organizations.
 * For all other callers the name is ignored (auth contract, section 10).
 */
async function requireCreator(
  ctx: Context,
  caller: Caller,
  current: SessionRow | undefined,
  userId: Id<'user'> | undefined,
): Promise<UserRow> {
  const mayName = caller.isServer || (current !== undefined && isAdministrator(ctx, current.user))
  if (mayName && userId !== undefined) {
    const named = await findUser(ctx.db, userId)
    if (!named) throw new TollgateError('USER_NOT_FOUND')
    return named
  }
  if (!current) throw new TollgateError('UNAUTHORIZED')
  if (!(await mayCreate(ctx, current.user))) throw new TollgateError('ORGANIZATION_CREATE_NOT_ALLOWED')
  return current.user
}

/**
 * Whether the caller administers now: functions of the configuration may have taken long. Throws UNAUTHORIZED when the
 * session has ended.
 */
async function stillAdministers(ctx: Context, tx: Tx, current: SessionRow): Promise<boolean> {
  await requireStillSession(tx, current)
  const user = await findUser(tx, current.user.id)
  return user !== undefined && isAdministrator(ctx, user)
}

/** The user as passed to functions of the configuration. */
type Creator = Pick<UserRow, 'id' | 'email' | 'name'>

/** Whether a user may create an organization now, so that pages can say so beforehand. */
export async function mayCreateOrganization(
  ctx: Context,
  user: Creator,
): Promise<{ may: 'create' | 'not-allowed' } | { may: 'limit'; limit: number }> {
  if (!(await mayCreate(ctx, user))) return { may: 'not-allowed' }
  const limit = await organizationLimit(ctx, user)
  if (limit === Number.POSITIVE_INFINITY) return { may: 'create' }
  return (await countMembershipsOf(ctx.db, user.id)) < limit ? { may: 'create' } : { may: 'limit', limit }
}

async function mayCreate(ctx: Context, user: Creator): Promise<boolean> {
  const { allowUserToCreateOrganization: allowed } = organizationConfig(ctx)
  if (typeof allowed === 'boolean') return allowed
  return (await ask(ctx, 'allowUserToCreateOrganization', allowed, user)) === true
}

/** Maximum number of memberships with which a user may create another organization. */
async function organizationLimit(ctx: Context, user: Creator): Promise<number> {
  const { organizationLimit: limit = Number.POSITIVE_INFINITY } = organizationConfig(ctx)
  if (typeof limit === 'number') return limit
  const answered = await ask(ctx, 'organizationLimit', limit, user)
  // A value that is no number allows nothing.
  return typeof answered === 'number' ? answered : 0
}

/** Calls a function of the configuration; a failure allows nothing. */
async function ask<T>(
  ctx: Context,
  setting: string,
  question: (user: { id: string; email: string; name: string }) => T | Promise<T>,
  { id, email, name }: Creator,
): Promise<T | undefined> {
  try {
    return await question({ id, email, name })
  } catch (error) {
    ctx.log.error({ err: error, setting }, 'Configuration function failed')
    return undefined
  }
}

/** Writes everything. The creator's lock makes concurrent creations respect the limit. */
async function found(
  ctx: Context,
  tx: Tx,
  plan: Plan,
  creator: UserRow,
  limit: number,
  actorId: Id<'user'> | null,
): Promise<Founded> {
  if (!(await lockUser(tx, creator.id))) throw new TollgateError('USER_NOT_FOUND')
  if (!((await countMembershipsOf(tx, creator.id)) < limit)) throw new TollgateError('ORGANIZATION_LIMIT_REACHED')

  const { creatorRole, teams } = organizationConfig(ctx)
  const now = ctx.clock.now()
  const organization = await insertOrganization(tx, {
    ...plan,
    id: newId(),
    requireVerifiedEmail: false,
    createdAt: now,
    updatedAt: now,
  })
  const { id: organizationId, name, slug } = organization
  await emit(tx, now, { type: 'organization.created', actorId, userId: null, organizationId, data: { name, slug } })
  const team =
    teams.enabled && teams.defaultTeam.enabled ? await insertDefaultTeam(tx, organization, actorId) : undefined
  const member = await admitMember(ctx, tx, {
    organizationId,
    userId: creator.id,
    role: creatorRole,
    teamIds: team ? [team.id] : [],
    actorId,
    by: 'creation',
  })
  return { organization, member, team }
}

async function insertDefaultTeam(
  tx: Tx,
  { id: organizationId, name, createdAt }: OrganizationRow,
  actorId: Id<'user'> | null,
): Promise<TeamRow> {
  const team = await insertTeam(tx, { id: newId(), organizationId, name, createdAt, updatedAt: null })
  const data = { teamId: team.id, name }
  await emit(tx, createdAt, { type: 'team.created', actorId, userId: null, organizationId, data })
  return team
}

/** Makes it active in the creator's session; refuses if that session has ended meanwhile. */
async function activate(tx: Tx, { session }: SessionRow, { organization, team }: Founded): Promise<StoredSession> {
  const active = { activeOrganizationId: organization.id, activeTeamId: team?.id ?? null }
  const activated = await setActiveOrganization(tx, session.id, active)
  if (!activated) throw new TollgateError('UNAUTHORIZED')
  return activated
}

/** Of two concurrent requests for a slug, the unique index refuses the second. */
export async function unlessTaken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (isUniqueViolation(cause, 'slug')) throw new TollgateError('ORGANIZATION_ALREADY_EXISTS', { cause })
    throw cause
  }
}

function tellFounded(ctx: Context, { organization, member }: Founded): void {
  tellOrganizationCreated(ctx, organization)
  tellMemberAdded(ctx, member)
}

const toAnswer = (ctx: Context, { organization, member, team }: Founded): Answer<'createOrganization'> => ({
  ...toOrganization(organization),
  members: [toMember(member, organizationConfig(ctx).teams.enabled ? (team?.id ?? null) : undefined)],
})
