import { hours } from './clock.ts'
import type { Db, Id, Tx } from './db/database.ts'
import { prepare, prepareInsert } from './db/prepared.ts'
import { newId } from './ids.ts'
import { messageOf } from './proof/proven.ts'

/**
 * Lanes, and how many jobs of each run at once in a process. Jobs that call other servers have lanes of their own, so that a
 * slow server delays no other job.
 */
export const lanes = { general: 10, mail: 10, receivers: 16, charges: 64 } as const
export type Lane = keyof typeof lanes

type KindOfJob = {
  /** Default: `general`. */
  readonly lane?: Lane
  /**
   * Looks after money that has moved, or may have. A dead job of this kind is listed as any other, but is retried every hour
   * until it succeeds (`tryMoneyAgain`), and is never swept.
   */
  readonly watchesMoney?: true
  /** Looks again and again for work that has no job of its own: nothing falls due at its next run itself. */
  readonly isPeriodic?: true
}

/** Every kind of job: work that remains after a commit. The `feature.ts` of a room names the handler. */
const jobKinds = {
  sweep: { isPeriodic: true },
  reseal: {},
  mail: { lane: 'mail' },
  'account-mail': {},
  'magic-link': {},
  'join-by-domain': {},
  'rename-custom-field': {},
  'remove-file': {},
  'expire-checkouts': { isPeriodic: true },
  'begin-renewals': { watchesMoney: true },
  'webhook-endpoint': { lane: 'receivers' },
  'processor-event': { lane: 'charges', watchesMoney: true },
  'find-renewals': { isPeriodic: true },
  'renew-subscriptions': { watchesMoney: true, isPeriodic: true },
  'forget-payment-method': { lane: 'charges' },
  'retry-past-due': {},
  'collect-invoice': { watchesMoney: true },
  'charge-payment': { lane: 'charges', watchesMoney: true },
  'reconcile-payment': { lane: 'charges', watchesMoney: true },
  'reconcile-refund': { lane: 'charges', watchesMoney: true },
  'tell-card-expiry': { isPeriodic: true },
  'list-price-change': {},
  'tell-price-changes': { isPeriodic: true },
  'tell-price-kept': {},
  'read-stripe-events': { watchesMoney: true, isPeriodic: true },
} as const satisfies Readonly<Record<string, KindOfJob>>

export type JobKind = keyof typeof jobKinds

const kinds: Readonly<Record<JobKind, KindOfJob>> = jobKinds

export const isJobKind = (text: string): text is JobKind => Object.hasOwn(kinds, text)

export const allJobKinds: readonly JobKind[] = Object.keys(kinds).filter(isJobKind)

export const laneOf = (kind: JobKind): Lane => kinds[kind].lane ?? 'general'

export const moneyKinds: readonly JobKind[] = allJobKinds.filter((kind) => kinds[kind].watchesMoney)

const periodicKinds: readonly JobKind[] = allJobKinds.filter((kind) => kinds[kind].isPeriodic)

export type Job = { readonly id: string; readonly kind: JobKind; readonly payload: string; readonly attempts: number }

/** Says that a transaction of the handler has removed its job already. */
export const removed = Symbol('removed')
export type Removed = typeof removed

/**
 * Does one job; may run twice for the same id. Returns a time to run again, or nothing when the job is done.
 */
export type JobHandler = (job: Job) => Promise<Date | Removed | undefined>

/** Thrown by a handler when a retry cannot succeed. */
export class PermanentJobFailure extends Error {
  override readonly name = 'PermanentJobFailure'
}

/** Thrown by a handler when an external service is down. The job retries indefinitely, at last every hour. */
export class WaitsForOthers extends Error {
  override readonly name = 'WaitsForOthers'
}

/** Calls an external service for a job. External failures are retried indefinitely. */
export async function waitingFor<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (cause) {
    throw new WaitsForOthers(messageOf(cause), { cause })
  }
}

export type Jobs = {
  /** Looks for due jobs periodically, and at once when `wake` is called, in these lanes or in all. */
  start(handlers: Partial<Record<JobKind, JobHandler>>): void
  wake(lanes?: ReadonlySet<Lane>): void
  /** Runs every due job until none is due: for tests and for the development clock. */
  runDue(): Promise<void>
  /** Takes no further jobs and waits for running ones. */
  stop(): Promise<void>
}

/** How often the sweep runs. */
export const sweepPeriod = hours(1)

const lanesOf = new WeakMap<Tx, Set<Lane>>()

/** The lanes in which a transaction leaves work that is due at its commit. */
export const lanesLeft = (tx: Tx): ReadonlySet<Lane> => lanesOf.get(tx) ?? new Set()

function leaves(tx: Tx, lane: Lane): void {
  const left = lanesOf.get(tx)
  if (left) left.add(lane)
  else lanesOf.set(tx, new Set([lane]))
}

/**
 * `organizationId` is whose job it is: where jobs wait, organizations get equal shares of a lane's slots. The
 * installation's own jobs share as one more organization does.
 */
type NewJob = { id?: string; kind: JobKind; payload: string; runAt?: Date; organizationId?: Id<'organization'> }

const rowOf = (now: Date, { id = newId(), kind, payload, runAt = now, organizationId = '' }: NewJob) => ({
  id,
  kind,
  lane: laneOf(kind),
  organizationId,
  payload,
  runAt,
  attempts: 0,
  calls: 0,
  createdAt: now,
})

function insertJob(tx: Tx, now: Date, job: NewJob) {
  leaves(tx, laneOf(job.kind))
  return tx.insertInto('job').values(rowOf(now, job))
}

/**
 * Writes a job row, which commits or rolls back with the change. With an `id` from the caller, a second job with that
 * id is not added.
 */
export async function enqueue(tx: Tx, now: Date, job: NewJob): Promise<void> {
  const row = rowOf(now, job)
  // What is due later is found in time without a look now.
  if (row.runAt <= now) leaves(tx, row.lane)
  await insertJobOnce(tx, row)
}

const insertJobOnce = prepareInsert('job', { isOnce: true })

/**
 * Ensures that a job with this id runs after this commit: a waiting job runs now. A running one runs once more,
 * because it may have missed this transaction's writes. Call it last in a transaction: until the end, concurrent
 * callers for the same job wait.
 */
export async function callFor(tx: Tx, now: Date, job: Omit<NewJob, 'runAt'> & { id: string }): Promise<void> {
  await insertJob(tx, now, job)
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((set) => ({
        runAt: now,
        // A dead job gets all its attempts again.
        attempts: set.case().when('job.deadAt', 'is not', null).then(0).else(set.ref('job.attempts')).end(),
        deadAt: null,
        calls: set('job.calls', '+', 1),
      })),
    )
    .execute()
}

/** Deletes a job that is no longer needed. A running job finishes. */
export async function dequeue(tx: Tx, id: string): Promise<void> {
  await deleteJob(tx, { id })
}

/** Whether a job has not ended, dead jobs included. */
export const isQueued = async (db: Db, id: string): Promise<boolean> => (await jobById(db, { id })).length > 0

const jobById = prepare((db, { id }: { id: string }) => db.selectFrom('job').select('id').where('id', '=', id))

const deleteJob = prepare((db, { id }: { id: string }) => db.deleteFrom('job').where('id', '=', id))

/**
 * Makes a recurring job due, whatever its state: otherwise a dead job would never run again, nor one that a former
 * clock scheduled years ahead.
 */
export async function restart(tx: Tx, now: Date, { id, kind }: { id: string; kind: JobKind }): Promise<void> {
  await insertJob(tx, now, { id, kind, payload: '' })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({ runAt: now, attempts: 0, deadAt: null, lastError: null }),
    )
    .execute()
}

/** As many as one hour handles, even if each waits for a time-out. */
const mostMoneyAtOnce = 500

/** Makes dead money jobs due, the longest dead first. A job that fails again is dead at once. */
export async function tryMoneyAgain(tx: Tx, now: Date): Promise<void> {
  const dead = tx
    .selectFrom('job')
    .select('id')
    .where('deadAt', 'is not', null)
    .where('kind', 'in', moneyKinds)
    .orderBy('deadAt')
    .orderBy('id')
    .limit(mostMoneyAtOnce)
  await tx
    .updateTable('job')
    .set({ runAt: now, deadAt: null, leaseUntil: null })
    .where('id', 'in', dead)
    // Of two concurrent callers, the second finds nothing to do.
    .where('deadAt', 'is not', null)
    .execute()
  for (const kind of moneyKinds) leaves(tx, laneOf(kind))
}

/**
 * Restarts dead jobs with all their attempts: one, or a number of a kind, the longest dead first. Returns their kinds.
 */
export async function revive(
  tx: Tx,
  now: Date,
  which: { readonly id: string } | { readonly kind: string; readonly most: number },
): Promise<string[]> {
  const dead = tx.selectFrom('job').select('id').where('deadAt', 'is not', null)
  const chosen =
    'id' in which
      ? dead.where('id', '=', which.id)
      : dead.where('kind', '=', which.kind).orderBy('deadAt').orderBy('id').limit(which.most)
  const rows = await tx
    .updateTable('job')
    .set({ runAt: now, attempts: 0, deadAt: null, leaseUntil: null, lastError: null })
    .where('id', 'in', chosen)
    // Of two concurrent callers, the second finds nothing to do.
    .where('deadAt', 'is not', null)
    .returning('kind')
    .execute()
  for (const { kind } of rows) if (isJobKind(kind)) leaves(tx, laneOf(kind))
  return rows.map(({ kind }) => kind)
}

/**
 * When the next waiting job falls due. Periodic jobs do not count, nor do retries of failed jobs: while another server
 * is away, there would be one for each hour.
 */
export async function nextDueJob(db: Db, after: Date): Promise<Date | undefined> {
  const next = await db
    .selectFrom('job')
    .select('runAt')
    .where('deadAt', 'is', null)
    .where('lastError', 'is', null)
    .where('kind', 'not in', periodicKinds)
    .where('runAt', '>', after)
    .orderBy('runAt')
    .limit(1)
    .executeTakeFirst()
  return next?.runAt
}

/** Removes jobs that died by a time, except those that look after money. */
export async function forgetDeadJobs(tx: Tx, diedUntil: Date): Promise<void> {
  await tx.deleteFrom('job').where('deadAt', '<=', diedUntil).where('kind', 'not in', moneyKinds).execute()
}
