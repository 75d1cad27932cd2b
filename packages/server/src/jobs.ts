import type { Tx } from './db/database.ts'
import { newId } from './ids.ts'

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
  | 'read-stripe-events'

export type Job = { readonly id: string; readonly kind: JobKind; readonly payload: string; readonly attempts: number }

/** Does one job; may run twice for the same id. Answers a time to run again then, nothing when the job is done. */
export type JobHandler = (job: Job) => Promise<Date | undefined>

/** Thrown by a handler when trying again cannot help. */
export class PermanentJobFailure extends Error {
  override readonly name = 'PermanentJobFailure'
}

/** Thrown by a handler when somebody else cannot be asked now. Its job waits for them, at last for an hour each time, and never dies of it. */
export class WaitsForOthers extends Error {
  override readonly name = 'WaitsForOthers'
}

/** What others are asked for a job: whatever goes wrong with that is nothing that the job would die of. */
export async function waitingFor<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (cause) {
    throw new WaitsForOthers(cause instanceof Error ? cause.message : String(cause), { cause })
  }
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

/**
 * Where jobs wait, and how many of each lane run at once in a process. What asks others' servers has a lane of its own, so
 * that one of them that takes its time holds up nothing else.
 */
export const lanes = { general: 10, mail: 10, receivers: 16 } as const
export type Lane = keyof typeof lanes

/** Of the jobs of one organization no more than so many run at once in a process, however many of them wait. */
export const slotsOfOrganization = 4

const laneOfKind: { readonly [Kind in JobKind]?: Lane } = { mail: 'mail', 'webhook-endpoint': 'receivers' }

export const laneOf = (kind: JobKind): Lane => laneOfKind[kind] ?? 'general'

/**
 * What looks after money that has moved, or may have: nobody else would find out. Dead, they are listed as every other job, but
 * tried again every hour for as long as it takes (`tryMoneyAgain`), and never swept.
 */
export const moneyKinds: readonly JobKind[] = [
  'processor-event',
  'reconcile-payment',
  'reconcile-refund',
  'read-stripe-events',
]

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
  job: { id?: string; kind: JobKind; payload: string; runAt?: Date; organizationId?: string },
): Promise<void> {
  const { id = newId(), kind, payload, runAt = now, organizationId } = job
  await tx
    .insertInto('job')
    .values({ id, kind, lane: laneOf(kind), organizationId, payload, runAt, attempts: 0, calls: 0, createdAt: now })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  transactionsWithJobs.add(tx)
}

/**
 * Makes sure that a job of this id runs after this commit: one that waits runs now, and one that runs at this moment runs
 * once more, because it may not have seen what this transaction has written. Called last in a transaction: until it ends,
 * others that call for the same job wait.
 */
export async function callFor(
  tx: Tx,
  now: Date,
  { id, kind, payload, organizationId }: Omit<Job, 'attempts'> & { organizationId?: string },
): Promise<void> {
  await tx
    .insertInto('job')
    .values({
      id,
      kind,
      lane: laneOf(kind),
      organizationId,
      payload,
      runAt: now,
      attempts: 0,
      calls: 0,
      createdAt: now,
    })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((set) => ({
        runAt: now,
        // One that was dead has all its attempts again.
        attempts: set.case().when('job.deadAt', 'is not', null).then(0).else(set.ref('job.attempts')).end(),
        deadAt: null,
        calls: set('job.calls', '+', 1),
      })),
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
    .values({ id, kind, lane: laneOf(kind), payload: '', runAt: now, attempts: 0, calls: 0, createdAt: now })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({ runAt: now, attempts: 0, deadAt: null, lastError: null }),
    )
    .execute()
  transactionsWithJobs.add(tx)
}

/** As many as one hour does, even where each of them waits for an answer that does not come. */
const mostMoneyAtOnce = 500

/** Makes dead jobs due that look after money, the longest dead first. One that fails once more is dead again at once. */
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
    // Of two who do this at the same moment, the second finds it done.
    .where('deadAt', 'is not', null)
    .execute()
  transactionsWithJobs.add(tx)
}

/**
 * Begins dead jobs anew, with all their attempts: one, or of a kind as many as are asked for, the longest dead first. Answers
 * their kinds.
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
    // Of two who do this at the same moment, the second finds it done.
    .where('deadAt', 'is not', null)
    .returning('kind')
    .execute()
  if (rows.length > 0) transactionsWithJobs.add(tx)
  return rows.map(({ kind }) => kind)
}
