import type { Answer } from '@tollgate/contract/types'
import type { Person, TestServer } from '../../testing.ts'

/** What tests of organizations begin with. */

export type Made = Answer<'createOrganization'>

/** An organization that somebody has just created; it is their active one. */
export async function created(owner: Person, slug = 'acme', more: Record<string, unknown> = {}): Promise<Made> {
  const { status, text, body } = await owner.post('/organization/create', { name: slug, slug, ...more })
  if (status !== 200) throw new Error(`create answered ${status}: ${text}`)
  return body
}

/** Somebody who is put into an organization by the server's own code; nothing is active for them. */
export const joined = (
  server: TestServer,
  { id }: { readonly id: string },
  person: Person,
  role = 'member',
): Promise<Answer<'addMember'>> =>
  server.tollgate.api.addMember({ body: { organizationId: id, userId: person.id, role } })

/** Somebody who follows the link that proves their address. */
export async function verified(server: TestServer, person: Person): Promise<void> {
  await person.request('GET', await server.linkTo(person.email))
  if (!(await person.get('/get-session')).body.user.emailVerified) throw new Error('the address is not verified')
}

/** The active organization of somebody's session, as the session says and as it is told. */
export async function activeOf(person: Person): Promise<[id: string | null, slug: string | null]> {
  const { session, organization } = (await person.get('/get-session')).body
  return [session.activeOrganizationId, organization?.slug ?? null]
}
