import type { Config } from './config/config.ts'
import type { Context } from './context.ts'
import type { Tx } from './db/database.ts'
import type { JobHandler, JobKind } from './jobs.ts'
import type { EventRow } from './outbox.ts'

/**
 * A room's part in the running server, besides its calls, pages and ports. Each `feature.ts` exports one; `app/features.ts`
 * lists all of them.
 */
export type Feature = {
  /** Checks the configuration. A sentence for each fault; any fault stops the start. */
  readonly problems?: (config: Config) => Promise<readonly string[]>
  /** Runs at each start, before the first request and the first job. */
  readonly onStart?: (ctx: Context) => Promise<void>
  /** Enqueues jobs that recur, at each start of a process that runs jobs. */
  readonly recurring?: (ctx: Context) => Promise<void>
  /** Makes the handler of each kind of job. Jobs of a kind without a handler wait in the table for a start with one. */
  readonly jobs?: { readonly [Kind in JobKind]?: (ctx: Context) => JobHandler | undefined }
  /** Removes expired rows of the room's own tables. Runs hourly, and begins its own transactions. */
  readonly sweep?: (ctx: Context, now: Date) => Promise<void>
  /** Receives the events of a transaction at its end, inside it. Nothing follows it, because it may lock rows. */
  readonly onEvents?: (tx: Tx, config: Config, events: readonly EventRow[]) => Promise<void>
  /** Runs after the last request and job, before the database is closed. */
  readonly onClose?: (ctx: Context) => Promise<void>
}
