import { after, type Clock, hours, minutes, seconds, systemClock } from './clock.ts'
import type { Database, Tx } from './db/database.ts'
import { newId } from './ids.ts'
import type { Logger } from './log.ts'

/** What can be left to do after a commit. */
export type JobKind =
  | 'mail'
  | 'account-mail'
  | 'magic-link'
  | 'join-by-domain'
  | 'sweep'
  | 'processor-event'
  | 'reconcile-payment'
  | 'rename-custom-field'
  | 'remove-file'
  | 'expire-checkouts'
  | 'webhook-endpoint'
  | 'reconcile-refund'
  | 'issue-documents'

export type Job = { readonly id: string; readonly kind: JobKind; readonly payload: string; readonly attempts: number }

/** Does one job; may run twice for the same id. Answers a time to run again then, nothing when the job is done. */
export type JobHandler = (job: Job) => Promise<Date | undefined>

/** Thrown by a handler when trying again cannot help. */
export class PermanentJobFailure extends Error {
  override readonly name = 'PermanentJobFailure'
}

export type Jobs = {
  /** Looks for due jobs now and then, and at once when `wake` is called. */
  start(handlers: Partial<Record<JobKind, JobHandler>>): void
  wake(): void
  /** Runs every job that is due, until none is left: for tests and for the development clock. */
  runDue(): Promise<void>
  /** Takes no further jobs and waits for those that run. */
  stop(): Promise<void>
}

/** Waits before each further attempt; after the last one the job is dead and is kept for a while, to be looked into. */
const backoff = [seconds(10), minutes(1), minutes(5), minutes(30), hours(2), hours(5), hours(10)]
/** How long a job belongs to the process that claimed it. Real time: a process that died does not come back. */
const lease = minutes(1)
const pollInterval = seconds(1)
const batchSize = 10

/** A job that is ours until the lease ends; `calls` as it was when we took it. */
type Claimed = Job & { readonly leaseUntil: Date; readonly calls: number }

const transactionsWithJobs = new WeakSet<Tx>()

/** Whether the committed transaction left work to do. */
export const leftJobs = (tx: Tx): boolean => transactionsWithJobs.has(tx)

/**
 * Writes a job row, which commits or vanishes with the change. With an `id` of the caller's, a second job of that id is
 * not added.
 */
export async function enqueue(
  tx: Tx,
  now: Date,
  job: { id?: string; kind: JobKind; payload: string; runAt?: Date },
): Promise<void> {
  const { id = newId(), kind, payload, runAt = now } = job
  await tx
    .insertInto('job')
    .values({ id, kind, payload, runAt, attempts: 0, calls: 0, createdAt: now })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  transactionsWithJobs.add(tx)
}

/**
 * Makes sure that a job of this id runs after this commit: one that waits runs now, and one that runs at this moment runs
 * once more, because it may not have seen what this transaction has written. Called last in a transaction: until it ends,
 * others that call for the same job wait.
 */
export async function callFor(tx: Tx, now: Date, { id, kind, payload }: Omit<Job, 'attempts'>): Promise<void> {
  await tx
    .insertInto('job')
    .values({ id, kind, payload, runAt: now, attempts: 0, calls: 0, createdAt: now })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((set) => ({ runAt: now, deadAt: null, calls: set('job.calls', '+', 1) })),
    )
    .execute()
  transactionsWithJobs.add(tx)
}

/** Takes a job back that is not needed any more. One that runs at this moment comes to its end. */
export async function dequeue(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('job').where('id', '=', id).execute()
}

/**
 * Makes a recurring job due, whatever has become of it: a dead one, or one that a clock which once ran ahead has put off
 * for years, would otherwise never come back.
 */
export async function restart(tx: Tx, now: Date, { id, kind }: { id: string; kind: JobKind }): Promise<void> {
  await tx
    .insertInto('job')
    .values({ id, kind, payload: '', runAt: now, attempts: 0, calls: 0, createdAt: now })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({ runAt: now, attempts: 0, deadAt: null, lastError: null }),
    )
    .execute()
  transactionsWithJobs.add(tx)
}

/**
 * The loop that runs due jobs. Several processes may run it on one database: a conditional update gives each job to one
 * of them for the length of a lease.
 */
export function createJobs(database: Database, clock: Clock, log: Logger): Jobs {
  const { db, dialect } = database
  let handlers: Partial<Record<JobKind, JobHandler>> = {}
  let timer: NodeJS.Timeout | undefined
  let stopping = false
  let round: Promise<void> | undefined
  let again = false

  const kinds = () => Object.keys(handlers) as JobKind[]

  async function claim(): Promise<Claimed[]> {
    const now = clock.now()
    const realNow = systemClock.now()
    const leaseUntil = after(realNow, lease)
    const due = db
      .selectFrom('job')
      .select('id')
      .where('deadAt', 'is', null)
      .where('runAt', '<=', now)
      .where((is) => is.or([is('leaseUntil', 'is', null), is('leaseUntil', '<', realNow)]))
      .where('kind', 'in', kinds())
      .orderBy('runAt')
      .limit(batchSize)
    // The look costs next to nothing; the update takes the write lock, so it is left out while nothing is due.
    if (!(await due.limit(1).executeTakeFirst())) return []
    const rows = await db
      .updateTable('job')
      .set((set) => ({ leaseUntil, attempts: set('attempts', '+', 1) }))
      .where('id', 'in', dialect === 'postgres' ? due.forUpdate().skipLocked() : due)
      .returning(['id', 'kind', 'payload', 'attempts', 'calls'])
      .execute()
    return rows.map((row) => ({ ...row, kind: row.kind as JobKind, leaseUntil })) // the query asked for known kinds only
  }

  async function run(job: Claimed): Promise<void> {
    // Ours only as long as the lease is: a job that ran over its time may already be somebody else's.
    try {
      const runAgainAt = await handlers[job.kind]?.(job)
      if (await isDone(job, runAgainAt)) return
      // Called for while it ran.
      await db
        .updateTable('job')
        .set({ runAt: clock.now(), attempts: 0, leaseUntil: null, lastError: null })
        .where('id', '=', job.id)
        .where('leaseUntil', '=', job.leaseUntil)
        .execute()
    } catch (error) {
      await reschedule(job, error)
    }
  }

  /** Puts a job away that has come to its end, or until its next time; not one that was called for meanwhile. */
  async function isDone({ id, leaseUntil, calls }: Claimed, runAgainAt: Date | undefined): Promise<boolean> {
    const result = runAgainAt
      ? await db
          .updateTable('job')
          .set({ runAt: runAgainAt, attempts: 0, leaseUntil: null, lastError: null })
          .where('id', '=', id)
          .where('leaseUntil', '=', leaseUntil)
          .where('calls', '=', calls)
          .executeTakeFirst()
      : await db
          .deleteFrom('job')
          .where('id', '=', id)
          .where('leaseUntil', '=', leaseUntil)
          .where('calls', '=', calls)
          .executeTakeFirst()
    return ('numUpdatedRows' in result ? result.numUpdatedRows : result.numDeletedRows) > 0n
  }

  async function reschedule(job: Claimed, error: unknown): Promise<void> {
    const wait = error instanceof PermanentJobFailure ? undefined : backoff[job.attempts - 1]
    const now = clock.now()
    const lastError = String(error instanceof Error ? error.message : error).slice(0, 500)
    log.warn(
      { job: job.id, kind: job.kind, attempts: job.attempts, error: lastError, again: wait !== undefined },
      'job failed',
    )
    await db
      .updateTable('job')
      .set(
        wait === undefined
          ? { deadAt: now, lastError, leaseUntil: null }
          : { runAt: after(now, wait), lastError, leaseUntil: null },
      )
      .where('id', '=', job.id)
      .where('leaseUntil', '=', job.leaseUntil)
      .execute()
  }

  async function runDue(): Promise<void> {
    while (!stopping) {
      const jobs = await claim()
      if (jobs.length === 0) return
      await Promise.all(jobs.map(run))
    }
  }

  /** One round at a time in a process; a wake during a round asks for another one. */
  function wake(): void {
    if (stopping || kinds().length === 0) return
    if (round) {
      again = true
      return
    }
    round = runDue()
      .catch((error) => log.error({ err: error }, 'jobs could not be read'))
      .finally(() => {
        round = undefined
        if (again) {
          again = false
          wake()
        }
      })
  }

  return {
    start: (given) => {
      handlers = given
      timer = setInterval(wake, pollInterval)
      timer.unref()
      wake()
    },
    wake,
    runDue: async () => {
      while (round) await round
      round = runDue().finally(() => {
        round = undefined
      })
      await round
    },
    stop: async () => {
      stopping = true
      clearInterval(timer)
      while (round) await round
    },
  }
}
