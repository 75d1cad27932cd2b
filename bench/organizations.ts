import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import type { Accounts } from './accounts.ts'
import type { Server } from './servers.ts'

/** How many members the shared organization has, and how many organizations its owner belongs to. */
export const membersOfOne = 100
export const organizationsOfOne = 1000

/**
 * Puts every user into one organization, whose owner creates many more, and fills it up with people who never sign in. What
 * can be done by calls is done by calls, the same for both products; further members are written as each stores them.
 */
export async function joinOrganizations(
  server: Server,
  port: number,
  databaseUrl: string,
  accounts: Accounts,
): Promise<void> {
  const owner = accounts.cookies[0] ?? ''
  const ids: string[] = []
  for (let number = 1; number <= organizationsOfOne; number += 1) {
    const created = await call(port, '/organization/create', owner, { name: `Team ${number}`, slug: `team-${number}` })
    ids.push(created.id)
  }
  const organizationId = ids[0] ?? ''
  await addMembers(server, databaseUrl, organizationId, accounts.emails)
  for (const cookie of accounts.cookies) await call(port, '/organization/set-active', cookie, { organizationId })
}

async function call(port: number, path: string, cookie: string, body: object): Promise<{ id: string }> {
  const response = await fetch(`http://127.0.0.1:${port}/api/auth${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: `http://localhost:${port}`, cookie },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path} answered ${response.status} ${await response.text()}`)
  return (await response.json()) as { id: string } // both products answer with the row
}

/** The names of columns, which the two products spell differently. */
const columns = {
  tollgate: { user: ['id', 'name', 'email', 'email_verified', 'created_at', 'updated_at'], banned: ', banned' },
  'better-auth': { user: ['id', 'name', 'email', '"emailVerified"', '"createdAt"', '"updatedAt"'], banned: '' },
} as const
const memberColumns = {
  tollgate: 'id, organization_id, user_id, role, created_at',
  'better-auth': 'id, "organizationId", "userId", role, "createdAt"',
} as const

async function addMembers(
  server: Server,
  databaseUrl: string,
  organizationId: string,
  emails: readonly string[],
): Promise<void> {
  const product = server.product === 'better-auth' ? 'better-auth' : 'tollgate'
  const no = server.database === 'sqlite' ? '0' : 'false'
  const now = '2026-01-01T00:00:00.000Z'
  const filled = membersOfOne - emails.length
  const { user, banned } = columns[product]
  const statements = [
    ...Array.from({ length: filled }, (_, index) => {
      const id = `filled${String(index).padStart(26, '0')}`
      return `insert into "user" (${user.join()}${banned}) values ('${id}', 'Member ${index}', 'member-${index}@bench.example', ${no}, '${now}', '${now}'${banned && `, ${no}`})`
    }),
    // Every user except the owner, who became a member by creating it.
    `insert into "member" (${memberColumns[product]}) select 'member' || substr(u.id, 7), '${organizationId}', u.id, 'member', '${now}' from "user" u where u.email <> '${emails[0]}'`,
  ]
  if (server.database === 'sqlite') {
    const database = new DatabaseSync(databaseUrl.slice('sqlite:'.length))
    database.exec('pragma busy_timeout = 5000')
    for (const statement of statements) database.exec(statement)
    database.close()
    return
  }
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}
