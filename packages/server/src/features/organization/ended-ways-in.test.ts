import { expect, test } from 'vitest'
import { days, hours } from '../../foundation/clock.ts'
import { createTestServer, type TestServer } from '../../testing.ts'
import { arrived, context, founded, join, linkOf, membersOf, refusal } from './testing/joining.ts'

const sweep = (server: TestServer) => context(server).jobs.runDue()

/** The remaining rows of a table, by id. */
const idsOf = async (server: TestServer, table: 'invitation' | 'invitationLink' | 'joinRequest') =>
  (await context(server).db.selectFrom(table).select('id').execute()).map(({ id }) => id).sort()

/** Owners' sessions outlast these tests. */
const longSessions = { session: { expiresIn: 365 * 86_400 } }

test('invitations are removed ninety days after they expire, whatever their status', async () => {
  await using server = await createTestServer({ ...longSessions, organization: { invitationExpiresIn: 3600 } })
  const { owner } = await founded(server)
  const ada = await arrived(server, 'ada@home.example')
  const invite = async (email: string) =>
    (await owner.post('/organization/invite-member', { email, role: 'member' })).body.id as string
  const accepted = await invite(ada.email)
  await ada.post('/organization/accept-invitation', { invitationId: accepted })
  const canceled = await invite('canceled@home.example')
  await owner.post('/organization/cancel-invitation', { invitationId: canceled })
  const pending = await invite('pending@home.example')
  server.clock.advance(hours(1))
  const later = await invite('later@home.example')

  server.clock.advance(days(90) - 1)
  await sweep(server)
  expect(await idsOf(server, 'invitation')).toEqual([accepted, canceled, pending, later].sort())
  server.clock.advance(hours(1))
  await sweep(server)

  expect(await idsOf(server, 'invitation')).toEqual([later])
  expect(await server.events('invitation.accepted')).toHaveLength(1)
  expect(
    (await owner.post('/organization/invite-member', { email: 'pending@home.example', role: 'member' })).status,
  ).toBe(200)
})

test('links go when they ended ninety days ago, and those that can be used stay', async () => {
  await using server = await createTestServer(longSessions)
  const { owner } = await founded(server)
  const live = await linkOf(owner, { maxUses: 2, expiresIn: 31_536_000 })
  const lasting = await linkOf(owner)
  const usedUp = await linkOf(owner, { maxUses: 1 })
  await join(await arrived(server, 'ada@home.example'), usedUp.token)
  const expired = await linkOf(owner, { expiresIn: 60 })
  const revoked = await linkOf(owner)
  server.clock.advance(days(1))
  await owner.post('/organization/revoke-invitation-link', { linkId: revoked.id })

  server.clock.advance(days(89) - 1)
  await sweep(server)
  expect(await idsOf(server, 'invitationLink')).toEqual([live.id, lasting.id, usedUp.id, expired.id, revoked.id].sort())
  server.clock.advance(hours(1))
  await sweep(server)
  expect(await idsOf(server, 'invitationLink')).toEqual([live.id, lasting.id, revoked.id].sort())
  server.clock.advance(days(1))
  await sweep(server)

  expect(await idsOf(server, 'invitationLink')).toEqual([live.id, lasting.id].sort())
})

test('answered requests go, open ones stay with the link by which they came', async () => {
  await using server = await createTestServer(longSessions)
  const { id, owner } = await founded(server)
  const { id: linkId, token } = await linkOf(owner, { requiresApproval: true })
  const [ada, bob, cid] = [
    await arrived(server, 'ada@home.example'),
    await arrived(server, 'bob@home.example'),
    await arrived(server, 'cid@home.example'),
  ]
  const requests = new Map<string, string>()
  for (const person of [ada, bob, cid]) await join(person, token)
  for (const { userId, id: requestId } of (await owner.get('/organization/list-join-requests')).body)
    requests.set(userId, requestId)
  await owner.post('/organization/approve-join-request', { requestId: requests.get(ada.id) })
  await owner.post('/organization/deny-join-request', { requestId: requests.get(bob.id) })
  await owner.post('/organization/revoke-invitation-link', { linkId })

  server.clock.advance(days(90) + hours(1))
  await sweep(server)

  expect(await idsOf(server, 'joinRequest')).toEqual([requests.get(cid.id)])
  expect(await idsOf(server, 'invitationLink')).toEqual([linkId])
  const approved = await owner.post('/organization/approve-join-request', { requestId: requests.get(cid.id) })
  expect([approved.status, approved.text]).toEqual([200, approved.text])
  expect(await membersOf(server, id)).toMatchObject({ [ada.id]: 'member', [cid.id]: 'member' })
  expect(refusal(await join(bob, token))).toEqual([400, 'INVITATION_LINK_NOT_FOUND'])
})

test('more than one batch goes in one sweep', async () => {
  await using server = await createTestServer()
  const { id: organizationId, owner } = await founded(server)
  const ctx = context(server)
  const at = ctx.clock.now()
  const ended = {
    organizationId,
    role: 'member',
    status: 'canceled' as const,
    inviterId: owner.id,
    expiresAt: at,
    createdAt: at,
  }
  const rows = Array.from({ length: 1100 }, (_, count) => ({
    ...ended,
    id: `${count}`,
    email: `${count}@home.example`,
  }))
  await ctx.transaction(async (tx) => {
    for (const row of rows) await tx.insertInto('invitation').values(row).execute()
  })

  server.clock.advance(days(91))
  await sweep(server)

  expect(await idsOf(server, 'invitation')).toEqual([])
})
