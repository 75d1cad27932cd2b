import type { Database } from './db/database.ts'
import { type Ending, removeJobs } from './job.repository.ts'

type Waiting = { readonly job: Ending; readonly isRemoved: PromiseWithResolvers<boolean> }

/** How many ends are recorded without waiting for more of them, and the longest wait, in milliseconds. */
const batch = { size: 8, wait: 5 } as const

/**
 * Records the ends of jobs. While other jobs run, those that end close together are removed by one statement: under a
 * backlog, one statement for each job costs as much as many jobs themselves.
 *
 * @param running how many jobs of this process run, those that wait here included
 * @returns removes a job; answers whether it was ours, and nothing has called for it during its run
 */
export function createJobEnds(database: Database, running: () => number): (job: Ending) => Promise<boolean> {
  let waiting: Waiting[] = []
  let timer: NodeJS.Timeout | undefined

  function record(): void {
    clearTimeout(timer)
    timer = undefined
    const all = waiting
    waiting = []
    for (const same of Map.groupBy(all, ({ job }) => `${job.leaseUntil.getTime()} ${job.calls}`).values())
      void remove(same)
  }

  async function remove(same: readonly Waiting[]): Promise<void> {
    try {
      const removed = new Set(
        await removeJobs(
          database,
          same.map(({ job }) => job),
        ),
      )
      for (const { job, isRemoved } of same) isRemoved.resolve(removed.has(job.id))
    } catch (error) {
      for (const { isRemoved } of same) isRemoved.reject(error)
    }
  }

  return (job) => {
    const isRemoved = Promise.withResolvers<boolean>()
    waiting.push({ job, isRemoved })
    // The last one that runs has none to wait for.
    if (waiting.length >= Math.min(batch.size, running())) record()
    else timer ??= setTimeout(record, batch.wait)
    return isRemoved.promise
  }
}
