import type { Context } from '../context.ts'
import type { SessionRow } from '../db/session-row.ts'
import type { Caller } from '../http/route.ts'
import { findUserByEmail, type UserRow } from '../identity/users.service.ts'
import { newId } from '../ids.ts'
import { createOrganizationFor } from './creation.service.ts'
import { inviteMembers } from './invite.service.ts'
import { addMember } from './member.service.ts'
import { findOrganizationBySlug } from './organization.repository.ts'
import { createRole } from './role.service.ts'
import { createTeam } from './team.service.ts'
import { addTeamMember } from './team-member.service.ts'

/** An organization to try things with; people are named by their addresses. */
export type DemoOrganization = {
  readonly name: string
  readonly slug: string
  readonly owner: string
  /** Roles of its own: what they may do. */
  readonly roles: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>
  readonly members: readonly { readonly email: string; readonly role: string }[]
  /** Teams by name: who is in them. */
  readonly teams: Readonly<Record<string, readonly string[]>>
  readonly invitations: readonly { readonly email: string; readonly role: string }[]
}

/** Founds an organization with everything in it, for demonstrations; false when its slug is taken. */
export async function createDemoOrganization(ctx: Context, caller: Caller, demo: DemoOrganization): Promise<boolean> {
  if (await findOrganizationBySlug(ctx.db, demo.slug)) return false
  const { id: organizationId } = await createOrganizationFor(ctx, { ...demo, email: demo.owner })
  const people = await peopleOf(ctx, demo)
  const owner = actingAs(ctx, people[demo.owner]!) // just founded it, so is there

  for (const [role, permission] of Object.entries(demo.roles))
    await createRole(ctx, owner, { organizationId, role, permission: toMutable(permission) })
  for (const { email, role } of demo.members) {
    const user = people[email]
    if (user) await addMember(ctx, caller, { organizationId, userId: user.id, role })
  }
  await createDemoTeams(ctx, owner, organizationId, demo, people)
  for (const { email, role } of demo.invitations)
    await inviteMembers(ctx, caller, owner, { organizationId, emails: [email], role })
  return true
}

async function createDemoTeams(
  ctx: Context,
  owner: SessionRow,
  organizationId: string,
  { teams }: DemoOrganization,
  people: Readonly<Record<string, UserRow>>,
): Promise<void> {
  for (const [name, addresses] of Object.entries(teams)) {
    const { id: teamId } = await createTeam(ctx, owner, { organizationId, name })
    for (const email of addresses) {
      const user = people[email]
      if (user) await addTeamMember(ctx, owner, { organizationId, teamId, userId: user.id })
    }
  }
}

/** The owner and the members, by address; who is not there is left out. */
async function peopleOf(ctx: Context, { owner, members }: DemoOrganization): Promise<Record<string, UserRow>> {
  const people: Record<string, UserRow> = {}
  for (const email of [owner, ...members.map((member) => member.email)]) {
    const user = await findUserByEmail(ctx.db, email)
    if (user) people[email] = user
  }
  return people
}

/** A session of somebody that is nowhere stored: for calls whose rules ask who makes them. */
function actingAs(ctx: Context, user: UserRow): SessionRow {
  const now = ctx.clock.now()
  return {
    user,
    active: null,
    session: {
      id: newId(),
      userId: user.id,
      token: newId(),
      expiresAt: now,
      ipAddress: '',
      userAgent: null,
      activeOrganizationId: null,
      activeTeamId: null,
      impersonatedBy: null,
      impersonationReason: null,
      impersonatedFrom: null,
      neverExtended: false,
      authenticatedAt: now,
      createdAt: now,
      updatedAt: now,
    },
  }
}

const toMutable = (permission: Readonly<Record<string, readonly string[]>>): Record<string, string[]> =>
  Object.fromEntries(Object.entries(permission).map(([resource, actions]) => [resource, [...actions]]))
