import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ErrorName } from '@tollgate/contract/calls'
import { minutes } from '../../foundation/clock.ts'
import type { Context } from '../../foundation/context.ts'
import type { Id } from '../../foundation/db/database.ts'
import { TollgateError } from '../../foundation/error.ts'
import { addressBucket } from '../../foundation/http/address.ts'
import type { Caller } from '../../foundation/http/handler.ts'
import { emit } from '../../foundation/outbox.ts'

type Reason = 'wrong-password' | 'unknown-account' | 'unverified-address' | 'banned' | 'too-many-attempts'

/** The refusals that count as failed sign-ins. Others are faults or malformed requests. */
const reasons: { readonly [Name in ErrorName]?: Reason } = {
  INVALID_EMAIL_OR_PASSWORD: 'wrong-password',
  INVALID_USERNAME_OR_PASSWORD: 'wrong-password',
  EMAIL_NOT_VERIFIED: 'unverified-address',
  USERNAME_EMAIL_NOT_VERIFIED: 'unverified-address',
  BANNED_USER: 'banned',
  TOO_MANY_REQUESTS: 'too-many-attempts',
}

/** How many rows an attacker can cause in one window, per process. */
const window = minutes(15)
const mostOfReason = 5
const mostOfAddress = 30
const mostOfAll = 500

/** The most keys a process remembers; it drops the oldest first, but never the total. */
const mostTallies = 10_000
const total = 'all'

type Tally = { endsAt: number; written: number; unrecorded: number }
const talliesOf = new WeakMap<Context, Map<string, Tally>>()

export type FailedSignIn = {
  /** What the person typed, in the normalised form that attempts are counted by. */
  readonly named: string
  /** The account it belongs to, if any. */
  readonly userId: Id<'user'> | undefined
  readonly error: unknown
}

/**
 * Records a failed sign-in in the audit log: account, reason and IP address. The typed identifier is stored as a keyed
 * hash only, because people also type passwords and other people's addresses. The row is written after the answer, and
 * by the same statements for known and unknown accounts, so that timing reveals nothing. Rows are limited per account
 * and reason, per IP address and in total; the next row states how many attempts were omitted.
 */
export function recordFailedSignIn(ctx: Context, caller: Caller, { named, userId, error }: FailedSignIn): void {
  const refused = error instanceof TollgateError ? reasons[error.error] : undefined
  if (!refused) return
  const reason = refused === 'wrong-password' && userId === undefined ? 'unknown-account' : refused
  const unrecorded = countRow(ctx, [
    [`account ${userId ?? named} ${reason}`, mostOfReason],
    [`address ${addressBucket(caller.ipAddress)}`, mostOfAddress],
    [total, mostOfAll],
  ])
  if (unrecorded === undefined) return
  const { ipAddress } = caller
  const identifierHash = ctx.secrets.keyedHash(`sign-in ${named}`).slice(0, 16)
  ctx.background('record a failed sign-in', async () => {
    await nextTurn()
    const data = { reason, ipAddress, identifierHash, ...(unrecorded > 0 && { unrecorded }) }
    await ctx.transaction((tx) =>
      emit(tx, ctx.clock.now(), { type: 'sign_in.failed', actorId: null, userId: userId ?? null, data }),
    )
  })
}

/**
 * Counts a row under each key. Returns how many attempts were omitted since the last row, or undefined when a key has
 * reached its limit, so that this attempt is omitted too.
 */
function countRow(ctx: Context, limits: readonly (readonly [key: string, most: number])[]): number | undefined {
  const now = ctx.clock.now().getTime()
  const tallies = talliesOf.get(ctx) ?? new Map<string, Tally>()
  talliesOf.set(ctx, tallies)
  const counted = limits.map(([key, most]) => ({ tally: tallyOf(tallies, key, now), most }))
  const full = counted.find(({ tally, most }) => tally.written >= most)
  if (full) {
    full.tally.unrecorded += 1
    return undefined
  }
  let unrecorded = 0
  for (const { tally } of counted) {
    tally.written += 1
    unrecorded += tally.unrecorded
    tally.unrecorded = 0
  }
  return unrecorded
}

function tallyOf(tallies: Map<string, Tally>, key: string, now: number): Tally {
  const before = tallies.get(key)
  if (before && before.endsAt > now) return before
  // A later row must still report the omitted attempts.
  const tally = { endsAt: now + window, written: 0, unrecorded: before?.unrecorded ?? 0 }
  tallies.delete(key)
  tallies.set(key, tally)
  if (tallies.size > mostTallies) forgetOldestButTotal(tallies)
  return tally
}

/** Looks at two keys at most, because an attacker fills the map. */
function forgetOldestButTotal(tallies: Map<string, Tally>): void {
  for (const key of tallies.keys()) {
    if (key === total) continue
    tallies.delete(key)
    return
  }
}
