import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { FreshDatabase } from '../faults/databases.ts'
import { type ServerProcess, startServer } from '../faults/server-process.ts'
import { versions } from './clients.ts'
import { accountStory } from './story-account.ts'
import { secrets } from './story-people.ts'
import { signInStory } from './story-sign-in.ts'

/** Everything that the clients of both versions can ask for, against servers on one database. */
export function clientStory(freshDatabase: () => Promise<FreshDatabase>): void {
  let databases: FreshDatabase[]
  let server: ServerProcess
  let strict: ServerProcess

  beforeAll(async () => {
    databases = await Promise.all([freshDatabase(), freshDatabase()])
    ;[server, strict] = await Promise.all([
      startServer({ databaseUrl: databases[0]!.url, env: { LOG_LEVEL: 'trace' } }),
      startServer({
        databaseUrl: databases[1]!.url,
        env: { LOG_LEVEL: 'trace' },
        config: {
          emailAndPassword: { requireEmailVerification: true, revokeSessionsOnPasswordReset: false },
          emailVerification: { autoSignInAfterVerification: true },
          user: { deleteUser: { sendVerification: false } },
          session: { cookieCache: { enabled: true } },
        },
      }),
    ])
  })

  afterAll(async () => {
    await Promise.all([server, strict].map((each) => each?.[Symbol.asyncDispose]()))
    await Promise.all((databases ?? []).map((each) => each[Symbol.asyncDispose]()))
  })

  afterEach(() => vi.unstubAllGlobals())

  // Read when a test runs: the servers start after this.
  const servers = {
    get usual() {
      return server
    },
    get strict() {
      return strict
    },
  }
  describe.each(versions)('$name', (version) => {
    signInStory(version, servers)
    accountStory(version, servers)
  })

  test('F-logs: with everything logged, no password, cookie or mailed token is', () => {
    for (const { output } of [server, strict]) {
      expect(output()).toContain('/api/auth/sign-up/email')
      expect(secrets.size).toBeGreaterThan(20)
      expect([...secrets].filter((secret) => output().includes(secret))).toEqual([])
    }
  })
}
