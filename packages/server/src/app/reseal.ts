import { sealedColumns } from '../features/features.ts'
import type { Context } from '../foundation/context.ts'
import { type JobHandler, restart } from '../foundation/jobs.ts'
import { resealColumn } from '../foundation/sealed-columns.ts'

/** The job's id: it keeps the job single, however many processes start. */
const resealJobId = 'reseal'

/** Makes the job due. Runs at each start: a change of SECRET is a start. */
export const scheduleReseal = (ctx: Context): Promise<void> =>
  ctx.transaction((tx) => restart(tx, ctx.clock.now(), { id: resealJobId, kind: 'reseal' }))

/**
 * Seals what previous secrets have sealed under the current one, so that SECRET_PREVIOUS can be removed. Without
 * previous secrets, only values that former versions sealed needlessly are looked for.
 */
export function createResealHandler(ctx: Context): JobHandler {
  return async () => {
    const hasPrevious = ctx.config.previousSecrets.length > 0
    const columns = sealedColumns.filter(({ isPlainNow }) => hasPrevious || isPlainNow)
    for (const of of columns) {
      const { changed, unreadable } = await resealColumn(ctx, of)
      const where = { table: of.table, column: of.column }
      if (changed > 0) ctx.log.info({ ...where, changed }, 'Stored values no longer need SECRET_PREVIOUS')
      if (unreadable > 0)
        ctx.log.warn({ ...where, unreadable }, 'Neither SECRET nor SECRET_PREVIOUS opens some stored values')
    }
    return undefined
  }
}
