import type { Person, TestServer } from '../../../testing.ts'

/** Organizations and invitations for tests, made through the API. */

/** A signed-in user with a verified address. */
export async function verified(server: TestServer, name: string): Promise<Person> {
  const person = await server.signedUp(name)
  await server.tollgate.internals.ctx.transaction((tx) =>
    tx.updateTable('user').set({ emailVerified: true }).where('id', '=', person.id).execute(),
  )
  const { email, password } = person
  // With required verification the sign-up begins no session.
  if (!person.cookies.has('better-auth.session_token')) await person.post('/sign-in/email', { email, password })
  return person
}

export type Founded = { readonly owner: Person; readonly organizationId: string }

/** An organization with its owner, in whose session it is active. */
export async function founded(server: TestServer, name = 'Ada', slug = 'acme'): Promise<Founded> {
  const owner = await verified(server, name)
  const { status, text, body } = await owner.post('/organization/create', { name: `${slug} Ltd`, slug })
  if (status !== 200) throw new Error(`create answered ${status}: ${text}`)
  return { owner, organizationId: body.id }
}

export type Invited = { readonly invitationId: string; readonly proof: string }

/** Invites an address and reads the mail. */
export async function invited(
  server: TestServer,
  inviter: Pick<Person, 'post'>,
  email: string,
  offer: Record<string, unknown> = {},
): Promise<Invited> {
  const { status, text, body } = await inviter.post('/organization/invite-member', { email, role: 'member', ...offer })
  if (status !== 200) throw new Error(`invite-member answered ${status}: ${text}`)
  return { invitationId: body.id, proof: await proofTo(server, email) }
}

/** The secret in an address's newest invitation mail; any of those sent at the same moment. */
export async function proofTo(server: TestServer, email: string): Promise<string> {
  const links = (await server.mailsTo(email)).flatMap((mail) => mail.links)
  const link = links.find((each) => each.includes('/accept-invitation/'))
  if (!link) throw new Error(`no invitation was mailed to ${email}`)
  return new URL(link).searchParams.get('proof') ?? ''
}

/** A new member of the inviter's active organization. */
export async function joined(server: TestServer, inviter: Person, name: string, role = 'member'): Promise<Person> {
  const person = await verified(server, name)
  const { invitationId } = await invited(server, inviter, person.email, { role })
  const { status, text } = await person.post('/organization/accept-invitation', { invitationId })
  if (status !== 200) throw new Error(`accept-invitation answered ${status}: ${text}`)
  return person
}

export const invitationRows = ({ tollgate }: TestServer) =>
  tollgate.internals.ctx.db.selectFrom('invitation').selectAll().orderBy('createdAt').orderBy('email').execute()

export const memberRows = ({ tollgate }: TestServer) =>
  tollgate.internals.ctx.db.selectFrom('member').selectAll().orderBy('createdAt').execute()
