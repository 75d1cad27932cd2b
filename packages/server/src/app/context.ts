import { targetRules } from '../features/billing/webhooks/webhook-target.ts'
import { findClockOffset } from '../features/dev/dev.repository.ts'
import { featuresOn } from '../features/features.ts'
import { type Clock, movableClock, systemClock } from '../foundation/clock.ts'
import { type Config, ConfigError } from '../foundation/config/config.ts'
import { shownAddress } from '../foundation/config/shown-address.ts'
import type { Context, Foundation } from '../foundation/context.ts'
import { type Database, isUndoneForAnother, openDatabase } from '../foundation/db/database.ts'
import { watchLockOrder } from '../foundation/db/lock-order.ts'
import { migrate } from '../foundation/db/migrate.ts'
import { createResolveAddresses, type ResolveAddresses, type ResolveTxt, resolveTxt } from '../foundation/dns.ts'
import { createJobs } from '../foundation/job-loop.ts'
import { lanesLeft } from '../foundation/jobs.ts'
import { createLogger, type Logger } from '../foundation/log.ts'
import { writeEvents } from '../foundation/outbox.ts'
import { createSecrets } from '../foundation/token.ts'
import { createPorts, type GivenPorts } from './ports.ts'

/** Parts of the context that tests and server code may replace. */
export type ContextOptions = GivenPorts & {
  readonly clock?: Clock
  readonly log?: Logger
  readonly fetch?: typeof fetch
  readonly resolveTxt?: ResolveTxt
  readonly resolveAddresses?: ResolveAddresses
  /** Opens the database; default: the configured one. */
  readonly openDatabase?: (url: string) => Database
}

/** Opens and migrates the database, makes the context and starts the features. Throws a `ConfigError`. */
export async function createContext(config: Config, options: ContextOptions): Promise<Context> {
  const log = options.log ?? createLogger({ level: config.logLevel, format: config.logFormat })
  const database = await openReachableDatabase(config.databaseUrl, options.openDatabase ?? openDatabase)
  try {
    const applied = await migrate(database, systemClock.now())
    await database.flush()
    if (applied.length > 0) log.info({ migrations: applied }, 'Database migrated')
    const foundation = await createFoundation(config, options, { database, log })
    const ctx = { ...foundation, ...createPorts(foundation, options) }
    for (const { onStart } of featuresOn(config)) await onStart?.(ctx)
    return ctx
  } catch (error) {
    await database.close()
    throw error
  }
}

async function createFoundation(
  config: Config,
  options: ContextOptions,
  { database, log }: { readonly database: Database; readonly log: Logger },
): Promise<Foundation> {
  const { db } = database
  const { resolveAddresses, fetch: ask = fetch } = options
  const clock = options.clock ?? (config.mode === 'development' ? movableClock(await findClockOffset(db)) : systemClock)
  const jobs = createJobs(database, clock, log)
  const running = new Set<Promise<unknown>>()
  const listeners = featuresOn(config).flatMap(({ onEvents }) => onEvents ?? [])
  const foreseers = featuresOn(config).flatMap(({ beforeEvents }) => beforeEvents ?? [])
  return {
    config,
    database,
    db,
    clock,
    secrets: createSecrets(config.secret, config.previousSecrets),
    jobs,
    log,
    lifecycle: { state: 'serving' },
    fetch: ask,
    resolveTxt: options.resolveTxt ?? resolveTxt,
    // The machine's own resolver also knows private names.
    resolveAddresses:
      resolveAddresses ?? createResolveAddresses({ knowsMachine: targetRules(config).allowPrivateNetworks }),
    transaction: async (work) => {
      const { result, left } = await again(log, () =>
        db.transaction().execute(async (tx) => {
          if (config.mode === 'development') watchLockOrder(tx)
          const value = await work(tx)
          const events = await writeEvents(tx)
          if (events.length > 0) for (const listen of listeners) await listen(tx, events)
          return { result: value, left: lanesLeft(tx) }
        }),
      )
      // Durable before the acknowledgment, and before dependent work begins.
      await database.flush()
      jobs.wake(left)
      return result
    },
    beforeEvents: async (tx, organizationId) => {
      for (const foresee of foreseers) await foresee(tx, organizationId)
    },
    background: (name, work) => {
      const task: Promise<unknown> = work()
        .catch((error) => log.error({ err: error, task: name }, 'Background work failed'))
        .finally(() => running.delete(task))
      running.add(task)
    },
    settled: async () => {
      await Promise.all(running)
    },
  }
}

/** The most attempts of a transaction. */
const roundLimit = 3

/** Retries a transaction after a deadlock or serialization failure, which rolled it back completely. */
async function again<T>(log: Logger, run: () => Promise<T>): Promise<T> {
  for (let round = 1; ; round += 1) {
    try {
      return await run()
    } catch (error) {
      if (round === roundLimit || !isUndoneForAnother(error)) throw error
      log.warn({ err: error, round }, 'Deadlock or serialization failure; retrying')
    }
  }
}

/** Throws a `ConfigError` for an unreachable database, which names it without its password. */
export async function openReachableDatabase(url: string, open = openDatabase): Promise<Database> {
  let database: Database | undefined
  try {
    database = open(url)
    await database.ping()
    return database
  } catch (error) {
    await database?.close()
    if (error instanceof ConfigError) throw error
    // If a name has several addresses, each has its own failure and the aggregate has no text.
    const { message, code } = error as NodeJS.ErrnoException // what the drivers throw
    throw new ConfigError([`DATABASE_URL (${shownAddress(url)}) cannot be opened: ${message || code}`])
  }
}
