import { createTollgateClient } from '@tollgate/client'
import { expect, test } from 'vitest'
import { readSection } from './read-section.ts'

const organization = { id: 'org1', name: 'Northwind', slug: 'northwind', logo: null, requireVerifiedEmail: false }
const member = (id: string, role: string) => ({
  id,
  userId: `user-${id}`,
  role,
  teamId: 'team1',
  user: { id: `user-${id}`, name: id, email: `${id}@example.com`, image: null },
})
const own = { ...member('ada', 'owner'), permissions: { member: ['update'] } }
const session = { session: { id: 's' }, user: { id: 'user-ada', name: 'ada' } }

/** A client whose server answers by path; other paths are refused as for a viewer without permission. */
function clientOf(answers: Record<string, unknown>) {
  const asked: string[] = []
  const client = createTollgateClient({
    baseURL: 'https://app.example',
    fetch: async (input) => {
      const url = new URL(String(input instanceof Request ? input.url : input))
      const path = url.pathname.replace('/api/auth', '')
      asked.push(path + url.search)
      return path in answers
        ? Response.json(answers[path])
        : Response.json({ code: 'NOT_ALLOWED', message: 'Not allowed' }, { status: 403 })
    },
  })
  return { client, asked }
}

const answers = {
  '/get-session': session,
  '/organization/get-organization': organization,
  '/organization/get-active-member': own,
  '/organization/list': [organization],
  '/organization/list-members': { members: [own, member('bob', 'member')], total: 2 },
  '/organization/list-teams': [{ id: 'team1', name: 'Design' }],
  '/organization/list-roles': [{ id: 'role1', role: 'auditor', permission: { audit: ['read'] } }],
  '/organization/list-invitations': [],
}

test('an embedded section receives the same input as its page', async () => {
  const { client } = clientOf(answers)

  const read = await readSection(client, 'members', { search: 'a' }, { membershipLimit: 5 })

  expect(read).toMatchObject({
    organization,
    isOwner: true,
    ownerRole: 'owner',
    soleOwner: true,
    search: 'a',
    total: 2,
    teamNames: { ada: ['Design'], bob: ['Design'] },
    counts: { members: 2, membershipLimit: 5, requests: 0 },
    features: { teams: true },
  })
  expect(read).toHaveProperty('roles.4', { id: 'role1', name: 'auditor', permissions: { audit: ['read'] } })
})

test('parts that the viewer may not see are omitted, and the server answers their queries', async () => {
  const { client, asked } = clientOf(answers)

  const read = await readSection(client, 'invitations', { status: 'accepted' }, {})

  expect(read).toMatchObject({ status: 'accepted', inviters: { 'user-bob': 'bob' } })
  expect(read).not.toHaveProperty('links')
  expect(asked.some((path) => path.includes('list-invitations') && path.includes('status=accepted'))).toBe(true)
})

test('without an active organization there is none, and without the list the section has failed', async () => {
  const { '/organization/list-members': _, ...withoutMembers } = answers
  const none = clientOf({ ...answers, '/organization/get-organization': null })

  expect(await readSection(none.client, 'members', {}, {})).toBe('none')
  expect(await readSection(clientOf(withoutMembers).client, 'members', {}, {})).toBe('failed')
  expect(await readSection(clientOf({}).client, 'overview', {}, {})).toBe('failed')
})
