import type { FileStore } from './billing/catalog/files/store.ts'
import type { Press } from './billing/documents/press.ts'
import type { createPayments } from './billing/payments/payments.ts'
import type { TaxProvider } from './billing/tax/tax-provider.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Database, Db, Tx } from './db/database.ts'
import type { ResolveAddresses, ResolveTxt } from './dns.ts'
import type { RateLimiter } from './http/rate-limit.ts'
import type { PasswordHasher } from './identity/passwords.ts'
import type { Jobs } from './jobs.ts'
import type { KeyRing } from './jwt/keys.service.ts'
import type { Logger } from './log.ts'
import type { MailTransport } from './mail/transport.ts'
import type { Secrets } from './token.ts'

/** What every service works with: made once at start, handed down, never global. */
export type Context = {
  readonly config: Config
  readonly database: Database
  /** For reads. */
  readonly db: Db
  readonly clock: Clock
  readonly secrets: Secrets
  readonly passwords: PasswordHasher
  readonly limits: RateLimiter
  /** What signs tokens for other services. */
  readonly keyRing: KeyRing
  readonly jobs: Jobs
  readonly mail: MailTransport
  /** What takes payments. Never called inside a transaction. */
  readonly payments: ReturnType<typeof createPayments>
  /** Who says how a sale is taxed. */
  readonly tax: TaxProvider
  /** What draws documents, on a thread of its own. Never asked inside a transaction. */
  readonly press: Press
  /** The bytes of uploaded files. Never asked inside a transaction. */
  readonly files: FileStore
  readonly log: Logger
  /** Whether requests are to be sent here: not while migrating, nor while draining; once closed, none is answered. */
  readonly lifecycle: { state: 'migrating' | 'serving' | 'draining' | 'closed' }
  /** Calls outside services; tests give one of their own. */
  readonly fetch: typeof fetch
  /** The TXT records of a name; rejects where there are none or nobody answers. Tests give one of their own. */
  readonly resolveTxt: ResolveTxt
  /** The addresses of a name that somebody else has chosen. Tests give one of their own. */
  readonly resolveAddresses: ResolveAddresses
  /**
   * Runs database work as one transaction: all of it commits, or nothing does. Begun in service functions only; short;
   * never waits for the outside world. Run again where the database has undone it for another one, so that the work keeps
   * nothing outside itself.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Work that goes on after the answer and is waited for at shutdown; a failure is logged. */
  background(name: string, work: () => Promise<unknown>): void
  /** Waits for what `background` has under way. */
  settled(): Promise<void>
}
