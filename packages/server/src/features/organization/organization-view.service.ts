import type { Answer } from '@tollgate/contract/types'
import type { Context } from '../../foundation/context.ts'
import type { Id } from '../../foundation/db/database.ts'
import type { SessionRow } from '../../foundation/db/session-row.ts'
import { TollgateError } from '../../foundation/error.ts'
import { keptAnswers } from '../../foundation/kept-answers.ts'
import type { AuthHandler } from '../identity/auth-handler.ts'
import { renewSessionCookies } from '../identity/session-cookies.ts'
import { type StoredSession, setActiveOrganization as setActive } from '../identity/users.service.ts'
import { type OrganizationRow, toInvitation, toMemberWithUser, toOrganization, toTeam } from './answers.ts'
import { listInvitationsOf } from './invitation.repository.ts'
import { organizationConfig, requireMember } from './membership.ts'
import {
  findOrganization,
  findOrganizationBySlug,
  isStillMember,
  listMembersOf,
  listOrganizationsOf,
} from './organization.repository.ts'
import { toSlug } from './slug-rules.ts'
import { listTeamRows } from './team.repository.ts'

/** Maximum number of organizations per answer. */
const listLimit = 1000
/** Maximum number of invitations, and of teams, in a full organization; other calls page through them. */
const partLimit = 500

/** Maximum number of parts, such as members, in the cached answers of one kind: about 10 MB. */
const keptLimit = 20_000

const keptLists = keptAnswers<Answer<'listOrganizations'>>('organizations', keptLimit, (list) => 1 + list.length)

type Full = NonNullable<Answer<'getFullOrganization'>>

const keptWholes = keptAnswers<Full>(
  'organizations',
  keptLimit,
  ({ members, invitations, teams }) => 1 + members.length + invitations.length + (teams?.length ?? 0),
)

export const listOrganizations: AuthHandler<'listOrganizations'> = async ({ ctx, caller, session, query }) => {
  const { user } = session
  const { limit, offset = 0 } = query
  const read = async () => {
    const rows = await listOrganizationsOf(ctx.db, user.id, { limit: limit || listLimit, offset })
    return rows.map(toOrganization)
  }
  // Pages of a list are rare.
  return limit || offset ? read() : keptLists({ ctx, caller }, user.id, read)
}

/** The named organization, otherwise the active one; null if there is neither. */
export const getOrganization: AuthHandler<'getOrganization'> = async ({ ctx, session, query }) => {
  const organization = await requireNamed(ctx, session, query)
  return organization && toOrganization(await organization.read())
}

/** The same with its members, invitations and teams. */
export const getFullOrganization: AuthHandler<'getFullOrganization'> = async ({ ctx, caller, session, query }) => {
  const organization = await requireNamed(ctx, session, query)
  if (!organization) return null
  const read = () => readWhole(ctx, organization, query.membersLimit)
  // Other limits are rare.
  return query.membersLimit ? read() : keptWholes({ ctx, caller }, organization.id, read)
}

async function readWhole(ctx: Context, organization: Named, membersLimit?: number): Promise<Full> {
  const [parts, teams] = await Promise.all([
    readParts(ctx, await organization.read(), membersLimit),
    listTeamRows(ctx.db, organization.id, { limit: partLimit, offset: 0 }),
  ])
  return { ...parts, teams: teams.map(toTeam) }
}

/**
 * Sets or clears the session's active organization; without a name it answers with the active one. A refusal leaves it
 * unchanged (auth contract, section 6).
 */
export const setActiveOrganization: AuthHandler<'setActiveOrganization'> = async ({
  ctx,
  caller,
  session: current,
  body,
}) => {
  const { session } = current
  const { organizationId, organizationSlug } = body
  const organization =
    organizationId === null ? null : await requireNamed(ctx, current, { organizationId, organizationSlug })
  const isOther = (organization?.id ?? null) !== session.activeOrganizationId
  const active = isOther ? await activate(ctx, current, organization) : session
  renewSessionCookies(ctx, caller, { ...current, session: active })
  return organization && { ...(await readParts(ctx, await organization.read())), teams: null }
}

/** Clears the active team, because it belongs to the previous organization. */
function activate(ctx: Context, { session, user }: SessionRow, organization: Named | null): Promise<StoredSession> {
  return ctx.transaction(async (tx) => {
    // The lock makes a concurrent removal wait, which then clears the active organization too.
    if (organization && !(await isStillMember(tx, organization.id, user.id)))
      throw new TollgateError('NOT_A_MEMBER_FORBIDDEN')
    const active = { activeOrganizationId: organization?.id ?? null, activeTeamId: null }
    const activated = await setActive(tx, session.id, active)
    if (!activated) throw new TollgateError('UNAUTHORIZED')
    return activated
  })
}

/** An organization of the caller, whose row is read on demand. */
type Named = { readonly id: string; readonly read: () => Promise<OrganizationRow> }

/** By slug, by id, or the active one. Unknown organizations and those of others get the same refusal. */
async function requireNamed(
  ctx: Context,
  current: SessionRow,
  named: { organizationId?: Id<'organization'> | undefined; organizationSlug?: string | undefined },
): Promise<Named | null> {
  const { organizationSlug: slug } = named
  const bySlug = slug ? await findOrganizationBySlug(ctx.db, toSlug(slug)) : undefined
  const id = slug ? bySlug?.id : named.organizationId || current.session.activeOrganizationId
  if (!slug && !id) return null
  if (!id) throw new TollgateError('NOT_A_MEMBER_FORBIDDEN')
  await requireMember(ctx, ctx.db, current, id, 'NOT_A_MEMBER_FORBIDDEN')
  const read = async () => {
    const row = bySlug ?? (await findOrganization(ctx.db, id))
    if (!row) throw new TollgateError('NOT_A_MEMBER_FORBIDDEN')
    return row
  }
  return { id, read }
}

/** Everything but the teams; oldest members first. */
async function readParts(ctx: Context, organization: OrganizationRow, membersLimit?: number) {
  const { membershipLimit, teams } = organizationConfig(ctx)
  const [members, invitations] = await Promise.all([
    listMembersOf(ctx.db, organization.id, membersLimit || membershipLimit),
    listInvitationsOf(ctx.db, organization.id, { limit: partLimit, offset: 0 }),
  ])
  return {
    ...toOrganization(organization),
    members: members.map((row) => toMemberWithUser(row, teams.enabled ? row.firstTeamId : undefined)),
    invitations: invitations.map(toInvitation),
  }
}
