import { type RawBuilder, sql } from 'kysely'
import type { Database, Db, Id } from './db/database.ts'
import { prepare, prepareForIds } from './db/prepared.ts'
import { firstOf } from './proof/proven.ts'

/** A due job, as an index alone tells it. */
export type DueJob = { readonly id: string; readonly organizationId: Id<'organization'> }

/** What due jobs a process looks for: those of a lane that it has handlers for. */
export type Wanted = { readonly lane: string; readonly kinds: readonly string[]; readonly now: Date }

/** Jobs that neither run nor have failed for good. */
const ready = (db: Db, { lane, kinds, now }: Wanted) =>
  db
    .selectFrom('job')
    .select(['id', 'organizationId'])
    .where('deadAt', 'is', null)
    .where('leaseUntil', 'is', null)
    .where('lane', '=', lane)
    .where('runAt', '<=', now)
    .where('kind', 'in', kinds)
    .orderBy('runAt')

/** The oldest due jobs of a lane. */
export async function listOldestJobs(database: Database, wanted: Wanted, limit: number): Promise<DueJob[]> {
  const { db, dialect } = database
  const rows =
    dialect === 'sqlite' ? await oldestOnSqlite(db, wanted, limit) : await ready(db, wanted).limit(limit).execute()
  return rows.map(withShare)
}

/*
 * Looks come so often that compiling their statements counts. PostgreSQL plans them anew all the same: a plan from when
 * few jobs waited would read all of a backlog.
 */

type Look = { readonly lane: string; readonly now: Date; readonly limit: number }

/** The statement of a look, by the kinds that a process has handlers for. */
const looks = new Map<string, ReturnType<typeof prepareLook>>()

const prepareLook = (kinds: readonly string[]) =>
  prepare((db, look: Look) => ready(db, { lane: look.lane, now: look.now, kinds }).limit(look.limit))

function oldestOnSqlite(db: Db, { kinds, lane, now }: Wanted, limit: number) {
  const key = kinds.join()
  const look = looks.get(key) ?? prepareLook(kinds)
  looks.set(key, look)
  return look(db, { lane, now, limit })
}

/** The oldest due jobs of one organization. */
export async function listOldestJobsOf(
  database: Database,
  wanted: Wanted,
  organizationId: Id<'organization'>,
  limit: number,
): Promise<DueJob[]> {
  return (await ready(database.db, wanted).where('organizationId', '=', organizationId).limit(limit).execute()).map(
    withShare,
  )
}

const withShare = ({ id, organizationId }: { id: string; organizationId: string | null }): DueJob => ({
  id,
  organizationId: organizationId ?? '',
})

/**
 * The next organizations after one, by their ids, that have waiting jobs in a lane, due or not. Each costs one step in
 * the index, however many jobs it has.
 */
export async function listShares(
  { db }: Database,
  lane: string,
  after: Id<'organization'> | null,
  limit: number,
): Promise<Id<'organization'>[]> {
  const next = (bound: RawBuilder<unknown>) => sql`(
    select organization_id from job
    where dead_at is null and lease_until is null and lane = ${lane} and ${bound}
    order by organization_id limit 1)`
  const first = next(after === null ? sql`organization_id >= ''` : sql`organization_id > ${after}`)
  const { rows } = await sql<{ share: string | null }>`
    select share from (
      with recursive shares (share, place) as (
        select ${first}, 1
        union all
        select ${next(sql`organization_id > shares.share`)}, place + 1
        from shares where shares.share is not null and place < ${sql.lit(limit)})
      select share from shares) as found`.execute(db)
  return rows.flatMap(({ share }) => share ?? [])
}

/** Makes jobs whose process has died available again; it no longer renews their leases. */
export async function endExpiredLeases({ db, dialect }: Database, realNow: Date): Promise<void> {
  const expired = db
    .selectFrom('job')
    .select('id')
    .where('deadAt', 'is', null)
    .where('leaseUntil', 'is not', null)
    .where('leaseUntil', '<', realNow)
  // On SQLite the update takes the write lock, so it is skipped while no lease has expired.
  if (dialect === 'sqlite' && !(await expired.limit(1).executeTakeFirst())) return
  await db
    .updateTable('job')
    .set({ leaseUntil: null })
    .where('id', 'in', dialect === 'postgres' ? expired.forUpdate().skipLocked() : expired)
    .where('leaseUntil', '<', realNow)
    .execute()
}

/** Takes some due jobs for a lease; those that another process has taken, or run and put off, meanwhile are left out. */
export const takeJobs = ({ db, dialect }: Database, ids: readonly string[], times: Times) =>
  dialect === 'sqlite'
    ? takeOnSqlite(db, ids, times)
    : taken(db, stillDue(db, ids, times.now).forUpdate().skipLocked(), times.leaseUntil).execute()

type Times = { readonly now: Date; readonly leaseUntil: Date }

const stillDue = (db: Db, ids: readonly string[], now: Date) =>
  db
    .selectFrom('job')
    .select('id')
    .where('id', 'in', ids)
    .where('deadAt', 'is', null)
    .where('leaseUntil', 'is', null)
    .where('runAt', '<=', now)

const taken = (db: Db, due: ReturnType<typeof stillDue>, leaseUntil: Date) =>
  db
    .updateTable('job')
    .set((set) => ({ leaseUntil, attempts: set('attempts', '+', 1) }))
    .where('id', 'in', due)
    .returning(['id', 'kind', 'organizationId', 'payload', 'attempts', 'calls', 'runAt'])

const takeOnSqlite = prepareForIds((db, ids, { now, leaseUntil }: Times) =>
  taken(db, stillDue(db, ids, now), leaseUntil),
)

/** A claimed job, as far as its end depends on it: the lease tells whether it is still ours. */
export type Ending = { readonly id: string; readonly leaseUntil: Date; readonly calls: number }

/**
 * Removes jobs that have ended, which share lease and calls; answers the ids of those that were still ours, and were not
 * called for during their run.
 */
export async function removeJobs({ db, dialect }: Database, ended: readonly Ending[]): Promise<string[]> {
  const { leaseUntil, calls } = firstOf(ended, 'jobs have ended')
  const ids = ended.map(({ id }) => id)
  const theirs = { leaseUntil, calls }
  const rows = dialect === 'sqlite' ? await removeOnSqlite(db, ids, theirs) : await ours(db, ids, theirs).execute()
  return rows.map(({ id }) => id)
}

const ours = (db: Db, ids: readonly string[], { leaseUntil, calls }: Omit<Ending, 'id'>) =>
  db
    .deleteFrom('job')
    .where('id', 'in', ids)
    .where('leaseUntil', '=', leaseUntil)
    .where('calls', '=', calls)
    .returning('id')

const removeOnSqlite = prepareForIds(ours)
