import { expect } from 'vitest'
import type { Context } from '../../../foundation/context.ts'
import type { Person, TestAnswer, TestServer, Visitor } from '../../../testing.ts'
import { lockOrganization } from '../membership.repository.ts'
import { admitMember } from '../membership.service.ts'

/** Users and organizations for the tests of joining. */

export const context = ({ tollgate }: TestServer): Context => tollgate.internals.ctx

export const refusal = ({ status, body }: TestAnswer) => [status, body?.code]

const password = 'correct horse battery'

/** A signed-up user; the address is verified by default. */
export async function arrived(server: TestServer, email: string, { verified = true } = {}): Promise<Person> {
  const person = server.visitor()
  const name = email.slice(0, email.indexOf('@'))
  const { status, body, text } = await person.post('/sign-up/email', { name, email, password })
  expect([status, text]).toEqual([200, text])
  if (verified) await verify(server, body.user.id)
  return Object.assign(person, { id: body.user.id as string, email, password })
}

/** Marks an address verified without an event, so that no job follows. */
export const verify = (server: TestServer, id: string, emailVerified = true): Promise<unknown> =>
  context(server).transaction((tx) => tx.updateTable('user').set({ emailVerified }).where('id', '=', id).execute())

/** An organization and its owner, in whose session it is active. */
export async function founded(server: TestServer, slug = 'acme'): Promise<{ id: string; owner: Person }> {
  const owner = await arrived(server, `owner@${slug}.example`)
  const { status, body, text } = await owner.post('/organization/create', { name: slug.toUpperCase(), slug })
  expect([status, text]).toEqual([200, text])
  return { id: body.id, owner }
}

/** A further member with this organization active. */
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

/** An organization's roles by user id. */
export async function membersOf(server: TestServer, organizationId: string): Promise<Record<string, string>> {
  const rows = await context(server)
    .db.selectFrom('member')
    .select(['userId', 'role'])
    .where('organizationId', '=', organizationId)
    .execute()
  return Object.fromEntries(rows.map(({ userId, role }) => [userId, role]))
}

/** The event of a user's admission; events of one moment have no order. */
export const admissionOf = async (server: TestServer, userId: string) =>
  (await server.events('member.added')).find((event) => event.userId === userId)

/** A new link with its token. */
export async function linkOf(
  person: Visitor,
  options: Record<string, unknown> = {},
): Promise<{ id: string; token: string; body: TestAnswer['body'] }> {
  const { status, body, text } = await person.post('/organization/create-invitation-link', options)
  expect([status, text]).toEqual([200, text])
  return { id: body.id, token: new URL(body.url).pathname.split('/').at(-1)!, body }
}

export const join = (person: Visitor, token: string) => person.post('/organization/join-by-link', { token })

/** Asserts that no transactions deadlocked; always true on SQLite. */
export function expectNoCircle(server: TestServer): void {
  expect(server.logs.filter((line) => line.includes('serialization failure') || line.includes('deadlock'))).toEqual([])
}

/** Answers of fake name servers, by name. */
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

/** A domain of the organization that an administrator has verified. */
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
