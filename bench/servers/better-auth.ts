import { createServer } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { type BetterAuthOptions, betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import { toNodeHandler } from 'better-auth/node'
import { organization } from 'better-auth/plugins/organization'
import { username } from 'better-auth/plugins/username'
import pg from 'pg'

// better-auth as its documentation sets it up: e-mail and password, usernames, organizations, everything else at its defaults, except
// that rate limit, log and telemetry are off. The SQLite file has the same durability as Tollgate's.

const { PORT, BASE_URL, SECRET, DATABASE_URL = '', COOKIE_CACHE } = process.env

const options = {
  baseURL: BASE_URL,
  secret: SECRET,
  database: openDatabase(DATABASE_URL),
  emailAndPassword: { enabled: true },
  session: { cookieCache: { enabled: COOKIE_CACHE === 'on' } },
  rateLimit: { enabled: false },
  logger: { disabled: true },
  telemetry: { enabled: false },
  plugins: [username(), organization()],
} satisfies BetterAuthOptions

const { runMigrations } = await getMigrations(options)
await runMigrations()

const server = createServer(toNodeHandler(betterAuth(options)))
server.listen(Number(PORT), '127.0.0.1')
process.on('SIGTERM', () => process.exit())

function openDatabase(url: string): DatabaseSync | pg.Pool {
  if (!url.startsWith('sqlite:')) return new pg.Pool({ connectionString: url })
  const database = new DatabaseSync(url.slice('sqlite:'.length))
  database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma busy_timeout = 5000')
  return database
}
