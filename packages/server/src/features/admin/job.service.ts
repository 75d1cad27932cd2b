import type { Context } from '../../foundation/context.ts'
import { TollgateError } from '../../foundation/error.ts'
import { revive } from '../../foundation/jobs.ts'
import { emit } from '../../foundation/outbox.ts'
import { requireAdmin, transactionAsAdministrator } from '../identity/access.ts'
import type { AuthHandler } from '../identity/auth-handler.ts'
import {
  countDeadJobs,
  deleteDeadJob,
  listFailingJobs,
  listOwners,
  type Owned,
  pageOfDeadJobs,
} from './job.repository.ts'
import { type JobSubject, type SubjectType, subjectOf } from './job-subject.ts'
import { readCursor, toCursor } from './list-cursor.ts'

const usualLimit = 50
/** Small enough for one short transaction. */
const mostAtOnce = 10_000
/** The time of a dead job is that of its last failure. */
const latestFirst = { by: 'createdAt', direction: 'desc' } as const

/** Dead jobs, the latest first, with a count per kind, and failing jobs that still retry. */
export const adminListDeadJobs: AuthHandler<'adminListDeadJobs'> = async ({ ctx, session, query }) => {
  const { kind, limit: asked, cursor } = query
  requireAdmin(ctx, session, 'job', 'list', 'ADMIN_LIST_JOBS')
  const limit = asked || usualLimit
  const before = cursor ? readCursor(cursor, latestFirst) : undefined
  const [found, counts, failing] = await Promise.all([
    pageOfDeadJobs(ctx.db, { kind, before, limit: limit + 1 }),
    countDeadJobs(ctx.db),
    listFailingJobs(ctx.db),
  ])
  const rows = found.slice(0, limit)
  const last = found.length > limit ? rows.at(-1) : undefined
  const subjects = await subjectsOf(ctx, [...rows, ...failing])
  return {
    jobs: rows.map(({ id, kind, attempts, lastError, createdAt, deadAt }) => ({
      id,
      kind,
      subject: subjects.get(id) ?? null,
      attempts,
      error: lastError,
      createdAt: createdAt.toISOString(),
      deadAt: deadAt.toISOString(),
    })),
    nextCursor: last ? toCursor<never>(latestFirst, { id: last.id, createdAt: last.deadAt }) : null,
    counts,
    failing: failing.map(({ id, kind, attempts, lastError, createdAt, runAt }) => ({
      id,
      kind,
      subject: subjects.get(id) ?? null,
      attempts,
      error: lastError,
      createdAt: createdAt.toISOString(),
      nextAt: runAt.toISOString(),
    })),
  }
}

/** The table and id of each job's subject that belongs to an organization. */
const tableOf: { readonly [Type in SubjectType]?: Owned } = {
  payment: 'payment',
  refund: 'refund',
  custom_field: 'customField',
  file: 'file',
  webhook_endpoint: 'webhookEndpoint',
}

type JobText = { readonly id: string; readonly kind: string; readonly payload: string }

/** The subject of each job with its organization, by job id. */
async function subjectsOf(ctx: Context, jobs: readonly JobText[]): Promise<ReadonlyMap<string, JobSubject>> {
  const about = jobs.flatMap((job) => {
    const subject = subjectOf(ctx, job)
    return subject ? [{ jobId: job.id, subject }] : []
  })
  const owners = new Map<string, JobSubject['organization']>()
  const tables = Object.entries(tableOf)
  await Promise.all(
    tables.map(async ([type, table]) => {
      const ids = about.flatMap(({ subject }) => (subject.type === type ? [subject.id] : []))
      for (const { subjectId, id, name } of await listOwners(ctx.db, table, ids)) owners.set(subjectId, { id, name })
    }),
  )
  return new Map(
    about.map(({ jobId, subject }) => [jobId, { ...subject, organization: owners.get(subject.id) ?? null }]),
  )
}

/** Retries a dead job at once. */
export const adminRetryJob: AuthHandler<'adminRetryJob'> = async ({ ctx, session, body: { jobId } }) => {
  requireAdmin(ctx, session, 'job', 'retry', 'ADMIN_MANAGE_JOBS')
  const now = ctx.clock.now()
  await transactionAsAdministrator(ctx, session, 'ADMIN_MANAGE_JOBS', async (tx) => {
    const [kind] = await revive(tx, now, { id: jobId })
    if (kind === undefined) throw new TollgateError('ADMIN_JOB_NOT_FOUND')
    await emit(tx, now, { type: 'job.retried', actorId: session.user.id, userId: null, data: { jobId, kind } })
  })
  return { success: true }
}

/** Retries all dead jobs of a kind. */
export const adminRetryJobs: AuthHandler<'adminRetryJobs'> = async ({ ctx, session, body: { kind } }) => {
  requireAdmin(ctx, session, 'job', 'retry', 'ADMIN_MANAGE_JOBS')
  const now = ctx.clock.now()
  const count = await transactionAsAdministrator(ctx, session, 'ADMIN_MANAGE_JOBS', async (tx) => {
    const { length } = await revive(tx, now, { kind, most: mostAtOnce })
    const data = { kind, count: length }
    if (length > 0) await emit(tx, now, { type: 'job.retried', actorId: session.user.id, userId: null, data })
    return length
  })
  return { count }
}

/** Removes a dead job; its work is never done. */
export const adminRemoveJob: AuthHandler<'adminRemoveJob'> = async ({ ctx, session, body: { jobId } }) => {
  requireAdmin(ctx, session, 'job', 'delete', 'ADMIN_MANAGE_JOBS')
  await transactionAsAdministrator(ctx, session, 'ADMIN_MANAGE_JOBS', async (tx) => {
    const kind = await deleteDeadJob(tx, jobId)
    if (kind === undefined) throw new TollgateError('ADMIN_JOB_NOT_FOUND')
    const data = { jobId, kind }
    await emit(tx, ctx.clock.now(), { type: 'job.removed', actorId: session.user.id, userId: null, data })
  })
  return { success: true }
}
