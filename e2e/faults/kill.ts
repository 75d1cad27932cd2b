import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { tables } from '../../packages/server/src/foundation/db/tables.ts'
import { freePort } from '../../testing/free-port.ts'
import { call, password, signUp } from './calls.ts'
import type { FreshDatabase } from './databases.ts'
import type { KillPoints } from './kill-points.ts'
import { spawnServer, startServer, until } from './server-process.ts'
import { endLeases, mailsByAddress, signUps, tableNames } from './state.ts'

const preload = new URL('./kill-at-statement.mjs', import.meta.url)

/** What kill -9 must not do, on one database. */
export function killStory(
  freshDatabase: () => Promise<FreshDatabase>,
  { first, stride, moments, named, timeout }: KillPoints,
): void {
  test(
    `F-kill-sign-up: killed at any statement of a sign-up, a server leaves a whole user or none (${named})`,
    async () => {
      await using database = await freshDatabase()
      const outcomes: string[] = []
      for (let statement = first; outcomes.at(-1) !== 'answered'; statement += stride) {
        if (statement > 40) throw new Error('The sign-up never came to its end')
        await using server = await startServer({
          databaseUrl: database.url,
          preload,
          env: { FAULT_FROM: 'insert into "user"', FAULT_STATEMENT: String(statement) },
        })

        const email = `step${statement}@example.com`
        const status = await signUp(server.baseURL, email)
        const { emails, faults } = await signUps(database.url)

        expect(faults).toEqual([])
        expect([0, 200]).toContain(status)
        outcomes.push(status === 200 ? 'answered' : emails.includes(email) ? 'whole' : 'none')
        if (status === 200) expect(emails).toContain(email)
        else expect(await server.exited).toMatchObject({ signal: 'SIGKILL' })
      }
      // From nothing to everything, with the commit as the only step between.
      expect(outcomes.join(' ')).toMatch(/^(none )+(whole )*answered$/)
      expect(outcomes.filter((outcome) => outcome === 'none').length * stride).toBeGreaterThanOrEqual(8)
    },
    timeout,
  )

  test(
    `F-kill-sign-up: killed ${moments} times at random moments of parallel sign-ups, nothing acknowledged is lost`,
    async () => {
      await using database = await freshDatabase()
      // One address throughout: links in mails that wait must lie under it.
      const port = await freePort()
      const acknowledged: string[] = []
      for (let round = 0; round < moments; round += 1) {
        await using server = await startServer({ databaseUrl: database.url, port })
        const people = Array.from({ length: 6 }, async () => {
          for (;;) {
            const email = `${randomUUID()}@example.com`
            const status = await signUp(server.baseURL, email)
            if (status === 0) return
            expect(status).toBe(200)
            acknowledged.push(email)
          }
        })
        const before = acknowledged.length
        await until('the first answer of the round', 20_000, () => acknowledged.length > before)
        await wait(randomInt(0, 150))
        await server.end('SIGKILL')
        await Promise.all(people)
      }

      const { emails, faults } = await signUps(database.url)
      expect(faults).toEqual([])
      expect(acknowledged.length).toBeGreaterThanOrEqual(moments)
      expect(acknowledged.filter((email) => !emails.includes(email))).toEqual([])

      await endLeases(database.url)
      await using server = await startServer({ databaseUrl: database.url, port })
      for (const email of acknowledged.slice(-60))
        expect((await call(server.baseURL, '/sign-in/email', { email, password })).status).toBe(200)
      await until(
        'a mail to everybody',
        20_000,
        async () => (await mailsByAddress(database.url)).size === emails.length,
      )
      expect([...(await mailsByAddress(database.url)).values()].every((count) => count === 1)).toBe(true)
    },
    timeout,
  )

  test(
    'F-kill-migrate: killed at any statement of the migration, a server leaves a whole schema or none',
    async () => {
      await using database = await freshDatabase()
      let kills = 0
      // Not at each: there are many hundreds, and of a table the statements that make it are alike.
      for (let statement = 0; ; statement += 61) {
        await using server = await spawnServer({
          databaseUrl: database.url,
          preload,
          env: { FAULT_FROM: 'create table if not exists "migration"', FAULT_STATEMENT: String(statement) },
        })
        const served = until('ready', 20_000, async () => (await call(server.baseURL, '/ok')).status === 200)
        const ended = await Promise.race([served, server.exited])
        const names = await tableNames(database.url)
        if (!ended) break

        expect(ended).toMatchObject({ signal: 'SIGKILL' })
        kills += 1
        served.catch(() => {}) // a dead server never gets ready
        expect([0, Object.keys(tables).length + 1]).toContain(names.length)
      }
      expect(kills).toBeGreaterThan(5)

      await using server = await startServer({ databaseUrl: database.url })
      expect(await signUp(server.baseURL, 'ada@example.com')).toBe(200)
    },
    timeout,
  )
}
