import { expect } from 'vitest'
import type { Context } from '../../context.ts'
import type { Person, TestAnswer, TestServer, Visitor } from '../../testing.ts'
import { lockOrganization } from '../membership.repository.ts'
import { admitMember } from '../membership.service.ts'

/** People and organizations for the tests of ways into one. */

export const context = ({ tollgate }: TestServer): Context => tollgate.internals.ctx

export const refusal = ({ status, body }: TestAnswer) => [status, body?.code]

const password = 'correct horse battery'

/** Somebody who has signed up with an address, and has verified it unless it is said otherwise. */
export async function arrived(server: TestServer, email: string, { verified = true } = {}): Promise<Person> {
  const person = server.visitor()
  const name = email.slice(0, email.indexOf('@'))
  const { status, body, text } = await person.post('/sign-up/email', { name, email, password })
  expect([status, text]).toEqual([200, text])
  if (verified) await verify(server, body.user.id)
  return Object.assign(person, { id: body.user.id as string, email, password })
}

/** Marks an address verified without an event: nothing follows from it. */
export const verify = (server: TestServer, id: string, emailVerified = true): Promise<unknown> =>
  context(server).transaction((tx) => tx.updateTable('user').set({ emailVerified }).where('id', '=', id).execute())

/** An organization and its owner, in whose session it is active. */
export async function founded(server: TestServer, slug = 'acme'): Promise<{ id: string; owner: Person }> {
  const owner = await arrived(server, `owner@${slug}.example`)
  const { status, body, text } = await owner.post('/organization/create', { name: slug.toUpperCase(), slug })
  expect([status, text]).toEqual([200, text])
  return { id: body.id, owner }
}

/** A further member, who has made the organization the active one. */
export async function joined(server: TestServer, organizationId: string, email: string, role: string): Promise<Person> {
  const person = await arrived(server, email)
  await admit(server, organizationId, person.id, role)
  await person.post('/organization/set-active', { organizationId })
  return person
}

export const admit = (server: TestServer, organizationId: string, userId: string, role = 'member') =>
  context(server).transaction(async (tx) => {
    await lockOrganization(tx, organizationId)
    return admitMember(context(server), tx, { organizationId, userId, role, actorId: null, by: 'server' })
  })

/** Who is in an organization, as roles by user id. */
export async function membersOf(server: TestServer, organizationId: string): Promise<Record<string, string>> {
  const rows = await context(server)
    .db.selectFrom('member')
    .select(['userId', 'role'])
    .where('organizationId', '=', organizationId)
    .execute()
  return Object.fromEntries(rows.map(({ userId, role }) => [userId, role]))
}

/** How somebody became a member, by the events, which have no order within one moment of the clock. */
export const admissionOf = async (server: TestServer, userId: string) =>
  (await server.events('member.added')).find((event) => event.userId === userId)

/** A new link, and the token in it. */
export async function linkOf(
  person: Visitor,
  options: Record<string, unknown> = {},
): Promise<{ id: string; token: string; body: TestAnswer['body'] }> {
  const { status, body, text } = await person.post('/organization/create-invitation-link', options)
  expect([status, text]).toEqual([200, text])
  return { id: body.id, token: new URL(body.url).pathname.split('/').at(-1)!, body }
}

export const join = (person: Visitor, token: string) => person.post('/organization/join-by-link', { token })

/** No two transactions waited for each other. On SQLite that holds by itself. */
export function expectNoCircle(server: TestServer): void {
  expect(server.logs.filter((line) => line.includes('undone for another') || line.includes('deadlock'))).toEqual([])
}

/** Answers of made-up name servers, by name. */
export function nameServers() {
  const records = new Map<string, string[][]>()
  const asked: string[] = []
  const resolveTxt = async (name: string): Promise<string[][]> => {
    asked.push(name)
    const found = records.get(name)
    if (!found) throw Object.assign(new Error(`queryTxt ENOTFOUND ${name}`), { code: 'ENOTFOUND' })
    return found
  }
  return { records, asked, resolveTxt }
}

/** A domain that the organization has proved, by the word of an administrator of the installation. */
export async function proved(
  server: TestServer,
  { organization, domain, joinMode }: { organization: { owner: Person }; domain: string; joinMode: string },
): Promise<string> {
  const { body } = await organization.owner.post('/organization/add-domain', { domain, joinMode })
  const { ctx } = server.tollgate.internals
  await ctx.transaction((tx) =>
    tx.updateTable('organizationDomain').set({ verifiedAt: ctx.clock.now() }).where('id', '=', body.id).execute(),
  )
  return body.id
}
