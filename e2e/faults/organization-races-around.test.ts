import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { password } from './calls.ts'
import {
  type Cluster,
  done,
  isOwner,
  type Organization,
  openCluster,
  organizationFaults,
  rolesIn,
  type Somebody,
  tally,
} from './organization-people.ts'
import { lookInto } from './state.ts'

/** What several processes must not do to requests, roles, teams and accounts under concurrent calls. */

let cluster: Cluster
let url: string

beforeAll(async () => {
  cluster = await openCluster({
    processes: 3,
    config: {
      user: { deleteUser: { enabled: true } },
      organization: { requireEmailVerificationOnInvitation: false, teams: { enabled: true } },
    },
  })
  url = cluster.database.url
})

afterAll(() => cluster?.[Symbol.asyncDispose]())

afterEach(async () => {
  expect(await organizationFaults(url)).toEqual([])
})

const post = (who: Somebody, path: string, body: object, process?: number) =>
  cluster.post(who, `/organization/${path}`, body, process)

const newcomers = (count: number) => cluster.signUp(count)

/** Sign-ups have proved no address, which some ways in ask for. */
const proveAll = () =>
  lookInto(url, ({ db }) =>
    db.transaction().execute((tx) => tx.updateTable('user').set({ emailVerified: true }).execute()),
  )

async function asked({ owner, id: organizationId }: Organization, who: Somebody): Promise<string> {
  const link = await done(post(owner, 'create-invitation-link', { organizationId, requiresApproval: true }))
  await done(post(who, 'join-by-link', { token: new URL(link.url).pathname.split('/').at(-1) }))
  const requests = await done(cluster.get(owner, `/organization/list-join-requests?organizationId=${organizationId}`))
  return requests[0].id
}

test('a request to join is answered once, however many answer it at once', async () => {
  const [owner, bob] = await newcomers(2)
  await proveAll()
  for (let round = 0; round < 4; round += 1) {
    const organization = await cluster.found(owner!)
    const { id: organizationId } = organization
    const requestId = await asked(organization, bob!)

    const answers = await Promise.all(
      ['approve', 'deny', 'approve', 'deny'].map((answer) =>
        post(owner!, `${answer}-join-request`, { organizationId, requestId }),
      ),
    )

    expect(tally(answers)).toEqual({ ok: 1, JOIN_REQUEST_NOT_FOUND: 3 })
    const isIn = Object.hasOwn(await rolesIn(url, organizationId), bob!.id)
    expect(isIn).toBe(answers[0]?.status === 200 || answers[2]?.status === 200)
  }
})

test('a user who is approved while they accept an invitation joins once', async () => {
  const [owner, bob] = await newcomers(2)
  await proveAll()
  for (let round = 0; round < 4; round += 1) {
    const organization = await cluster.found(owner!)
    const { id: organizationId } = organization
    const requestId = await asked(organization, bob!)
    const invitationId = await cluster.invite(organization, bob!.email)

    const answers = await Promise.all([
      post(owner!, 'approve-join-request', { organizationId, requestId }, round),
      post(bob!, 'accept-invitation', { invitationId }, round + 1),
    ])

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(Object.keys(await rolesIn(url, organizationId))).toHaveLength(2)
  }
})

test('no member is left with a role that was deleted concurrently', async () => {
  const [owner, bob] = await newcomers(2)
  const organization = await cluster.found(owner!, [[bob!, 'member']])
  const { id: organizationId } = organization
  const memberId = await cluster.memberId(organization, bob!)
  for (let round = 0; round < 6; round += 1) {
    await done(post(owner!, 'create-role', { organizationId, role: 'sailor', permission: {} }))

    const [given, deleted] = await Promise.all([
      post(owner!, 'update-member-role', { organizationId, memberId, role: 'sailor' }, round),
      post(owner!, 'delete-role', { organizationId, roleName: 'sailor' }, round + 1),
    ])

    expect([given.status, deleted.status].sort()).toEqual([200, 400])
    expect((await rolesIn(url, organizationId))[bob!.id]).toBe(given.status === 200 ? 'sailor' : 'member')
    if (given.status !== 200) continue
    await done(post(owner!, 'update-member-role', { organizationId, memberId, role: 'member' }))
    await done(post(owner!, 'delete-role', { organizationId, roleName: 'sailor' }))
  }
})

test('a role that is made by many at once is made once', async () => {
  const [owner] = await newcomers(1)
  const { id: organizationId } = await cluster.found(owner!)

  const answers = await Promise.all(
    Array.from({ length: 9 }, () => post(owner!, 'create-role', { organizationId, role: 'sailor', permission: {} })),
  )

  expect(tally(answers)).toEqual({ ok: 1, ROLE_NAME_IS_ALREADY_TAKEN: 8 })
})

test('one address that is invited by many at once has one open invitation', async () => {
  const [owner, eve] = await newcomers(2)
  const { id: organizationId } = await cluster.found(owner!, [[eve!, 'admin']])
  const body = { organizationId, email: 'new@example.com', role: 'member' }

  const plain = await Promise.all(
    Array.from({ length: 8 }, (_, index) => post(index % 2 ? owner! : eve!, 'invite-member', body)),
  )
  const again = await Promise.all(
    Array.from({ length: 6 }, () => post(owner!, 'invite-member', { ...body, resend: true })),
  )

  expect(tally(plain)).toEqual({ ok: 1, USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION: 7 })
  expect(new Set(again.map((answer) => answer.body.id)).size).toBe(1)
  const listed = await done(cluster.get(owner!, `/organization/list-invitations?organizationId=${organizationId}`))
  expect(listed.filter(({ email }: { email: string }) => email === 'new@example.com')).toHaveLength(1)
})

test('a concurrently removed team has no members, and no user acts for it', async () => {
  const [owner, bob, cleo] = await newcomers(3)
  const organization = await cluster.found(owner!, [
    [bob!, 'member'],
    [cleo!, 'member'],
  ])
  const { id: organizationId } = organization
  for (let round = 0; round < 6; round += 1) {
    const { id: teamId } = await done(post(owner!, 'create-team', { organizationId, name: 'Ships' }))
    await done(post(owner!, 'add-team-member', { organizationId, teamId, userId: bob!.id }))

    const [active, placed, removed] = await Promise.all([
      post(bob!, 'set-active-team', { teamId }, round),
      post(owner!, 'add-team-member', { organizationId, teamId, userId: cleo!.id }, round + 1),
      post(owner!, 'remove-team', { organizationId, teamId }, round + 2),
    ])

    expect(removed.status).toBe(200)
    for (const answer of [active, placed]) expect(['ok', 'TEAM_NOT_FOUND']).toContain(Object.keys(tally([answer]))[0])
    expect((await cluster.get(bob!, '/get-session')).body.session.activeTeamId).toBeNull()
  }
})

test('a member who is removed while they set their active organization acts in none', async () => {
  const [owner, bob] = await newcomers(2)
  for (let round = 0; round < 6; round += 1) {
    const organization = await cluster.found(owner!, [[bob!, 'member']])
    const { id: organizationId } = organization
    await done(post(bob!, 'set-active', { organizationId: null }))
    const memberIdOrEmail = await cluster.memberId(organization, bob!)

    const [active, removed] = await Promise.all([
      post(bob!, 'set-active', { organizationId }, round),
      post(owner!, 'remove-member', { organizationId, memberIdOrEmail }, round + 1),
    ])

    expect(removed.status).toBe(200)
    expect(['ok', 'USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION']).toContain(Object.keys(tally([active]))[0])
    expect((await cluster.get(bob!, '/get-session')).body.session.activeOrganizationId).toBeNull()
  }
})

test('of the last two owners who delete their accounts at once the other one stays, or nothing does', async () => {
  for (let round = 0; round < 4; round += 1) {
    const [ada, eve, bob] = await newcomers(3)
    const { id } = await cluster.found(ada!, [
      [eve!, 'owner'],
      [bob!, 'member'],
    ])

    const answers = await Promise.all([
      cluster.post(ada!, '/delete-user', { password }, round),
      cluster.post(eve!, '/delete-user', { password }, round + 1),
    ])

    // Bob is a member, because an organization needs an owner.
    expect(tally(answers)).toEqual({ ok: 1, YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER: 1 })
    const roles = await rolesIn(url, id)
    expect(Object.values(roles).filter(isOwner)).toHaveLength(1)
    expect(Object.keys(roles)).toHaveLength(2)
  }
})

test('a user who deletes their account while they join, or become the owner, leaves a valid organization', async () => {
  for (let round = 0; round < 5; round += 1) {
    const [owner, bob, cleo] = await newcomers(3)
    const organization = await cluster.found(owner!, [[bob!, 'admin']])
    const { id: organizationId } = organization
    const invitationId = await cluster.invite(organization, cleo!.email)
    const bobs = await cluster.memberId(organization, bob!)

    const answers = await Promise.all([
      post(cleo!, 'accept-invitation', { invitationId }, round),
      cluster.post(cleo!, '/delete-user', { password }, round + 1),
      post(owner!, 'transfer-ownership', { organizationId, memberId: bobs }, round + 2),
      cluster.post(bob!, '/delete-user', { password }, round),
    ])

    for (const { status } of answers) expect([200, 400, 401]).toContain(status)
    expect(Object.values(await rolesIn(url, organizationId)).filter(isOwner)).toHaveLength(1)
  }
})
