import { type CallAnswer, call, cookieOf, password } from './calls.ts'
import { type FreshDatabase, freshPostgres } from './databases.ts'
import { type ServerOptions, type ServerProcess, startServer } from './server-process.ts'
import { lookInto } from './state.ts'

/** A user who is signed in at every process. */
export type Somebody = { readonly id: string; readonly email: string; readonly cookie: string }

export type Organization = {
  readonly id: string
  readonly slug: string
  readonly owner: Somebody
  readonly memberId: string
}

/** Several processes on one PostgreSQL; requests go to one after the other. */
export type Cluster = AsyncDisposable & {
  readonly database: FreshDatabase
  readonly servers: readonly ServerProcess[]
  post(who: Somebody, path: string, body: object, process?: number): Promise<CallAnswer>
  get(who: Somebody, path: string, process?: number): Promise<CallAnswer>
  signUp(count: number): Promise<Somebody[]>
  /** A user's organization with further members, who accept invitations. */
  found(owner: Somebody, members?: readonly (readonly [Somebody, role: string])[]): Promise<Organization>
  invite({ owner, id }: Pick<Organization, 'owner' | 'id'>, email: string, role?: string): Promise<string>
  /** A user's membership id. */
  memberId(organization: Pick<Organization, 'owner' | 'id'>, who: Somebody): Promise<string>
}

type Processes = { readonly config: NonNullable<ServerOptions['config']>; readonly processes: number }

export async function openCluster({ processes, config }: Processes): Promise<Cluster> {
  const database = await freshPostgres()
  const first = await startServer(options({ databaseUrl: database.url, config }))
  const further = await Promise.all(
    Array.from({ length: processes - 1 }, () =>
      startServer(options({ databaseUrl: database.url, config, env: { BASE_URL: first.baseURL } })),
    ),
  )
  const servers = [first, ...further]
  const stop = async () => {
    await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()))
    await database[Symbol.asyncDispose]()
  }
  return { ...callsTo(servers, first.baseURL), database, servers, [Symbol.asyncDispose]: stop }
}

const options = ({ env, ...given }: ServerOptions): ServerOptions => ({
  ...given,
  env: { LOG_LEVEL: 'fatal', ...env },
})

let names = 0

/** The calls of people to some processes that share an address. */
export function callsTo(
  servers: readonly ServerProcess[],
  origin: string,
): Omit<Cluster, 'database' | 'servers' | keyof AsyncDisposable> {
  let turn = 0
  const next = (process?: number) => {
    turn += 1
    return servers[(process ?? turn) % servers.length]!.baseURL
  }
  const post: Cluster['post'] = ({ cookie }, path, body, process) =>
    call(next(process), path, body, { cookie, headers: { origin } })
  const get: Cluster['get'] = ({ cookie }, path, process) => call(next(process), path, undefined, { cookie })

  const signUpOne = async (): Promise<Somebody> => {
    names += 1
    const email = `person${names}@example.com`
    const { status, text, body, headers } = await call(
      next(),
      '/sign-up/email',
      { name: `Person ${names}`, email, password },
      { headers: { origin } },
    )
    if (status !== 200) throw new Error(`sign-up answered ${status}: ${text}`)
    return { id: body.user.id, email, cookie: cookieOf(headers) }
  }
  const invite: Cluster['invite'] = async ({ owner, id }, email, role = 'member') =>
    (await done(post(owner, '/organization/invite-member', { organizationId: id, email, role }))).id

  return {
    post,
    get,
    signUp: (count) => Promise.all(Array.from({ length: count }, signUpOne)),
    found: async (owner, members = []) => {
      names += 1
      const slug = `organization-${names}`
      const { id, members: made } = await done(post(owner, '/organization/create', { name: slug, slug }))
      for (const [person, role] of members) {
        const invitationId = await invite({ owner, id }, person.email, role)
        await done(post(person, '/organization/accept-invitation', { invitationId }))
      }
      return { id, slug, owner, memberId: made[0].id }
    },
    invite,
    memberId: async ({ owner, id }, who) => {
      const query = `organizationId=${id}&filterField=userId&filterValue=${who.id}`
      return (await done(get(owner, `/organization/list-members?${query}`))).members[0].id
    },
  }
}

/** What is answered to a call that must succeed. */
export async function done(answer: Promise<CallAnswer>): Promise<CallAnswer['body']> {
  const { status, text, body } = await answer
  if (status !== 200) throw new Error(`answered ${status}: ${text}`)
  return body
}

/** How often each was answered: `ok`, or the code of the refusal. */
export function tally(answers: readonly CallAnswer[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status, body, text } of answers) {
    const told = status === 200 ? 'ok' : (body?.code ?? `${status} ${text}`)
    counts[told] = (counts[told] ?? 0) + 1
  }
  return counts
}

/** Roles by user id, as they are stored. */
export const rolesIn = (url: string, organizationId: string): Promise<Record<string, string>> =>
  lookInto(url, async ({ db }) => {
    const rows = await db
      .selectFrom('member')
      .select(['userId', 'role'])
      .where('organizationId', '=', organizationId)
      .execute()
    return Object.fromEntries(rows.map(({ userId, role }) => [userId, role]))
  })

export const isOwner = (role: string): boolean => role.split(',').includes('owner')

/** Whatever no organization may be (security, invariants 2, 3 and 5), in all of a database. */
export const organizationFaults = (url: string): Promise<string[]> =>
  lookInto(url, async ({ db }) => {
    const organizations = await db.selectFrom('organization').select('id').execute()
    const members = await db.selectFrom('member').select(['id', 'organizationId', 'userId', 'role']).execute()
    const invitations = await db.selectFrom('invitation').select(['id', 'organizationId', 'email', 'status']).execute()
    const requests = await db.selectFrom('joinRequest').select(['organizationId', 'userId', 'status']).execute()
    const roles = await db.selectFrom('organizationRole').select(['organizationId', 'role']).execute()
    const links = await db.selectFrom('invitationLink').select(['id', 'uses', 'maxUses']).execute()
    const teams = await db.selectFrom('team').select(['id', 'organizationId']).execute()
    const places = await db.selectFrom('teamMember').select(['teamId', 'memberId', 'userId']).execute()
    const users = await db.selectFrom('user').select(['id', 'email']).execute()
    const sessions = await db.selectFrom('session').select(['userId', 'activeOrganizationId', 'activeTeamId']).execute()
    const events = await db.selectFrom('event').select(['type', 'organizationId', 'userId', 'data']).execute()
    const faults: string[] = []
    const eventsOf = (type: string, organizationId: string) =>
      events.filter((event) => event.type === type && event.organizationId === organizationId)

    const known = new Set(organizations.map(({ id }) => id))
    for (const { organizationId } of [...members, ...invitations, ...teams])
      if (!known.has(organizationId)) faults.push(`something is left of ${organizationId}, which is gone`)
    for (const { id } of organizations) {
      const within = members.filter(({ organizationId }) => organizationId === id)
      if (!within.some(({ role }) => isOwner(role))) faults.push(`${id} has no owner`)
      if (new Set(within.map(({ userId }) => userId)).size !== within.length) faults.push(`${id} has somebody twice`)
      const names = [
        'owner',
        'admin',
        'member',
        ...roles.filter((each) => each.organizationId === id).map(({ role }) => role),
      ]
      for (const { role } of within)
        if (!role.split(',').every((name) => names.includes(name))) faults.push(`${id} has somebody as ${role}`)
      for (const { userId, status } of requests.filter(({ organizationId }) => organizationId === id))
        if (status === 'pending' && within.some((each) => each.userId === userId))
          faults.push(`${userId} is in ${id} and still asks to join`)
      const come = eventsOf('member.added', id).length - eventsOf('member.removed', id).length
      if (come !== within.length) faults.push(`${id} has ${within.length} members, its events tell of ${come}`)
      if (eventsOf('organization.created', id).length !== 1) faults.push(`${id} was not created exactly once`)
      const accepted = invitations.filter((each) => each.organizationId === id && each.status === 'accepted')
      if (eventsOf('invitation.accepted', id).length !== accepted.length)
        faults.push(`${id} has ${accepted.length} accepted invitations, its events tell of others`)
      for (const { email } of accepted) {
        // A deleted account leaves nothing to compare.
        const user = users.find((each) => each.email === email)
        if (user && !eventsOf('member.added', id).some(({ userId }) => userId === user.id))
          faults.push(`${email} has accepted and never became a member of ${id}`)
      }
    }
    for (const { id, uses, maxUses } of links)
      if (maxUses !== null && uses > maxUses) faults.push(`link ${id} was used ${uses} times`)
    for (const { teamId, memberId, userId } of places) {
      const team = teams.find(({ id }) => id === teamId)
      const member = members.find(({ id }) => id === memberId)
      if (!team || member?.organizationId !== team.organizationId || member.userId !== userId)
        faults.push(`somebody is in team ${teamId} who is no member`)
    }
    for (const { userId, activeOrganizationId, activeTeamId } of sessions) {
      if (activeTeamId !== null && !teams.some((each) => each.id === activeTeamId))
        faults.push(`${userId} acts for a team that is gone`)
      if (activeOrganizationId === null) continue
      if (!members.some((each) => each.organizationId === activeOrganizationId && each.userId === userId))
        faults.push(`${userId} acts in ${activeOrganizationId} and is no member`)
    }
    return faults
  })
