import { expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../testing.ts'
import { foundedCompany } from './testing/company.ts'

/** How many transactions a call begins; each of these calls would lock the organization first. */
async function transactionsIn(server: TestServer, act: () => Promise<unknown>): Promise<number> {
  const { ctx } = server.tollgate.internals
  // Sign-up mails have transactions of their own.
  await ctx.jobs.stop()
  const { transaction } = ctx
  let count = 0
  const counted: typeof transaction = (work) => {
    count += 1
    return transaction(work)
  }
  Object.assign(ctx, { transaction: counted })
  await act()
  Object.assign(ctx, { transaction })
  return count
}

const name = 'Field'
const permission = { team: ['create'] }

/** Changes that members can make and strangers must not even begin. */
const calls: [call: string, given: (the: { team: string; userId: string; memberId: string }) => object][] = [
  ['update', () => ({ data: { name } })],
  ['update-member-role', ({ memberId }) => ({ memberId, role: 'admin' })],
  ['remove-member', ({ memberId }) => ({ memberIdOrEmail: memberId })],
  ['leave', () => ({})],
  ['create-role', () => ({ role: 'further', permission })],
  ['update-role', () => ({ roleName: 'spare', data: { permission } })],
  ['delete-role', () => ({ roleName: 'spare' })],
  ['create-team', () => ({ name })],
  ['update-team', ({ team }) => ({ teamId: team, data: { name } })],
  ['remove-team', ({ team }) => ({ teamId: team })],
  ['add-team-member', ({ team, userId }) => ({ teamId: team, userId })],
  ['remove-team-member', ({ team, userId }) => ({ teamId: team, userId })],
  ['invite-member', () => ({ email: 'new@example.com', role: 'member' })],
  ['create-invitation-link', () => ({})],
  ['add-domain', () => ({ domain: 'staff.example' })],
  ['transfer-ownership', ({ memberId }) => ({ memberId })],
  ['delete', () => ({})],
]

test.each(calls)('a user who is no member holds up no user who is: %s', async (call, given) => {
  await using server = await createTestServer({ organization: { teams: { enabled: true } } })
  const acme = await foundedCompany(server)
  const max = await acme.member()
  const { id: team } = (await acme.owner.post('/organization/create-team', { name: 'First' })).body
  await acme.owner.post('/organization/create-role', { role: 'spare', permission: {} })
  const stranger = await server.signedUp('Sam')
  const { data, ...members } = given({ team, userId: max.id, memberId: max.memberId }) as { data?: object }
  const organizationId = acme.id
  const body = { ...members, organizationId, ...(data && { data: { ...data, organizationId } }) }

  let status = 0
  const begun = await transactionsIn(server, async () => {
    status = (await stranger.post(`/organization/${call}`, body)).status
  })

  expect([call, status >= 400 && status < 500, begun]).toEqual([call, true, 0])
})
