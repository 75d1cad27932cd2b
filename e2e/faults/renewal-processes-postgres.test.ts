import { expect, test } from 'vitest'
import { saveClockOffset } from '../../packages/server/src/features/dev/dev.repository.ts'
import { days, systemClock } from '../../packages/server/src/foundation/clock.ts'
import { freshPostgres } from './databases.ts'
import { countPosted, expectRenewedOnce, isAllCharged, subscribeMany } from './many-renewals.ts'
import { startServer, until } from './server-process.ts'
import { endLeases, lookInto } from './state.ts'

/** Subscriptions of one seller that all renew at one moment; RENEWALS=10000 takes some minutes. */
const many = Number(process.env.RENEWALS ?? 120)
/** Processes of one installation have one address, which their mails name. */
const env = { BASE_URL: 'http://localhost:3000' }
/** What a renewal takes on a busy machine, in milliseconds. */
const each = 60

test.each([2, 4])(
  `%d processes on one PostgreSQL renew ${many} subscriptions of one seller: each period once, also where leases end early`,
  async (count) => {
    await using database = await freshPostgres()
    await subscribeMany(database.url, many)
    await lookInto(database.url, ({ db }) =>
      db.transaction().execute((tx) => saveClockOffset(tx, days(32), systemClock.now())),
    )

    await using running = new AsyncDisposableStack()
    const servers = await Promise.all(
      Array.from({ length: count }, async () => running.use(await startServer({ databaseUrl: database.url, env }))),
    )
    await lookInto(database.url, async ({ db }) => {
      const patience = 30_000 + many * each
      const posted = (share: number) =>
        until(`${share} of the renewals`, patience, async () => (await countPosted(db)) >= many * share)
      // Processes that take each other for dead do the same jobs at the same time.
      for (const share of [0.1, 0.3, 0.6]) {
        await posted(share)
        await endLeases(database.url)
      }
      await posted(1)
      await until('the last charge', patience, () => isAllCharged(db))
    })
    const ends = await Promise.all(servers.map((server) => server.end()))

    expect(ends).toEqual(servers.map(() => ({ code: 0, signal: null })))
    await expectRenewedOnce(database.url, { subscriptions: many, renewals: 1 })
  },
  600_000 + many * each * 8,
)
