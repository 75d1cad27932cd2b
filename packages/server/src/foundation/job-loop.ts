import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import { after, type Clock, hours, minutes, monotonic, seconds, systemClock } from './clock.ts'
import { type Database, type Id, isDatabaseUnavailable } from './db/database.ts'
import {
  type DueJob,
  endExpiredLeases,
  listOldestJobs,
  listOldestJobsOf,
  listShares,
  takeJobs,
  type Wanted,
} from './job.repository.ts'
import { createJobEnds } from './job-ends.ts'
import {
  isJobKind,
  type Job,
  type JobHandler,
  type JobKind,
  type Jobs,
  type Lane,
  laneOf,
  lanes,
  PermanentJobFailure,
  type Removed,
  removed,
  WaitsForOthers,
} from './jobs.ts'
import type { Logger } from './log.ts'
import { firstOf, messageOf, namesOf } from './proof/proven.ts'

/** Waits before each retry. After the last one the job is dead-lettered and kept for a while. */
const backoff = [seconds(10), minutes(1), minutes(5), minutes(30), hours(2), hours(5), hours(10)]
/** How many of these waits precede the waits for external services, which may be down for days. */
const quickAttempts = 4
const waitForOthers = hours(1)
/** The lease of a claimed job, in milliseconds. Real time: a process that died does not come back. */
const lease = minutes(1)
/** The longest run of a job. Then its slot is freed, its lease expires, and it runs again. */
const longestRun = minutes(15)
/** The longest wait of a stop for running jobs; another process runs unfinished ones again. */
const longestStop = seconds(20)
const pollInterval = seconds(1)
/** The longest wait before the database is tried again after a failure. */
const longestAway = seconds(5)

/** A job that is ours until its lease ends, with the value of `calls` when we claimed it. */
type Claimed = Job & {
  readonly lane: Lane
  readonly organizationId: Id<'organization'> | null
  readonly calls: number
  readonly runAt: Date
  leaseUntil: Date
}

/** A running job of this process. */
type Running = {
  readonly job: Claimed
  readonly since: number
  renewal: Promise<void>
  isEnding: boolean
  readonly givenUp: PromiseWithResolvers<'given up'>
}

/** What is written of a job that is not over, or has failed for good. */
type End = {
  readonly attempts: number
  readonly leaseUntil: null
  readonly lastError: string | null
  readonly runAt?: Date
  readonly deadAt?: Date
}

/** The slots of a lane: its running jobs, the current look for more, and the organization that had its turn last. */
type Slots = {
  readonly running: Set<Promise<void>>
  look: Promise<number> | undefined
  isWanted: boolean
  lastShare: Id<'organization'> | null
}

/** How many organizations one look gives a turn. Others follow at the next look, which comes with the next free slot. */
const sharesAtOnce = 32

/**
 * The loop that runs due jobs, each lane in its own slots; a free slot takes the next job at once. Several processes
 * may run it on one database: a conditional update gives each job to one of them for the length of a lease, which is
 * renewed while the job runs.
 */
export function createJobs(database: Database, clock: Clock, log: Logger): Jobs {
  const { db } = database
  const slots: Readonly<Record<Lane, Slots>> = {
    general: noneRuns(),
    mail: noneRuns(),
    receivers: noneRuns(),
    charges: noneRuns(),
  }
  const runningJobs = new Set<Running>()
  let handlers: Partial<Record<JobKind, JobHandler>> = {}
  let timers: NodeJS.Timeout[] = []
  let stopping = false
  /** The consecutive database failures, and the time of the next try. */
  let away = { times: 0, until: 0 }

  const removeEnded = createJobEnds(database, () => runningJobs.size)

  const kinds = () => Object.keys(handlers).filter(isJobKind)
  /** Skips a lane without a handler in this process: its waiting jobs cost nothing. */
  const servedLanes = () => namesOf(lanes).filter((lane) => kinds().some((kind) => laneOf(kind) === lane))

  /** Takes due jobs for the free slots of a lane: the oldest, or where more wait than there are slots, in fair shares. */
  async function claim(lane: Lane, free: number): Promise<Claimed[]> {
    const wanted = { lane, kinds: kinds(), now: clock.now() }
    const oldest = await listOldestJobs(database, wanted, free + 1)
    if (oldest.length === 0) return []
    const chosen = oldest.length <= free ? oldest : await shareOut(wanted, lane, free, oldest)
    const leaseUntil = after(systemClock.now(), lease)
    const ids = chosen.map(({ id }) => id)
    const rows = await takeJobs(database, ids, { now: wanted.now, leaseUntil })
    return rows
      .map((row) => ({ ...row, kind: row.kind as JobKind, lane, leaseUntil })) // the query selects known kinds only
      .sort((a, b) => a.runAt.getTime() - b.runAt.getTime())
  }

  /**
   * Gives each free slot to the organization with the fewest jobs in the lane. An organization that waits alone gets
   * all of them. Where many wait they take turns, in the order of their ids.
   */
  async function shareOut(wanted: Wanted, lane: Lane, free: number, oldest: readonly DueJob[]): Promise<DueJob[]> {
    const used = new Map<string, number>()
    for (const { job } of runningJobs)
      if (job.lane === lane) used.set(job.organizationId ?? '', (used.get(job.organizationId ?? '') ?? 0) + 1)
    const waiting = new Map<string, readonly DueJob[]>()
    for (const share of await nextShares(lane)) {
      const jobs = await listOldestJobsOf(database, wanted, share, free)
      if (jobs.length > 0) waiting.set(share, jobs)
    }
    const chosen: DueJob[] = []
    while (chosen.length < free) {
      const [next] = [...waiting]
        .filter(([share, jobs]) => jobs.length > chosen.filter((job) => job.organizationId === share).length)
        .sort(([a], [b]) => (used.get(a) ?? 0) - (used.get(b) ?? 0))
      if (!next) break
      const [share, jobs] = next
      used.set(share, (used.get(share) ?? 0) + 1)
      chosen.push(jobs[chosen.filter((job) => job.organizationId === share).length]!) // it has more, by the filter
    }
    // Jobs of the organizations whose turn comes later fill what is left.
    const others = oldest.filter(({ id }) => chosen.every((job) => job.id !== id))
    return [...chosen, ...others].slice(0, free)
  }

  /** The organizations whose turn it is, in a circle. */
  async function nextShares(lane: Lane): Promise<Id<'organization'>[]> {
    const own = slots[lane]
    const shares = await listShares(database, lane, own.lastShare, sharesAtOnce)
    if (shares.length < sharesAtOnce && own.lastShare !== null)
      for (const share of await listShares(database, lane, null, sharesAtOnce - shares.length))
        if (!shares.includes(share)) shares.push(share)
    own.lastShare = shares.at(-1) ?? null
    return shares
  }

  /**
   * Starts as many due jobs as the lane has free slots; returns their number. A lane has one look at a time; a
   * concurrent request causes another one after it.
   */
  function fill(lane: Lane): Promise<number> {
    const own = slots[lane]
    own.isWanted = true
    // SQLite answers at once: without a turn for everything else, a backlog would hold up every request.
    own.look ??= nextTurn().then(() => fillNow(lane, own))
    return own.look
  }

  async function fillNow(lane: Lane, own: Slots): Promise<number> {
    let begun = 0
    try {
      while (own.isWanted && !stopping) {
        own.isWanted = false
        const free = lanes[lane] - own.running.size
        if (free === 0) break
        const jobs = await claim(lane, free)
        if (stopping) return await giveBack(jobs)
        for (const job of jobs) begin(own, job)
        begun += jobs.length
      }
      return begun
    } finally {
      // Clear before returning, or a concurrent request is lost.
      own.look = undefined
    }
  }

  /** Leaves jobs that were claimed during the stop to other processes. */
  async function giveBack(jobs: readonly Claimed[]): Promise<0> {
    for (const job of jobs)
      await ours(job)
        .set((set) => ({ leaseUntil: null, attempts: set('attempts', '-', 1) }))
        .execute()
    return 0
  }

  function begin(own: Slots, job: Claimed): void {
    const task: Promise<void> = run(job)
      .catch((error) => log.error({ err: error, job: job.id, kind: job.kind }, 'Cannot record the end of a job'))
      .finally(() => {
        own.running.delete(task)
        look(job.lane)
      })
    own.running.add(task)
  }

  async function run(job: Claimed): Promise<void> {
    const givenUp = Promise.withResolvers<'given up'>()
    const running: Running = { job, since: monotonic(), renewal: Promise.resolve(), isEnding: false, givenUp }
    runningJobs.add(running)
    try {
      const outcome = await Promise.race([attempt(job), givenUp.promise])
      if (outcome === 'given up') return
      // The lease is final from here on: the result is written only while it is ours.
      running.isEnding = true
      await running.renewal
      await untilWritten(job, () => ('error' in outcome ? putOff(job, outcome.error) : putAway(job, outcome.next)))
    } finally {
      runningJobs.delete(running)
    }
  }

  async function attempt(job: Claimed): Promise<{ next: Awaited<ReturnType<JobHandler>> } | { error: unknown }> {
    try {
      return { next: await handlers[job.kind]?.(job) }
    } catch (error) {
      return { error }
    }
  }

  /** A completed job is recorded, or it would run again: retried while the database is down and the lease is ours. */
  async function untilWritten(job: Claimed, write: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        return await write()
      } catch (error) {
        if (stopping || !isDatabaseUnavailable(error) || systemClock.now() >= job.leaseUntil) throw error
        await wait(pollInterval)
      }
    }
  }

  const ours = ({ id, leaseUntil }: Claimed) =>
    db.updateTable('job').where('id', '=', id).where('leaseUntil', '=', leaseUntil)

  /** Deletes a finished job, or schedules its next run. A job requested during the run runs again. */
  async function putAway(job: Claimed, next: Date | Removed | undefined): Promise<void> {
    if (next === removed) return
    const again = { attempts: 0, leaseUntil: null, lastError: null }
    const isPutAway = next ? await runAt(job, { ...again, runAt: next }) : await removeEnded(job)
    if (!isPutAway)
      await ours(job)
        .set({ ...again, runAt: clock.now() })
        .execute()
  }

  async function runAt(job: Claimed, changes: End): Promise<boolean> {
    const { numUpdatedRows } = await ours(job).set(changes).where('calls', '=', job.calls).executeTakeFirst()
    return numUpdatedRows > 0n
  }

  async function putOff(job: Claimed, error: unknown): Promise<void> {
    const isOthers = error instanceof WaitsForOthers
    // Failures of external services do not count as failures of the job.
    const attempts = isOthers ? Math.min(job.attempts, quickAttempts) : job.attempts
    const isLong = isOthers && job.attempts > quickAttempts
    const delay = error instanceof PermanentJobFailure ? undefined : isLong ? waitForOthers : backoff[attempts - 1]
    const now = clock.now()
    // PostgreSQL stores no text with this character.
    const lastError = messageOf(error).replaceAll('\0', '').slice(0, 500)
    const { id, kind } = job
    log.warn({ job: id, kind, attempts, error: lastError, again: delay !== undefined }, 'Job failed')
    const isPutOff = await runAt(job, {
      lastError,
      attempts,
      leaseUntil: null,
      ...(delay === undefined ? { deadAt: now } : { runAt: after(now, delay) }),
    })
    // A job requested during the run is not over, whatever its result: it has all its attempts again.
    if (!isPutOff)
      await ours(job)
        .set({
          lastError,
          attempts: 0,
          leaseUntil: null,
          runAt: after(now, firstOf(backoff, 'the list of waits is not empty')),
        })
        .execute()
  }

  /** Renews the leases of running jobs before half of their time is over. */
  function renewLeases(): void {
    const now = systemClock.now()
    for (const running of runningJobs) {
      const { job, since, isEnding } = running
      if (isEnding || after(now, lease / 2) < job.leaseUntil) continue
      if (monotonic() - since <= longestRun) running.renewal = running.renewal.then(() => renew(job))
      else giveUp(running, 'A job exceeded its time limit and was abandoned')
    }
  }

  /** The loop stops waiting, and the result is not written: the lease expires. */
  function giveUp({ job, givenUp }: Running, why: string): void {
    log.error({ job: job.id, kind: job.kind }, why)
    givenUp.resolve('given up')
  }

  async function renew(job: Claimed): Promise<void> {
    try {
      const leaseUntil = after(systemClock.now(), lease)
      const { numUpdatedRows } = await ours(job).set({ leaseUntil }).executeTakeFirst()
      if (numUpdatedRows > 0n) job.leaseUntil = leaseUntil
    } catch (error) {
      log.warn({ err: error, job: job.id, kind: job.kind }, 'Cannot renew a lease')
    }
  }

  /** A look whose failure is only logged: one line when the database goes down, and one when it is back. */
  function look(lane: Lane): void {
    if (stopping) return
    fill(lane).then(() => {
      if (away.times > 0) log.info('Reading jobs again')
      away = { times: 0, until: 0 }
    }, noteFailure)
  }

  /** The database is tried again after a growing wait. Lanes are looked at in parallel; simultaneous failures count once. */
  function noteFailure(error: unknown): void {
    if (away.times === 0) log.error({ err: error }, 'Cannot read jobs')
    if (monotonic() < away.until) return
    const delay = Math.min(pollInterval * 2 ** away.times, longestAway)
    away = { times: away.times + 1, until: monotonic() + delay }
  }

  function wake(wanted?: ReadonlySet<Lane>): void {
    if (wanted?.size === 0) return
    for (const lane of servedLanes()) if (!wanted || wanted.has(lane)) look(lane)
  }

  /** Looks for all due jobs, those of processes that died too. */
  async function poll(): Promise<void> {
    if (monotonic() < away.until) return
    try {
      await endExpiredLeases(database, systemClock.now())
      wake()
    } catch (error) {
      noteFailure(error)
    }
  }

  const underWay = () => Object.values(slots).flatMap(({ running, look }) => [...running, ...(look ? [look] : [])])

  return {
    start: (given) => {
      handlers = given
      timers = [setInterval(() => void poll(), pollInterval), setInterval(renewLeases, lease / 3)]
      for (const timer of timers) timer.unref()
      void poll()
    },
    wake,
    runDue: async () => {
      await endExpiredLeases(database, systemClock.now())
      while (!stopping) {
        await Promise.all(underWay())
        const begun = await Promise.all(servedLanes().map(fill))
        if (begun.every((count) => count === 0) && underWay().length === 0) return
      }
    },
    stop: async () => {
      stopping = true
      for (const timer of timers) clearInterval(timer)
      const patience = setTimeout(() => {
        for (const running of runningJobs) giveUp(running, 'A job did not end before the stop and was abandoned')
      }, longestStop)
      while (underWay().length > 0) await Promise.allSettled(underWay())
      clearTimeout(patience)
    },
  }
}

const noneRuns = (): Slots => ({ running: new Set(), look: undefined, isWanted: false, lastShare: null })
