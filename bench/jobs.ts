import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { CompiledQuery, sql } from 'kysely'
import type { Tollgate } from '../packages/server/src/app/server.ts'
import { createJobs } from '../packages/server/src/foundation/job-loop.ts'
import { onEachDatabase, report, startTollgate } from './each-database.ts'

/*
 * How many jobs one process runs in a second while none, some or a million wait, all of one organization, and how long
 * the event loop is held up meanwhile. The jobs do nothing, so that only claiming and ending them is measured.
 * `node bench/jobs.ts`.
 */

const backlogs = [1_000, 100_000, 1_000_000]
const measuredFor = 5_000
/** In milliseconds. */
const longestDelay = 50
/** Beside the smallest backlog. */
const flatness = 0.7

await onEachDatabase(async (name, databaseUrl) => {
  const tollgate = await startTollgate(databaseUrl)
  await tollgate.internals.ctx.jobs.stop()
  const rates: number[] = []
  for (const backlog of backlogs) {
    await fillUp(tollgate, backlog)
    const { rate, delay } = await measure(tollgate)
    rates.push(rate)
    const isMet = delay <= longestDelay && rate >= (rates[0] ?? 0) * flatness
    const wanted = `as many as with ${backlogs[0]}, at most ${longestDelay} ms`
    report(
      `${name}, ${backlog} wait`,
      `${Math.round(rate)} jobs/s, event loop p99 ${delay.toFixed(1)} ms`,
      wanted,
      isMet,
    )
  }
  await tollgate.close()
})

/** Fills the queue up to some due jobs of one organization. */
async function fillUp({ internals: { ctx } }: Tollgate, count: number): Promise<void> {
  await ctx.db.deleteFrom('job').execute()
  const { database, clock } = ctx
  const runAt = clock.now().toISOString()
  const numbers =
    database.dialect === 'sqlite'
      ? sql`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(count)}) select n from numbers`
      : sql`select n from generate_series(1, ${sql.lit(count)}) as n`
  await ctx.db
    .withoutPlugins()
    .insertInto('job' as never)
    .columns(['id', 'kind', 'lane', 'organization_id', 'payload', 'run_at', 'attempts', 'calls', 'created_at'] as never)
    .expression(
      sql`select cast(n as text), 'webhook-endpoint', 'receivers', 'crowd', '', ${sql.lit(runAt)}${database.dialect === 'postgres' ? sql`::timestamptz` : sql``}, 0, 0, ${sql.lit(runAt)}${database.dialect === 'postgres' ? sql`::timestamptz` : sql``} from (${numbers}) as made` as never,
    )
    .execute()
  // As autovacuum would have done, had the jobs come one by one.
  if (database.dialect === 'postgres') await ctx.db.executeQuery(CompiledQuery.raw('vacuum analyze job'))
}

async function measure({ internals: { ctx } }: Tollgate): Promise<{ rate: number; delay: number }> {
  let ended = 0
  const jobs = createJobs(ctx.database, ctx.clock, ctx.log)
  const delays = monitorEventLoopDelay({ resolution: 1 })
  const start = performance.now()
  delays.enable()
  jobs.start({
    'webhook-endpoint': async () => {
      ended += 1
      return undefined
    },
  })
  while (performance.now() - start < measuredFor && (await left(ctx)) > 0) await wait(20)
  const seconds = (performance.now() - start) / 1000
  delays.disable()
  await jobs.stop()
  return { rate: ended / seconds, delay: delays.percentile(99) / 1e6 }
}

async function left({ db }: Tollgate['internals']['ctx']): Promise<number> {
  return (await db.selectFrom('job').select('id').limit(1).execute()).length
}
