import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  type Cluster,
  done,
  isOwner,
  openCluster,
  organizationFaults,
  rolesIn,
  type Somebody,
  tally,
} from './organization-people.ts'

/** What several processes must not do to an organization under concurrent calls. */

const membershipLimit = 12
const organizationLimit = 6
const maximumTeams = 4
const maximumMembersPerTeam = 3

let cluster: Cluster
let crowd: Somebody[]
let url: string

beforeAll(async () => {
  cluster = await openCluster({
    processes: 3,
    config: {
      organization: {
        membershipLimit,
        organizationLimit,
        requireEmailVerificationOnInvitation: false,
        teams: { enabled: true, maximumTeams, maximumMembersPerTeam },
      },
    },
  })
  url = cluster.database.url
  crowd = await cluster.signUp(30)
})

afterAll(() => cluster?.[Symbol.asyncDispose]())

afterEach(async () => {
  expect(await organizationFaults(url)).toEqual([])
})

const post = (who: Somebody, path: string, body: object, process?: number) =>
  cluster.post(who, `/organization/${path}`, body, process)

const newcomers = (count: number) => cluster.signUp(count)
const newcomer = async () => (await newcomers(1))[0]!

const ownersIn = async (id: string) => Object.values(await rolesIn(url, id)).filter(isOwner).length

test('of several accepts of one invitation one makes a member', async () => {
  const [owner, bob] = [await newcomer(), crowd[0]!]
  for (let round = 0; round < 4; round += 1) {
    const organization = await cluster.found(owner)
    const invitationId = await cluster.invite(organization, bob.email)

    const answers = await Promise.all(Array.from({ length: 6 }, () => post(bob, 'accept-invitation', { invitationId })))

    expect(tally(answers)).toEqual({ ok: 1, INVITATION_NOT_FOUND: 5 })
    expect(Object.keys(await rolesIn(url, organization.id))).toHaveLength(2)
  }
})

test('of an accept and a cancel at once one wins', async () => {
  const [owner, bob] = [await newcomer(), crowd[1]!]
  const organization = await cluster.found(owner)
  for (let round = 0; round < 8; round += 1) {
    const invitationId = await cluster.invite(organization, bob.email)

    const [accepted, canceled] = await Promise.all([
      post(bob, 'accept-invitation', { invitationId }, round),
      post(owner, 'cancel-invitation', { invitationId }, round + 1),
    ])

    expect([accepted.status, canceled.status].sort()).toEqual([200, 400])
    expect(Object.hasOwn(await rolesIn(url, organization.id), bob.id)).toBe(accepted.status === 200)
    if (accepted.status === 200) await done(post(bob, 'leave', { organizationId: organization.id }))
  }
})

test('a user who accepts during the organization’s deletion is a member of nothing', async () => {
  const [owner, bob] = [await newcomer(), crowd[2]!]
  for (let round = 0; round < 6; round += 1) {
    const organization = await cluster.found(owner)
    const invitationId = await cluster.invite(organization, bob.email)

    const [accepted, deleted] = await Promise.all([
      post(bob, 'accept-invitation', { invitationId }, round),
      post(owner, 'delete', { organizationId: organization.id }, round + 1),
    ])

    expect(deleted.status).toBe(200)
    expect(['ok', 'INVITATION_NOT_FOUND']).toContain(Object.keys(tally([accepted]))[0])
    expect(await rolesIn(url, organization.id)).toEqual({})
    expect((await cluster.get(bob, '/get-session')).body.session.activeOrganizationId).toBeNull()
  }
})

test('of the last two owners who leave at once one stays', async () => {
  const [ada, eve] = [await newcomer(), await newcomer()]
  for (let round = 0; round < 6; round += 1) {
    const { id } = await cluster.found(ada, [[eve, 'owner']])

    const answers = await Promise.all([
      post(ada, 'leave', { organizationId: id }, round),
      post(eve, 'leave', { organizationId: id }, round + 1),
    ])

    expect(tally(answers)).toEqual({ ok: 1, YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER: 1 })
    const [left] = answers.map(({ status }, index) => (status === 200 ? [eve, ada][index]! : undefined)).filter(Boolean)
    await done(post(left!, 'delete', { organizationId: id }))
  }
})

test.each([
  ['each other', true],
  ['themselves', false],
])(
  'of the last two owners who demote %s at once one stays',
  async (_, each) => {
    const [ada, eve] = [await newcomer(), await newcomer()]
    for (let round = 0; round < 5; round += 1) {
      const organization = await cluster.found(ada, [[eve, 'owner']])
      const { id, memberId: adas } = organization
      const eves = await cluster.memberId(organization, eve)
      const demote = (who: Somebody, memberId: string, process: number) =>
        post(who, 'update-member-role', { organizationId: id, memberId, role: 'member' }, process)

      const answers = await Promise.all([
        demote(ada, each ? eves : adas, round),
        demote(eve, each ? adas : eves, round + 1),
      ])

      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(await ownersIn(id)).toBe(1)
      const [owner] = Object.entries(await rolesIn(url, id)).find(([, role]) => isOwner(role))!
      await done(post(owner === ada.id ? ada : eve, 'delete', { organizationId: id }))
    }
  },
  600_000,
)

test('of two transfers at once one is made', async () => {
  const [owner, bob, cleo] = [await newcomer(), crowd[3]!, crowd[4]!]
  for (let round = 0; round < 4; round += 1) {
    const organization = await cluster.found(owner, [
      [bob, 'member'],
      [cleo, 'member'],
    ])
    const { id: organizationId } = organization
    const [bobs, cleos] = [await cluster.memberId(organization, bob), await cluster.memberId(organization, cleo)]

    const answers = await Promise.all([
      post(owner, 'transfer-ownership', { organizationId, memberId: bobs }, round),
      post(owner, 'transfer-ownership', { organizationId, memberId: cleos }, round + 1),
    ])

    expect(tally(answers)).toEqual({ ok: 1, YOU_ARE_NOT_ALLOWED_TO_TRANSFER_THIS_ORGANIZATION: 1 })
    expect(await ownersIn(organizationId)).toBe(1)
    await done(post(owner, 'leave', { organizationId }))
  }
})

test('twenty people take one slug at once: one has it', async () => {
  const people = crowd.slice(0, 20)
  const answers = await Promise.all(people.map((who) => post(who, 'create', { name: 'The same', slug: 'the-same' })))

  expect(tally(answers)).toEqual({ ok: 1, ORGANIZATION_ALREADY_EXISTS: 19 })
})

test('a user creates no more organizations than allowed, however many concurrent calls they make', async () => {
  const ada = await newcomer()
  const answers = await Promise.all(
    Array.from({ length: 15 }, (_, index) => post(ada, 'create', { name: 'Many', slug: `many-${index}` })),
  )

  expect(tally(answers)).toEqual({
    ok: organizationLimit,
    YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS: 15 - organizationLimit,
  })
})

test('an organization takes exactly its limit of members, by any path', async () => {
  const organization = await cluster.found(await newcomer())
  const { id: organizationId, owner } = organization
  const byInvitation = crowd.slice(0, 12)
  const byLink = crowd.slice(12, 24)
  const invitations = await Promise.all(byInvitation.map(({ email }) => cluster.invite(organization, email)))
  const { url: link } = await done(post(owner, 'create-invitation-link', { organizationId }))
  const token = new URL(link).pathname.split('/').at(-1)

  const answers = await Promise.all([
    ...byInvitation.map((who, index) => post(who, 'accept-invitation', { invitationId: invitations[index] })),
    ...byLink.map((who) => post(who, 'join-by-link', { token })),
  ])

  expect(tally(answers)).toEqual({
    ok: membershipLimit - 1,
    ORGANIZATION_MEMBERSHIP_LIMIT_REACHED: 24 - (membershipLimit - 1),
  })
  expect(Object.keys(await rolesIn(url, organizationId))).toHaveLength(membershipLimit)
})

test('a link with ten uses lets ten in of thirty who come at once', async () => {
  const { id: organizationId, owner } = await cluster.found(await newcomer())
  const { url: link } = await done(post(owner, 'create-invitation-link', { organizationId, maxUses: 10 }))
  const token = new URL(link).pathname.split('/').at(-1)

  const answers = await Promise.all(crowd.map((who) => post(who, 'join-by-link', { token })))

  expect(tally(answers)).toEqual({ ok: 10, INVITATION_LINK_NOT_FOUND: 20 })
  expect(Object.keys(await rolesIn(url, organizationId))).toHaveLength(11)
})

test('teams are as many, and as large, as they may be', async () => {
  const people = crowd.slice(5, 12)
  const organization = await cluster.found(
    await newcomer(),
    people.map((who) => [who, 'member'] as const),
  )
  const { id: organizationId, owner } = organization

  const made = await Promise.all(
    Array.from({ length: 10 }, (_, index) => post(owner, 'create-team', { organizationId, name: `Team ${index}` })),
  )
  // One came with the organization.
  expect(tally(made)).toEqual({
    ok: maximumTeams - 1,
    YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS: 10 - (maximumTeams - 1),
  })

  const teamId = made.find(({ status }) => status === 200)!.body.id
  const placed = await Promise.all(
    people.map(({ id: userId }) => post(owner, 'add-team-member', { organizationId, teamId, userId })),
  )
  expect(tally(placed)).toEqual({ ok: maximumMembersPerTeam, TEAM_MEMBER_LIMIT_REACHED: 7 - maximumMembersPerTeam })

  // The last team stays, even when several members delete it at once.
  const teams = await done(cluster.get(owner, `/organization/list-teams?organizationId=${organizationId}`))
  await done(post(owner, 'remove-team-member', { organizationId, teamId: teams[0].id, userId: owner.id }))
  const removed = await Promise.all(
    teams.map((team: { id: string }) => post(owner, 'remove-team', { organizationId, teamId: team.id })),
  )
  expect(tally(removed)).toEqual({ ok: maximumTeams - 1, UNABLE_TO_REMOVE_LAST_TEAM: 1 })
})

test('every process refuses a removed member from the next request on', async () => {
  const [owner, bob] = [await newcomer(), crowd[13]!]
  const organization = await cluster.found(owner, [[bob, 'admin']])
  const { id: organizationId } = organization
  const bobs = await cluster.memberId(organization, bob)
  let removed = false
  const late: string[] = []
  /** Bob goes on and on; what he asks for after the removal was answered must not be done. */
  const acting = cluster.servers.map(async (_, process) => {
    for (let count = 0; count < 200; count += 1) {
      const wasRemoved = removed
      const { status } = await post(bob, 'update', { organizationId, data: { name: `By Bob ${count}` } }, process)
      if (wasRemoved && status === 200) late.push(`process ${process}`)
      if (wasRemoved) return
    }
    throw new Error('The removal was never answered')
  })

  await done(post(owner, 'remove-member', { organizationId, memberIdOrEmail: bobs }))
  removed = true
  await Promise.all(acting)

  expect(late).toEqual([])
  for (const [process] of cluster.servers.entries()) {
    const session = await cluster.get(bob, '/get-session', process)
    expect([session.body.session.activeOrganizationId, session.body.organization]).toEqual([null, null])
    expect(
      (await cluster.get(bob, `/organization/list-members?organizationId=${organizationId}`, process)).status,
    ).toBe(403)
  }
})

test('a demoted member can no longer give a role', async () => {
  const [owner, bob, cleo] = [await newcomer(), crowd[14]!, crowd[15]!]
  for (let round = 0; round < 5; round += 1) {
    const organization = await cluster.found(owner, [
      [bob, 'admin'],
      [cleo, 'member'],
    ])
    const { id: organizationId } = organization
    const [bobs, cleos] = [await cluster.memberId(organization, bob), await cluster.memberId(organization, cleo)]

    const [demoted, given] = await Promise.all([
      post(owner, 'update-member-role', { organizationId, memberId: bobs, role: 'member' }, round),
      post(bob, 'update-member-role', { organizationId, memberId: cleos, role: 'admin' }, round + 1),
    ])

    expect(demoted.status).toBe(200)
    expect(['ok', 'YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER']).toContain(Object.keys(tally([given]))[0])
    expect((await rolesIn(url, organizationId))[cleo.id]).toBe(given.status === 200 ? 'admin' : 'member')
    await done(post(owner, 'delete', { organizationId }))
  }
})
