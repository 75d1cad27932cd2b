import { type AuthCallName, authCalls, type Call } from '@tollgate/contract/calls'
import { expect } from 'vitest'
import { createTestServer, type Person, type TestAnswer, type TestServer, type Visitor } from '../../../testing.ts'
import { pngOf } from '../../pictures/testing/pictures.ts'
import { arrived, context, linkOf, nameServers } from './joining.ts'

/** Every kind of caller, and one organization that all of them act on, for the permission tables. */

export const everyone = [
  /** The creator and only owner. */
  'owner',
  'admin',
  'member',
  /** A configured role that may only invite. */
  'inviter',
  /** A custom role of the organization: changes members and teams, reads the audit log. */
  'steward',
  /** An admin of the organization whose address lacks the required verification. */
  'unverified',
  /** Signed in, without any relation to it. */
  'outsider',
  /** No member; the open invitation and the verified domain match their address. */
  'invited',
  /** Owns another organization. */
  'rival',
  /** An administrator of the installation, no member. */
  'installation',
  /** An administrator of the installation who impersonates the owner. */
  'impersonating',
  'anonymous',
] as const

export type Who = (typeof everyone)[number]

/** The callers by outcome: `ok`, or a refusal's status and code. */
export type Outcomes = Readonly<Record<string, string>>

export type Row = {
  readonly call: AuthCallName
  /** The variant, if a call has several. */
  readonly what?: string
  /** The fields of the body or the query. */
  readonly given?: (the: Arrangement) => Record<string, unknown> | Promise<Record<string, unknown>>
  readonly told: Outcomes
}

/** A fresh organization. */
export type Arrangement = {
  readonly id: string
  readonly slug: string
  /** A further member, a `steward`, as the target of calls. */
  readonly tess: { readonly userId: string; readonly memberId: string; readonly email: string }
  readonly ownerMemberId: string
  /** The team created with the organization; only the owner is in it. */
  readonly ownersTeam: string
  readonly team: string
  /** Puts Tess into the team. */
  placed(): Promise<string>
  /** An open invitation to the caller `invited`. */
  invitation(): Promise<string>
  /** The same, sent by another member than the owner. */
  invitedBy(who: Who): Promise<string>
  /** A link without restrictions. */
  link(): Promise<{ id: string; token: string }>
  /** A pending request to join. */
  request(): Promise<string>
  /** An unverified domain whose record exists. */
  domain(): Promise<string>
  /** The verified domain of the caller `invited`, which accepts members. */
  openDoor(): Promise<string>
}

export type Stage = AsyncDisposable & {
  readonly server: TestServer
  readonly actors: Readonly<Record<Who, Visitor>>
  /** The name servers' answers, by name. */
  readonly records: Map<string, string[][]>
  /** An unchanged organization. */
  arranged(): Promise<Arrangement>
  /** Marks the organization changed: the next caller gets a new one. */
  spoil(): void
  /** Every row of an organization. */
  snapshot(): Promise<unknown>
}

const guests = 'guests.example'

export async function openStage(): Promise<Stage> {
  const dns = nameServers()
  const server = await createTestServer(
    { organization: { teams: { enabled: true }, roles: { inviter: { invitation: ['create'] } } } },
    { resolveTxt: dns.resolveTxt },
  )
  const { ctx } = server.tollgate.internals
  const person = (name: string) => arrived(server, `${name}@example.com`)
  const [owner, admin, member, inviter, steward, tess] = [
    await person('owner'),
    await person('admin'),
    await person('member'),
    await person('inviter'),
    await person('steward'),
    await person('tess'),
  ]
  const unverified = await arrived(server, 'unverified@example.com', { verified: false })
  const outsider = await person('outsider')
  const invited = await arrived(server, `invited@${guests}`)
  const asker = await person('asker')
  const rival = await person('rival')
  const rivals = await done(rival.post('/organization/create', { name: 'Rivals', slug: 'rivals' }))
  const [installation, impersonating] = [await server.administrator('Root'), await server.administrator('Support')]
  for (const { id } of [installation, impersonating])
    await ctx.transaction((tx) => tx.updateTable('user').set({ emailVerified: true }).where('id', '=', id).execute())
  await done(impersonating.post('/admin/impersonate-user', { userId: owner.id }))
  const members: [Person, string][] = [
    [admin, 'admin'],
    [member, 'member'],
    [inviter, 'inviter'],
    [steward, 'steward'],
    [unverified, 'admin'],
    [tess, 'steward'],
  ]

  /** Resets active organizations: the members' to this one, the rival's to their own. */
  const resetSessions = (organizationId: string) =>
    ctx.transaction(async (tx) => {
      const set = (activeOrganizationId: string | null) =>
        tx.updateTable('session').set({ activeOrganizationId, activeTeamId: null })
      await set(null).execute()
      const ids = [owner, ...members.map(([one]) => one)].map(({ id }) => id)
      await set(organizationId).where('userId', 'in', ids).execute()
      await set(rivals.id).where('userId', '=', rival.id).execute()
    })

  const actors = {
    owner,
    admin,
    member,
    inviter,
    steward,
    unverified,
    outsider,
    invited,
    rival,
    installation,
    impersonating,
    anonymous: server.visitor(),
  }

  let count = 0
  const arrange = async (): Promise<Arrangement> => {
    // Only one organization can verify a domain, so delete the previous one.
    await ctx.transaction((tx) => tx.deleteFrom('organization').where('slug', 'like', 'acme-%').execute())
    count += 1
    const slug = `acme-${count}`
    const made = await done(owner.post('/organization/create', { name: 'Acme', slug }))
    const organizationId: string = made.id
    const post = (path: string, body: object) => done(owner.post(`/organization/${path}`, { organizationId, ...body }))
    await post('create-role', {
      role: 'steward',
      permission: { member: ['update'], team: ['update'], audit: ['read'] },
    })
    await post('create-role', { role: 'spare', permission: { team: ['create'] } })
    const memberIds = new Map<string, string>()
    for (const [{ id: userId }, role] of members)
      memberIds.set(userId, (await server.tollgate.api.addMember({ body: { organizationId, userId, role } })).id)
    const team = await post('create-team', { name: 'Field' })
    await post('update', { data: { requireVerifiedEmail: true } })
    await resetSessions(organizationId)
    const offer = { organizationId, email: invited.email, role: 'member' }
    const link = once(() => linkOf(owner, { organizationId }))
    return {
      id: organizationId,
      slug,
      tess: { userId: tess.id, memberId: memberIds.get(tess.id)!, email: tess.email },
      ownerMemberId: made.members[0].id,
      ownersTeam: made.members[0].teamId,
      team: team.id,
      placed: once(async () => (await post('add-team-member', { teamId: team.id, userId: tess.id })).id),
      invitation: once(async () => (await post('invite-member', offer)).id),
      invitedBy: async (who) => (await done(actors[who].post('/organization/invite-member', offer))).id,
      link,
      request: once(async () => {
        const { token } = await linkOf(owner, { organizationId, requiresApproval: true })
        await done(asker.post('/organization/join-by-link', { token }))
        const waiting = await owner.get(`/organization/list-join-requests?organizationId=${organizationId}`)
        return waiting.body[0].id
      }),
      domain: once(async () => {
        const { id, record } = await post('add-domain', { domain: `${slug}.example` })
        dns.records.set(record.name, [[record.value]])
        return id
      }),
      openDoor: once(async () => {
        const { id, record } = await post('add-domain', { domain: guests, joinMode: 'auto' })
        dns.records.set(record.name, [[record.value]])
        await post('verify-domain', { domainId: id })
        return id
      }),
    }
  }

  let current: Promise<Arrangement> | undefined
  return {
    server,
    actors,
    records: dns.records,
    arranged: () => {
      current ??= arrange()
      return current
    },
    spoil: () => {
      current = undefined
    },
    snapshot: () => everythingIn(server),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

/** Makes a row's call as one caller; returns its outcome as the table writes it. */
export async function tried(stage: Stage, { call, given }: Row, who: Who): Promise<string> {
  const { method, path, takesFile }: Call = authCalls[call]
  const the = await stage.arranged()
  const members = (await given?.(the)) ?? {}
  const actor = stage.actors[who]
  const address = `${path}?${new URLSearchParams(members as Record<string, string>)}`
  const answer = takesFile
    ? await actor.request(method, `/api/auth${address}`, { raw: pngOf(4, 4) })
    : method === 'GET'
      ? await actor.get(address)
      : await actor.post(path, members)
  return answer.status === 200 ? 'ok' : `${answer.status} ${answer.body?.code ?? ''}`.trim()
}

/** A row's outcome by caller; each caller must appear once. */
export function tellings(told: Outcomes): Map<Who, string> {
  const named = Object.entries(told).flatMap(([outcome, names]) =>
    names.split(' ').map((who): [Who, string] => [who as Who, outcome]),
  )
  expect(named.map(([who]) => who).sort()).toEqual([...everyone].sort())
  return new Map(named)
}

/** Runs a row for every caller. Refused callers must change nothing; allowed ones get an organization of their own. */
export async function actedOut(stage: Stage, row: Row): Promise<Outcomes> {
  const expected = tellings(row.told)
  const refused = everyone.filter((who) => expected.get(who) !== 'ok')
  const allowed = everyone.filter((who) => expected.get(who) === 'ok')
  const told = new Map<string, Who[]>()
  const note = (outcome: string, who: Who) => told.set(outcome, [...(told.get(outcome) ?? []), who])

  const the = await stage.arranged()
  await row.given?.(the)
  const before = await stage.snapshot()
  for (const who of refused) note(await tried(stage, row, who), who)
  expect(await stage.snapshot(), 'what the organization consists of after refusals').toEqual(before)

  for (const who of allowed) {
    note(await tried(stage, row, who), who)
    if (authCalls[row.call].method === 'POST') stage.spoil()
  }
  return Object.fromEntries([...told].map(([outcome, names]) => [outcome, inOrder(names)]))
}

/** The table may list callers in any order. */
export const ordered = (told: Outcomes): Outcomes =>
  Object.fromEntries(Object.entries(told).map(([outcome, names]) => [outcome, inOrder(names.split(' ') as Who[])]))

const inOrder = (names: readonly Who[]): string => everyone.filter((who) => names.includes(who)).join(' ')

async function done(call: Promise<TestAnswer>): Promise<TestAnswer['body']> {
  const { status, body, text } = await call
  expect([status, text]).toEqual([200, text])
  return body
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}

async function everythingIn(server: TestServer): Promise<unknown[]> {
  const { db } = context(server)
  return Promise.all([
    db.selectFrom('organization').selectAll().orderBy('id').execute(),
    db.selectFrom('member').selectAll().orderBy('id').execute(),
    db.selectFrom('organizationRole').selectAll().orderBy('id').execute(),
    db.selectFrom('team').selectAll().orderBy('id').execute(),
    db.selectFrom('teamMember').selectAll().orderBy('id').execute(),
    db.selectFrom('invitation').selectAll().orderBy('id').execute(),
    db.selectFrom('invitationLink').selectAll().orderBy('id').execute(),
    db.selectFrom('joinRequest').selectAll().orderBy('id').execute(),
    db.selectFrom('organizationDomain').selectAll().orderBy('id').execute(),
    db.selectFrom('session').select(['id', 'activeOrganizationId', 'activeTeamId']).orderBy('id').execute(),
    db
      .selectFrom('event')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .execute(),
  ])
}
