import type { Answer } from '@tollgate/contract/types'
import type { Person, TestServer } from '../../../testing.ts'

/** Setup for tests of organizations. */

export type Made = Answer<'createOrganization'>

/** A new organization of a user, active in their session. */
export async function created(owner: Person, slug = 'acme', more: Record<string, unknown> = {}): Promise<Made> {
  const { status, text, body } = await owner.post('/organization/create', { name: slug, slug, ...more })
  if (status !== 200) throw new Error(`create answered ${status}: ${text}`)
  return body
}

/** Adds a user to an organization by server code; their active organization stays. */
export const joined = (
  server: TestServer,
  { id }: { readonly id: string },
  person: Person,
  role = 'member',
): Promise<Answer<'addMember'>> =>
  server.tollgate.api.addMember({ body: { organizationId: id, userId: person.id, role } })

/** Follows the link that verifies a user's address. */
export async function verified(server: TestServer, person: Person): Promise<void> {
  await person.request('GET', await server.linkTo(person.email))
  if (!(await person.get('/get-session')).body.user.emailVerified) throw new Error('the address is not verified')
}

/** The active organization, from the session and from the call. */
export async function activeOf(person: Person): Promise<[id: string | null, slug: string | null]> {
  const { session, organization } = (await person.get('/get-session')).body
  return [session.activeOrganizationId, organization?.slug ?? null]
}
