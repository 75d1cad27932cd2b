import { openDatabase } from '../packages/server/src/foundation/db/database.ts'

/** How many people an administrator looks through. */
export const crowd = 100_000

const first = ['Ada', 'Alan', 'Barbara', 'Donald', 'Edsger', 'Frances', 'Grace', 'Hedy', 'Ivan', 'Joan']
const last = ['Allen', 'Clarke', 'Dijkstra', 'Hopper', 'Keller', 'Knuth', 'Lamarr', 'Liskov', 'Lovelace', 'Turing']
const rowsAtOnce = 1000

/** Puts a crowd into the database of a server that is running, and makes one of its people an administrator. */
export async function seedCrowd(databaseUrl: string, administrator: string): Promise<void> {
  const { db, close } = openDatabase(databaseUrl)
  try {
    for (let from = 0; from < crowd; from += rowsAtOnce)
      await db
        .insertInto('user')
        .values(Array.from({ length: rowsAtOnce }, (_, index) => personOf(from + index)))
        .execute()
    await db.updateTable('user').set({ role: 'admin' }).where('email', '=', administrator).execute()
  } finally {
    await close()
  }
}

/** A user who signed up a minute after the previous one; every tenth has verified the address. */
function personOf(number: number) {
  const [name, family] = [first[number % first.length], last[Math.floor(number / 7) % last.length]]
  const createdAt = new Date(Date.UTC(2025, 0, 1) + number * 60_000)
  return {
    id: `crowd${String(number).padStart(27, '0')}`,
    email: `${name}.${family}.${number}@crowd.example`.toLowerCase(),
    name: `${name} ${family}`,
    emailVerified: number % 10 === 0,
    banned: false,
    createdAt,
    updatedAt: createdAt,
  }
}
