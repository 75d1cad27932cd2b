import type { Answer, ParsedQuery } from '@tollgate/contract/types'
import { requireAdmin } from '../access.ts'
import type { Context } from '../context.ts'
import type { SessionRow } from '../db/session-row.ts'
import { TollgateError } from '../error.ts'
import { revive } from '../jobs.ts'
import { emit } from '../outbox.ts'
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
/** As many as one transaction changes in a moment. */
const mostAtOnce = 10_000
/** The time of a dead job is that of its death. */
const latestFirst = { by: 'createdAt', direction: 'desc' } as const

/** Work that has failed for good, the latest first, and how much there is of each kind; and work that fails and is still tried. */
export async function adminListDeadJobs(
  ctx: Context,
  current: SessionRow,
  { kind, limit: asked, cursor }: ParsedQuery<'adminListDeadJobs'>,
): Promise<Answer<'adminListDeadJobs'>> {
  requireAdmin(ctx, current, 'job', 'list', 'ADMIN_LIST_JOBS')
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

/** Where what jobs are about stands, as far as it belongs to an organization. */
const tableOf: { readonly [Type in SubjectType]?: Owned } = {
  payment: 'payment',
  refund: 'refund',
  custom_field: 'customField',
  file: 'file',
  webhook_endpoint: 'webhookEndpoint',
}

type Told = { readonly id: string; readonly kind: string; readonly payload: string }

/** What jobs are about, by their ids, with the organization that it belongs to. */
async function subjectsOf(ctx: Context, jobs: readonly Told[]): Promise<ReadonlyMap<string, JobSubject>> {
  const about = jobs.flatMap((job) => {
    const subject = subjectOf(ctx, job)
    return subject ? [{ jobId: job.id, subject }] : []
  })
  const owners = new Map<string, JobSubject['organization']>()
  const tables = Object.entries(tableOf) as [SubjectType, Owned][] // its own keys
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

/** Begins a dead job anew, at once. */
export async function adminRetryJob(ctx: Context, current: SessionRow, jobId: string): Promise<{ success: true }> {
  requireAdmin(ctx, current, 'job', 'retry', 'ADMIN_MANAGE_JOBS')
  const now = ctx.clock.now()
  await ctx.transaction(async (tx) => {
    const [kind] = await revive(tx, now, { id: jobId })
    if (kind === undefined) throw new TollgateError('ADMIN_JOB_NOT_FOUND')
    await emit(tx, now, { type: 'job.retried', actorId: current.user.id, userId: null, data: { jobId, kind } })
  })
  return { success: true }
}

/** Begins all dead jobs of a kind anew. */
export async function adminRetryJobs(ctx: Context, current: SessionRow, kind: string): Promise<{ count: number }> {
  requireAdmin(ctx, current, 'job', 'retry', 'ADMIN_MANAGE_JOBS')
  const now = ctx.clock.now()
  const count = await ctx.transaction(async (tx) => {
    const { length } = await revive(tx, now, { kind, most: mostAtOnce })
    const data = { kind, count: length }
    if (length > 0) await emit(tx, now, { type: 'job.retried', actorId: current.user.id, userId: null, data })
    return length
  })
  return { count }
}

/** Removes a dead job: what it was to do is never done. */
export async function adminRemoveJob(ctx: Context, current: SessionRow, jobId: string): Promise<{ success: true }> {
  requireAdmin(ctx, current, 'job', 'delete', 'ADMIN_MANAGE_JOBS')
  await ctx.transaction(async (tx) => {
    const kind = await deleteDeadJob(tx, jobId)
    if (kind === undefined) throw new TollgateError('ADMIN_JOB_NOT_FOUND')
    const data = { jobId, kind }
    await emit(tx, ctx.clock.now(), { type: 'job.removed', actorId: current.user.id, userId: null, data })
  })
  return { success: true }
}
