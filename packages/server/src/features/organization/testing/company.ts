import type { Person, TestServer } from '../../../testing.ts'

/** An organization with its owner, and helpers to fill it. */
export type Company = {
  readonly id: string
  readonly owner: Member
  /** A new member with a role, whose active organization it is. */
  member(role?: string, name?: string): Promise<Member>
}

export type Member = Person & { readonly memberId: string }

/** Creates an organization; its owner signs up and has it active. */
export async function foundedCompany(server: TestServer, slug = 'acme'): Promise<Company> {
  const person = await server.signedUp('Olga')
  const { status, text, body } = await person.post('/organization/create', { name: slug, slug })
  if (status !== 200) throw new Error(`create answered ${status}: ${text}`)
  const organizationId: string = body.id
  return {
    id: organizationId,
    owner: Object.assign(person, { memberId: body.members[0].id as string }),
    member: async (role = 'member', name = 'Max') => {
      const newcomer = await server.signedUp(name)
      const { id } = await server.tollgate.api.addMember({ body: { userId: newcomer.id, role, organizationId } })
      await newcomer.post('/organization/set-active', { organizationId })
      return Object.assign(newcomer, { memberId: id })
    },
  }
}

/** Marks an address verified. */
export async function verified(server: TestServer, person: Person): Promise<void> {
  await server.tollgate.internals.ctx.transaction((tx) =>
    tx.updateTable('user').set({ emailVerified: true }).where('id', '=', person.id).execute(),
  )
}
