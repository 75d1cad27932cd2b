import type { Person, TestServer } from '../../../testing.ts'

/** A signed-in user with a verified address. */
export async function provenAccount(server: TestServer, name = 'Proven'): Promise<Person> {
  const person = await server.signedUp(name)
  const { ctx } = server.tollgate.internals
  await ctx.transaction((tx) =>
    tx.updateTable('user').set({ emailVerified: true }).where('id', '=', person.id).execute(),
  )
  return person
}
