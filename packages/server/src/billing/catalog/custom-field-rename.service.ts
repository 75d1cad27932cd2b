import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import { enqueue, type JobHandler } from '../../jobs.ts'
import {
  finishRename,
  lockRename,
  type RenamePosition,
  renameAnswers,
  renameStart,
  updateCustomFieldRow,
} from './custom-field.repository.ts'

/** Rows that are looked at in one statement: few enough that nobody else waits long for the database. */
const batch = 1000
/** Batches that are done at once with the rename: each table's first. A small seller has no more. */
const batchesAtOnce = 3
/** Batches of one job, so that it is done before its lease ends. */
const batchesOfJob = 100

type SlugRename = {
  readonly id: string
  readonly organizationId: string
  readonly from: string
  readonly to: string
}

/**
 * Lets the stored answers to a field follow its new slug: a few at once, the rest, where a seller has very many, in a job.
 * Until that is done the old slug is kept free (`renamedFrom`), so that no answer is taken for one to another field.
 */
export async function beginRename(ctx: Context, tx: Tx, rename: SlugRename): Promise<void> {
  let position: RenamePosition | undefined = renameStart
  for (let done = 0; position && done < batchesAtOnce; done += 1)
    position = await renameAnswers(tx, ctx.database, rename, position, batch)
  if (!position) return
  await updateCustomFieldRow(tx, rename.id, { renamedFrom: rename.from })
  await leaveToJob(ctx, tx, rename.id, position)
}

type Left = { readonly customFieldId: string; readonly position: RenamePosition }

const leaveToJob = (ctx: Context, tx: Tx, customFieldId: string, position: RenamePosition): Promise<void> =>
  enqueue(tx, ctx.clock.now(), {
    kind: 'rename-custom-field',
    payload: JSON.stringify({ customFieldId, position } satisfies Left),
  })

/** Goes on with a rename, batch by batch; run twice, the second run finds nothing to change. */
export const createRenameHandler =
  (ctx: Context): JobHandler =>
  async ({ payload }) => {
    const { customFieldId, position } = JSON.parse(payload) as Left // written above
    let next: RenamePosition | undefined = read(position)
    for (let done = 1; next; done += 1) {
      const from: RenamePosition = next
      next = await ctx.transaction((tx) => renameBatch(ctx, tx, customFieldId, from, done === batchesOfJob))
    }
    return undefined
  }

/** One batch, and where to go on; the last batch of a job leaves the rest to another one. */
async function renameBatch(
  ctx: Context,
  tx: Tx,
  customFieldId: string,
  position: RenamePosition,
  isLast: boolean,
): Promise<RenamePosition | undefined> {
  const field = await lockRename(tx, customFieldId)
  if (!field) return undefined
  const rename = { ...field, from: field.renamedFrom!, to: field.slug } // asked for by the query
  const next = await renameAnswers(tx, ctx.database, rename, position, batch)
  if (!next) await finishRename(tx, customFieldId)
  if (!next || !isLast) return next
  await leaveToJob(ctx, tx, customFieldId, next)
  return undefined
}

/** As JSON a time is a text. */
const read = ({ table, after }: RenamePosition): RenamePosition =>
  after ? { table, after: { ...after, createdAt: new Date(after.createdAt) } } : { table }
