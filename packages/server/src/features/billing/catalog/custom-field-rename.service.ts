import type { Context } from '../../../foundation/context.ts'
import type { Id, Tx } from '../../../foundation/db/database.ts'
import { enqueue, type JobHandler } from '../../../foundation/jobs.ts'
import {
  finishRename,
  lockRename,
  type RenamePosition,
  renameAnswers,
  renameStart,
  updateCustomFieldRow,
} from './custom-field.repository.ts'

/** Rows per statement: few enough that other writers do not wait long. */
const batch = 1000
/** Batches done in the request: the first of each table, which covers a small seller. */
const batchesAtOnce = 3
/** Batches per job, so that it ends within its lease. */
const batchesOfJob = 100

type SlugRename = {
  readonly id: string
  readonly organizationId: Id<'organization'>
  readonly from: string
  readonly to: string
}

/**
 * Moves stored answers to the field's new slug. The request moves the first batches, a job the rest. Until then
 * `renamedFrom` reserves the old slug, or a new field would take over the old answers.
 */
export async function beginRename(ctx: Context, tx: Tx, rename: SlugRename): Promise<void> {
  let position: RenamePosition | undefined = renameStart
  for (let done = 0; position && done < batchesAtOnce; done += 1)
    position = await renameAnswers(tx, ctx.database, rename, position, batch)
  if (!position) return
  await updateCustomFieldRow(tx, rename.id, { renamedFrom: rename.from })
  await leaveToJob(ctx, tx, rename.id, position)
}

type Left = { readonly customFieldId: Id<'customField'>; readonly position: RenamePosition }

const leaveToJob = (ctx: Context, tx: Tx, customFieldId: Id<'customField'>, position: RenamePosition): Promise<void> =>
  enqueue(tx, ctx.clock.now(), {
    kind: 'rename-custom-field',
    payload: JSON.stringify({ customFieldId, position } satisfies Left),
  })

/** Continues a rename batch by batch. Idempotent: a second run finds nothing to change. */
export const createRenameHandler =
  (ctx: Context): JobHandler =>
  async ({ payload }) => {
    const { customFieldId, position }: Left = JSON.parse(payload) // written above
    let next: RenamePosition | undefined = read(position)
    for (let done = 1; next; done += 1) {
      const from: RenamePosition = next
      next = await ctx.transaction((tx) => renameBatch(ctx, tx, customFieldId, from, done === batchesOfJob))
    }
    return undefined
  }

/** Runs one batch and returns the next position. A job's last batch enqueues the next job. */
async function renameBatch(
  ctx: Context,
  tx: Tx,
  customFieldId: Id<'customField'>,
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

/** JSON turns dates into text. */
const read = ({ table, after }: RenamePosition): RenamePosition =>
  after ? { table, after: { ...after, createdAt: new Date(after.createdAt) } } : { table }
