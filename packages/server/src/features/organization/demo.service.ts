import type { Context } from '../../foundation/context.ts'
import type { Id } from '../../foundation/db/database.ts'
import type { SessionRow } from '../../foundation/db/session-row.ts'
import type { Caller } from '../../foundation/http/handler.ts'
import { proven } from '../../foundation/proof/proven.ts'
import { unstoredSession } from '../identity/session-answer.ts'
import { findUserByEmail, type UserRow } from '../identity/users.service.ts'
import { createOrganizationFor } from './creation.service.ts'
import { inviteMembers } from './invite.service.ts'
import { addMember } from './member.service.ts'
import { findOrganizationBySlug } from './organization.repository.ts'
import { createRole } from './role.service.ts'
import { createTeam } from './team.service.ts'
import { addTeamMember } from './team-member.service.ts'

/** A demo organization; addresses identify the people. */
export type DemoOrganization = {
  readonly name: string
  readonly slug: string
  readonly owner: string
  /** Permissions by custom role. */
  readonly roles: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>
  readonly members: readonly { readonly email: string; readonly role: string }[]
  /** Addresses of the members by team name. */
  readonly teams: Readonly<Record<string, readonly string[]>>
  readonly invitations: readonly { readonly email: string; readonly role: string }[]
}

/** Creates a demo organization with its content; false if its slug is taken. */
export async function createDemoOrganization(ctx: Context, caller: Caller, demo: DemoOrganization): Promise<boolean> {
  if (await findOrganizationBySlug(ctx.db, demo.slug)) return false
  const { owner: email, name, slug } = demo
  const { id: organizationId } = await createOrganizationFor(ctx, { email, name, slug })
  const people = await peopleOf(ctx, demo)
  const owner = actingAs(ctx, proven(people[demo.owner], 'this person founded it'))

  for (const [role, permission] of Object.entries(demo.roles))
    await createRole({ ctx, caller, session: owner, body: { organizationId, role, permission: toMutable(permission) } })
  for (const { email, role } of demo.members) {
    const user = people[email]
    if (user) await addMember({ ctx, caller, body: { organizationId, userId: user.id, role } })
  }
  await createDemoTeams(ctx, caller, owner, organizationId, demo, people)
  for (const { email, role } of demo.invitations)
    await inviteMembers({ ctx, caller, session: owner, body: { organizationId, emails: [email], role } })
  return true
}

async function createDemoTeams(
  ctx: Context,
  caller: Caller,
  owner: SessionRow,
  organizationId: Id<'organization'>,
  { teams }: DemoOrganization,
  people: Readonly<Record<string, UserRow>>,
): Promise<void> {
  for (const [name, addresses] of Object.entries(teams)) {
    const { id: teamId } = await createTeam({ ctx, caller, session: owner, body: { organizationId, name } })
    for (const email of addresses) {
      const user = people[email]
      if (user) await addTeamMember({ ctx, caller, session: owner, body: { organizationId, teamId, userId: user.id } })
    }
  }
}

/** The existing users among owner and members, by address. */
async function peopleOf(ctx: Context, { owner, members }: DemoOrganization): Promise<Record<string, UserRow>> {
  const people: Record<string, UserRow> = {}
  for (const email of [owner, ...members.map((member) => member.email)]) {
    const user = await findUserByEmail(ctx.db, email)
    if (user) people[email] = user
  }
  return people
}

/** A session for calls that require an acting user. */
const actingAs = (ctx: Context, user: UserRow): SessionRow => ({
  user,
  active: null,
  session: unstoredSession(user.id, ctx.clock.now()),
})

const toMutable = (permission: Readonly<Record<string, readonly string[]>>): Record<string, string[]> =>
  Object.fromEntries(Object.entries(permission).map(([resource, actions]) => [resource, [...actions]]))
