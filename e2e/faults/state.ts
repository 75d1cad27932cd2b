import { type Database, openDatabase } from '../../packages/server/src/foundation/db/database.ts'

/** Opens a database beside the servers that use it, to see what they have left in it. */
export async function lookInto<T>(url: string, look: (database: Database) => Promise<T>): Promise<T> {
  const database = openDatabase(url)
  try {
    return await look(database)
  } finally {
    await database.close()
  }
}

/** Every user who has signed up, and every deviation from the result of one sign-up. */
export async function signUps(url: string): Promise<{ emails: string[]; faults: string[] }> {
  return lookInto(url, async ({ db }) => {
    const users = await db.selectFrom('user').select(['id', 'email']).execute()
    const accounts = await db.selectFrom('account').select(['userId', 'providerId', 'password']).execute()
    const sessions = await db.selectFrom('session').select('userId').execute()
    const events = await db.selectFrom('event').select(['userId', 'type']).execute()
    const proofs = await db.selectFrom('verification').select(['identifier', 'value']).execute()
    const faults: string[] = []
    const one = (what: string, email: string, found: readonly unknown[]) => {
      if (found.length !== 1) faults.push(`${email} has ${found.length} × ${what}`)
    }
    for (const { id, email } of users) {
      one(
        'account',
        email,
        accounts.filter((row) => row.userId === id && row.providerId === 'credential' && row.password),
      )
      one(
        'session',
        email,
        sessions.filter((row) => row.userId === id),
      )
      one(
        'user.created',
        email,
        events.filter((row) => row.userId === id && row.type === 'user.created'),
      )
      one(
        'session.created',
        email,
        events.filter((row) => row.userId === id && row.type === 'session.created'),
      )
      one(
        'proof',
        email,
        proofs.filter((row) => row.value === id && row.identifier.startsWith('verify-email:')),
      )
    }
    const known = new Set(users.map(({ id }) => id))
    for (const { userId } of [...accounts, ...sessions])
      if (!known.has(userId)) faults.push(`nobody has the id ${userId}`)
    const mails = new Set([
      ...(await db.selectFrom('job').select('id').where('kind', '=', 'mail').execute()).map(({ id }) => id),
      ...(await db.selectFrom('inboxMessage').select('id').execute()).map(({ id }) => id),
    ])
    if (mails.size !== users.length) faults.push(`${users.length} users, ${mails.size} mails`)
    return { emails: users.map(({ email }) => email), faults }
  })
}

/** Ends the leases of jobs whose process was killed, which time would do within a minute. */
export async function endLeases(url: string): Promise<void> {
  await lookInto(url, ({ db }) =>
    db.transaction().execute((tx) => tx.updateTable('job').set({ leaseUntil: null }).execute()),
  )
}

/** How many mails each address got. */
export async function mailsByAddress(url: string): Promise<Map<string, number>> {
  const rows = await lookInto(url, ({ db }) => db.selectFrom('inboxMessage').select('recipient').execute())
  const counts = new Map<string, number>()
  for (const { recipient } of rows) counts.set(recipient, (counts.get(recipient) ?? 0) + 1)
  return counts
}

/** The tables there are, by name. */
export const tableNames = (url: string): Promise<string[]> =>
  lookInto(url, async ({ db }) => (await db.introspection.getTables()).map(({ name }) => name).sort())
