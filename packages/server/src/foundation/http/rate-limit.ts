import type { RateLimit } from '@tollgate/contract/calls'
import { sql } from 'kysely'
import { after, type Clock, hours, minutes, seconds } from '../clock.ts'
import type { Config } from '../config/config.ts'
import { mailboxOf } from '../config/mailbox.ts'
import type { Database, Id, Tx } from '../db/database.ts'
import { TollgateError } from '../error.ts'
import { forgetOldest } from '../proof/proven.ts'
import { sha256 } from '../token.ts'
import { addressBucket } from './address.ts'

declare module '../context.ts' {
  interface Ports {
    readonly limits: RateLimiter
  }
}

type Limit = { readonly window: number; readonly max: number }

/** Per address and path, by the call's row (interface, section 3). Windows in milliseconds. */
const limits: Readonly<Record<Exclude<RateLimit, 'none' | 'processor'>, Limit>> = {
  guess: { window: seconds(10), max: 3 },
  link: { window: seconds(60), max: 5 },
  // Enough for the visitors of one office.
  visit: { window: seconds(60), max: 30 },
  upload: { window: seconds(60), max: 20 },
  // Attackers test lists of stolen cards here.
  payment: { window: seconds(60), max: 10 },
}

/** Replaces the general limit. */
const processorLimit: Limit = { window: seconds(10), max: 5000 }

/** Per name and per account: failed attempts at any password or code. */
const failureLimit: Limit = { window: minutes(15), max: 10 }
/** Per mailbox and kind of mail; for invitations also per organization. */
const mailLimit: Limit = { window: minutes(10), max: 5 }
/** Per mailbox: invitations of all organizations, above the limit of one, so that one cannot use it up at once. */
const invitedLimit: Limit = { window: hours(1), max: 20 }
/** Per inviter: sent invitations; fewer for inviters with an unverified address. */
const inviterLimit: Limit = { window: hours(1), max: 100 }
const unprovedInviterLimit: Limit = { ...inviterLimit, max: 10 }

/** The most counters of a kind in a process's memory; the oldest are dropped first. */
const memoryLimit = 100_000

export type RateLimiter = {
  /**
   * Counts a request of an address to a path; throws TOO_MANY_REQUESTS over the limit. Both the general limit and that
   * of `limit` apply; a configured rule for the path replaces the latter.
   */
  request(path: string, address: string, limit?: RateLimit): Promise<void>
  /** Takes back a counted request that will be counted again. */
  takeBack(path: string, address: string, limit?: RateLimit): Promise<void>
  /**
   * Counts a guess before its outcome is known, so that parallel guesses cannot pass together. It counts on the given
   * name and on the account behind it, if that differs. Throws TOO_MANY_REQUESTS over the first limit. Over the second
   * it sets `isOver`, and the attempt must fail: an error would reveal that two names belong to one account. Take back
   * an attempt that succeeded or guessed nothing.
   */
  attempt(named: string, account?: string): Promise<Attempt>
  /** Counts a mail to the mailbox of an address, whatever its `+tag`; false over the limit. Unknown addresses count alike. */
  mail(kind: string, address: string): Promise<boolean>
  /** Counts a mail before it is sent to a mailbox; over the limit, returns when the next one may be sent. */
  outgoingMail(kind: string, mailbox: string): Promise<Date | undefined>
  /**
   * Counts an invitation: on the inviter, then on the mailbox per organization, then on the mailbox in total. Throws
   * TOO_MANY_REQUESTS at the first exceeded limit and counts no further, so an inviter over the limit uses up no other
   * limit.
   */
  invitation(sent: Invitation): Promise<void>
  /** Drops expired counters from memory. */
  sweep(): void
}

type Invitation = {
  readonly inviter: { readonly id: string; readonly emailVerified: boolean }
  readonly organizationId: Id<'organization'>
  readonly address: string
}

type Attempt = { readonly isOver: boolean; takeBack(): Promise<void> }

type Kind = 'flood' | 'path' | 'attempt' | 'mail' | 'sender'
type Counter = { count: number; expiresAt: number }

/** Counts guesses and floods. Disabled (the default in development) it allows everything. */
export function createRateLimiter(config: Config, database: Database, clock: Clock): RateLimiter {
  const { enabled = config.mode === 'production', customRules } = config.rateLimit
  const general: Limit = { window: config.rateLimit.window * 1000, max: config.rateLimit.max }
  const shared = (config.rateLimit.storage ?? (database.dialect === 'postgres' ? 'database' : 'memory')) === 'database'
  // One map per kind: invented mailboxes or paths must not evict an account's counter.
  const memory: Record<Kind, Map<string, Counter>> = {
    flood: new Map(),
    path: new Map(),
    attempt: new Map(),
    mail: new Map(),
    sender: new Map(),
  }

  const floodLimit = (limit: RateLimit | undefined): Limit => (limit === 'processor' ? processorLimit : general)

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
      if (counters.size > memoryLimit) forgetOldest(counters)
    }
    counter.count += by
    // A copy: concurrent callers must not change this result.
    return { ...counter }
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

  /** `undefined`: only the general limit; `false`: no limit at all. */
  function ruleOf(path: string, limit: RateLimit | undefined): Limit | false | undefined {
    const ours = custom.find((row) => matches(row.path, path))
    if (ours) return ours.limit
    return limit === undefined || limit === 'none' || limit === 'processor' ? undefined : limits[limit]
  }

  function refuse({ expiresAt }: Counter): never {
    const wait = Math.max(1, Math.ceil((expiresAt - clock.now().getTime()) / 1000))
    throw new TollgateError('TOO_MANY_REQUESTS', { retryAfter: wait })
  }

  return {
    request: async (path, address, limit) => {
      if (!enabled || limit === 'none') return
      const rule = ruleOf(path, limit)
      if (rule === false) return
      const key = `${addressBucket(address)} ${path}`
      // Each process limits floods by itself; only guesses share a count.
      const most = floodLimit(limit)
      const flood = countInMemory('flood', key, 1, most.window)
      if (flood.count > most.max) refuse(flood)
      if (!rule) return
      const guesses = await count('path', key, 1, rule.window)
      if (guesses.count > rule.max) refuse(guesses)
    },
    takeBack: async (path, address, limit) => {
      if (!enabled || limit === 'none') return
      const rule = ruleOf(path, limit)
      if (rule === false) return
      const key = `${addressBucket(address)} ${path}`
      countInMemory('flood', key, -1, floodLimit(limit).window)
      if (rule) await count('path', key, -1, rule.window)
    },
    attempt: async (named, account) => {
      if (!enabled) return { isOver: false, takeBack: async () => {} }
      // Hashed, so that the counters' table holds no addresses in plain text.
      const keys = (account === undefined ? [named] : [named, account]).map(sha256)
      const counters: Counter[] = []
      for (const key of keys) {
        const counter = await count('attempt', key, 1, failureLimit.window)
        counters.push(counter)
        if (counters.length === 1 && counter.count > failureLimit.max) refuse(counter)
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
      const { count: sent } = await count('mail', `${kind} ${sha256(mailboxOf(address))}`, 1, mailLimit.window)
      return sent <= mailLimit.max
    },
    outgoingMail: async (kind, mailbox) => {
      if (!enabled) return undefined
      const key = `outgoing ${kind} ${sha256(mailbox)}`
      const { count: sent, expiresAt } = await count('mail', key, 1, mailLimit.window)
      return sent > mailLimit.max ? new Date(expiresAt) : undefined
    },
    invitation: async ({ inviter, organizationId, address }) => {
      if (!enabled) return
      const mailbox = sha256(mailboxOf(address))
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

/** A trailing `*` matches anything. */
function matches(pattern: string, path: string): boolean {
  return pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern
}

/** Deletes expired stored counters. */
export async function forgetCounters(tx: Tx, now: Date): Promise<void> {
  await tx.deleteFrom('rateLimit').where('expiresAt', '<=', now).execute()
}
