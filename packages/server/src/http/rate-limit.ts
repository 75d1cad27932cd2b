import { sql } from 'kysely'
import { after, type Clock, hours, minutes, seconds } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/database.ts'
import { TollgateError } from '../error.ts'
import { sha256 } from '../token.ts'
import { addressBucket } from './address.ts'

type Limit = { readonly window: number; readonly max: number }

/** What anybody may write without saying who they are; as much as the visitors of one office do. */
const visitLimit: Limit = { window: seconds(60), max: 30 }

/** Attempts to pay, and cards that are handed in for one: whoever has a list of stolen ones tries them here. */
const paymentLimit: Limit = { window: seconds(60), max: 10 }

/** Per address and path (interface, section 3); the first row that matches decides. Windows in milliseconds. */
const pathLimits: readonly { readonly path: string; readonly limit: Limit }[] = [
  { path: '/sign-in/magic-link', limit: { window: seconds(60), max: 5 } },
  { path: '/magic-link/*', limit: { window: seconds(60), max: 5 } },
  { path: '/sign-in/*', limit: { window: seconds(10), max: 3 } },
  { path: '/sign-up/*', limit: { window: seconds(10), max: 3 } },
  { path: '/change-password', limit: { window: seconds(10), max: 3 } },
  { path: '/is-username-available', limit: { window: seconds(10), max: 3 } },
  { path: '/change-email', limit: { window: seconds(10), max: 3 } },
  { path: '/v1/storefronts/:slug/checkouts', limit: visitLimit },
  { path: '/v1/checkouts/client/:clientSecret/confirm', limit: paymentLimit },
  { path: '/v1/sandbox/confirmation-tokens', limit: paymentLimit },
  { path: 'page /buy/:clientSecret', limit: visitLimit },
]

/** In place of the general limit: a processor sends its events from few addresses, and all at once. */
const generalLimits: ReadonlyMap<string, Limit> = new Map([['/v1/stripe/events', { window: seconds(10), max: 5000 }]])

/** Per name and per account: failures of everything that takes a password or a code. */
const failureLimit: Limit = { window: minutes(15), max: 10 }
/** Per mailbox and kind of mail; of invitations for each organization. */
const mailLimit: Limit = { window: minutes(10), max: 5 }
/** Per mailbox: invitations to all organizations together, so that no one of them uses up what others may send. */
const invitedLimit: Limit = { window: hours(1), max: 20 }
/** Per person: invitations that they have us send, and how few those send who have not even proved their own address. */
const inviterLimit: Limit = { window: hours(1), max: 100 }
const unprovedInviterLimit: Limit = { ...inviterLimit, max: 10 }

/** The most counters of a kind that a process keeps in memory; the oldest go first. */
const memoryLimit = 100_000

export type RateLimiter = {
  /** Counts a request of an address to a path; throws TOO_MANY_REQUESTS over the limit. */
  request(path: string, address: string): Promise<void>
  /** Takes back one that was counted, and will be counted again. */
  takeBack(path: string, address: string): Promise<void>
  /**
   * Counts an attempt to guess before it is known to fail, so that parallel attempts cannot slip through together: on what
   * was named, and on whom that led to, if that is somebody else. Throws TOO_MANY_REQUESTS over the first limit. Over the
   * second nothing is thrown, because two names of one account must not be seen to be counted together: such an attempt
   * `isOver`, and has to fail. An attempt that succeeded, or guessed nothing, is taken back.
   */
  attempt(named: string, account?: string): Promise<Attempt>
  /** Counts a mail to a mailbox; false over the limit. Unknown addresses are counted alike. */
  mail(kind: string, address: string): Promise<boolean>
  /**
   * Counts an invitation: on who sends it, then on the mailbox for the organization, then on the mailbox for all. Throws
   * TOO_MANY_REQUESTS over the first limit that is met, and counts no further: who is over their own uses up nobody else's.
   */
  invitation(sent: Invitation): Promise<void>
  /** Forgets counters that have run out. */
  sweep(): void
}

type Invitation = {
  readonly inviter: { readonly id: string; readonly emailVerified: boolean }
  readonly organizationId: string
  readonly address: string
}

type Attempt = { readonly isOver: boolean; takeBack(): Promise<void> }

type Kind = 'flood' | 'path' | 'attempt' | 'mail' | 'sender'
type Counter = { count: number; expiresAt: number }

/** Counts what guesses and what floods. Switched off (development by default) it lets everything through. */
export function createRateLimiter(config: Config, database: Database, clock: Clock): RateLimiter {
  const { enabled = config.mode === 'production', customRules } = config.rateLimit
  const general: Limit = { window: config.rateLimit.window * 1000, max: config.rateLimit.max }
  const shared = (config.rateLimit.storage ?? (database.dialect === 'postgres' ? 'database' : 'memory')) === 'database'
  // Each kind in a place of its own: inventing mailboxes or paths must not push out the counter of an account.
  const memory: Record<Kind, Map<string, Counter>> = {
    flood: new Map(),
    path: new Map(),
    attempt: new Map(),
    mail: new Map(),
    sender: new Map(),
  }

  const limitOf = (path: string): Limit => generalLimits.get(path) ?? general

  const custom = Object.entries(customRules).map(([path, rule]) => ({
    path,
    limit: rule && { window: rule.window * 1000, max: rule.max },
  }))

  function countInMemory(kind: Kind, key: string, by: number, window: number): Counter {
    const now = clock.now().getTime()
    const counters = memory[kind]
    let counter = counters.get(key)
    if (!counter || counter.expiresAt <= now) {
      counter = { count: 0, expiresAt: now + window }
      counters.delete(key)
      counters.set(key, counter)
      if (counters.size > memoryLimit) counters.delete(counters.keys().next().value!)
    }
    counter.count += by
    return counter
  }

  async function countInDatabase(key: string, by: number, window: number): Promise<Counter> {
    const now = clock.now()
    const row = await database.db
      .insertInto('rateLimit')
      .values({ key, count: by, expiresAt: after(now, window) })
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet({
          count: sql<number>`case when rate_limit.expires_at <= ${now} then excluded.count else rate_limit.count + excluded.count end`,
          expiresAt: sql<Date>`case when rate_limit.expires_at <= ${now} then excluded.expires_at else rate_limit.expires_at end`,
        }),
      )
      .returning(['count', 'expiresAt'])
      .executeTakeFirstOrThrow()
    return { count: row.count, expiresAt: row.expiresAt.getTime() }
  }

  const count = (kind: Kind, key: string, by: number, window: number) =>
    shared ? countInDatabase(`${kind} ${key}`, by, window) : Promise.resolve(countInMemory(kind, key, by, window))

  const ruleOf = (path: string) =>
    custom.find((row) => matches(row.path, path)) ?? pathLimits.find((row) => matches(row.path, path))

  function refuse({ expiresAt }: Counter): never {
    const wait = Math.max(1, Math.ceil((expiresAt - clock.now().getTime()) / 1000))
    throw new TollgateError('TOO_MANY_REQUESTS', { retryAfter: wait })
  }

  return {
    request: async (path, address) => {
      if (!enabled) return
      const bucket = addressBucket(address)
      const rule = ruleOf(path)
      if (rule && !rule.limit) return
      // Floods are each process's own to bear; only what guesses is counted together.
      const most = limitOf(path)
      const flood = countInMemory('flood', `${bucket} ${path}`, 1, most.window)
      if (flood.count > most.max) refuse(flood)
      if (!rule?.limit) return
      const guesses = await count('path', `${bucket} ${path}`, 1, rule.limit.window)
      if (guesses.count > rule.limit.max) refuse(guesses)
    },
    takeBack: async (path, address) => {
      if (!enabled) return
      const key = `${addressBucket(address)} ${path}`
      const rule = ruleOf(path)
      if (rule && !rule.limit) return
      countInMemory('flood', key, -1, limitOf(path).window)
      if (rule?.limit) await count('path', key, -1, rule.limit.window)
    },
    attempt: async (named, account) => {
      if (!enabled) return { isOver: false, takeBack: async () => {} }
      // Addresses are not kept in the clear in a table of counters.
      const keys = (account === undefined ? [named] : [named, account]).map(sha256)
      const counters: Counter[] = []
      for (const key of keys) {
        counters.push(await count('attempt', key, 1, failureLimit.window))
        if (counters.length === 1 && counters[0]!.count > failureLimit.max) refuse(counters[0]!)
      }
      return {
        isOver: counters.some((counter) => counter.count > failureLimit.max),
        takeBack: async () => {
          for (const key of keys) await count('attempt', key, -1, failureLimit.window)
        },
      }
    },
    mail: async (kind, address) => {
      if (!enabled) return true
      const { count: sent } = await count('mail', `${kind} ${sha256(address)}`, 1, mailLimit.window)
      return sent <= mailLimit.max
    },
    invitation: async ({ inviter, organizationId, address }) => {
      if (!enabled) return
      const mailbox = sha256(address)
      const counted: [Kind, string, Limit][] = [
        ['sender', inviter.id, inviter.emailVerified ? inviterLimit : unprovedInviterLimit],
        ['mail', `invitation ${organizationId} ${mailbox}`, mailLimit],
        ['mail', `invitation ${mailbox}`, invitedLimit],
      ]
      for (const [kind, key, { window, max }] of counted) {
        const counter = await count(kind, key, 1, window)
        if (counter.count > max) refuse(counter)
      }
    },
    sweep: () => {
      const now = clock.now().getTime()
      for (const counters of Object.values(memory)) {
        for (const [key, { expiresAt }] of counters) if (expiresAt <= now) counters.delete(key)
      }
    },
  }
}

/** `*` at the end stands for anything. */
function matches(pattern: string, path: string): boolean {
  return pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern
}
