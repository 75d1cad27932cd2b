import type { Clock } from './clock.ts'
import type { Config } from './config/config.ts'
import type { Database, Db, Id, Tx } from './db/database.ts'
import type { ResolveAddresses, ResolveTxt } from './dns.ts'
import type { Jobs } from './jobs.ts'
import type { Logger } from './log.ts'
import type { Secrets } from './token.ts'

/** The foundation's own part of the context. */
export interface Foundation {
  readonly config: Config
  readonly database: Database
  /** For reads. */
  readonly db: Db
  readonly clock: Clock
  readonly secrets: Secrets
  readonly jobs: Jobs
  readonly log: Logger
  /** Whether the server is ready: not while migrating or draining; a closed server answers nothing. */
  readonly lifecycle: { state: 'migrating' | 'serving' | 'draining' | 'closed' }
  /** Makes outgoing calls; tests replace it. */
  readonly fetch: typeof fetch
  /** The TXT records of a name; rejects if there are none or no server answers. Tests replace it. */
  readonly resolveTxt: ResolveTxt
  /** The addresses of a name that a user has chosen. Tests replace it. */
  readonly resolveAddresses: ResolveAddresses
  /**
   * Runs database work as one transaction: all of it commits, or nothing does. Only service functions begin one; it is
   * short and never waits for the outside world. Retried after a deadlock or serialization failure, so the work must
   * keep no state outside.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * Reads what the events of an organization will need at the end of a transaction. Call it before a lock that other
   * transactions wait for, so that they wait for no reads.
   */
  beforeEvents(tx: Tx, organizationId: Id<'organization'>): Promise<void>
  /** Work that continues after the answer and that shutdown waits for; a failure is logged. */
  background(name: string, work: () => Promise<unknown>): void
  /** Waits for the running `background` work. */
  settled(): Promise<void>
}

/**
 * Members that the rooms above add to the context, such as the payment processors. The foundation knows no feature, so each
 * room declares its member beside the type (`declare module '…/foundation/context.ts' { interface Ports { … } }`).
 * `app/ports.ts` makes all of them, and does not compile while one is missing. A port is also how a room asks a room above.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the rooms above fill it
export interface Ports {}

/** The context of every service: created once at start, passed as an argument, never global. */
export type Context = Foundation & Ports
