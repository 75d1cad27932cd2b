import type { Context } from '../../foundation/context.ts'
import { newId } from '../../foundation/ids.ts'
import { emit } from '../../foundation/outbox.ts'
import { findUserByEmail, insertUser, putCredentialAccount } from './user.repository.ts'

/** Creates a demo user with a verified address; false when the address is taken. */
export async function createDemoUser(
  ctx: Context,
  person: { name: string; email: string; password: string; role: string | null },
): Promise<boolean> {
  const { name, email, role } = person
  const password = await ctx.passwords.hash(person.password)
  const now = ctx.clock.now()
  return ctx.transaction(async (tx) => {
    if (await findUserByEmail(tx, email)) return false
    const user = await insertUser(tx, {
      id: newId(),
      name,
      email,
      role,
      emailVerified: true,
      banned: false,
      createdAt: now,
      updatedAt: now,
    })
    await putCredentialAccount(tx, user.id, password, now)
    await emit(tx, now, { type: 'user.created', actorId: null, userId: user.id, data: { method: 'seed' } })
    await emit(tx, now, { type: 'user.email_verified', actorId: null, userId: user.id })
    return true
  })
}
