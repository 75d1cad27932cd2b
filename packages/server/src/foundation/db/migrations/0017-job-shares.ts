import { change, dropIndex, index, type Migration } from './migration.ts'

const both = (statement: string) => change({ sqlite: statement, postgres: statement })
const isReady = 'dead_at is null and lease_until is null'

/**
 * Claims of jobs read indexes alone, whatever waits: the oldest of a lane, and the oldest of each organization in it.
 * Running jobs are in neither, and an index of their own finds expired leases.
 */
export const jobShares: Migration = {
  name: '0017-job-shares',
  steps: [
    both("update job set organization_id = '' where organization_id is null"),
    both("update job set lane = 'charges' where kind in ('processor-event', 'reconcile-payment', 'reconcile-refund')"),
    dropIndex('job_waiting'),
    index('job_ready', 'job', ['lane', 'run_at', 'organization_id', 'kind', 'id'], { where: isReady }),
    index('job_ready_share', 'job', ['lane', 'organization_id', 'run_at', 'kind', 'id'], { where: isReady }),
    index('job_leased', 'job', ['lease_until', 'id'], { where: 'lease_until is not null and dead_at is null' }),
  ],
}
