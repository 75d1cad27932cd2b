import type { Hono } from 'hono'
import type { Config } from '../config/config.ts'
import type { Context } from '../context.ts'
import type { Id, Tx } from '../db/database.ts'
import type { JobHandler, JobKind } from '../jobs.ts'
import type { EventRow } from '../outbox.ts'
import type { SealedColumn } from '../sealed-columns.ts'
import type { RequestEnv } from './request.ts'

/**
 * A feature's part in the running server, besides its calls, pages and ports. Each `feature.ts` exports one;
 * `features/features.ts` lists all of them.
 *
 * While a feature is off, its calls, pages and routes answer 404, and none of its hooks for settings, starts and events
 * runs. Its jobs and sweeps still run: work that was under way ends, and expired rows are removed.
 */
export type Feature = {
  /** Rows of the contract and groups of pages name the feature that serves them. */
  readonly name: string
  /** Whether the configuration enables it. Default: always. */
  readonly isOn?: (config: Config) => boolean
  /** What it serves besides calls and pages, by the first segment of the path. */
  readonly routes?: Readonly<Record<`/${string}`, (ctx: Context) => Hono<RequestEnv>>>
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
  /**
   * For each periodic job of the room, the next moment at which a row falls due. The development clock stops there, so
   * that the job runs at this moment.
   */
  readonly nextDue?: (ctx: Context) => Promise<readonly (Date | undefined)[]>
  /** Its columns whose values stay sealed for longer than a change of SECRET takes: they are sealed anew. */
  readonly sealed?: readonly SealedColumn[]
  /** Reads what `onEvents` will need for the events of an organization, before a lock that other transactions wait for. */
  readonly beforeEvents?: (tx: Tx, organizationId: Id<'organization'>) => Promise<void>
  /** Receives the events of a transaction at its end, inside it. Nothing follows it, because it may lock rows. */
  readonly onEvents?: (tx: Tx, events: readonly EventRow[]) => Promise<void>
  /** Runs after the last request and job, before the database is closed. */
  readonly onClose?: (ctx: Context) => Promise<void>
}
