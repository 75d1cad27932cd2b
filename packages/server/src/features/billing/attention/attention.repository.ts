import type { Insertable, Selectable } from 'kysely'
import type { Tx } from '../../../foundation/db/database.ts'
import { hasRow } from '../../../foundation/db/rows.ts'
import type { Tables } from '../../../foundation/db/tables.ts'

export type AttentionRow = Selectable<Tables['attention']>

/** Inserts a row of the attention list; false if its processor has reported the same before. */
export const insertAttention = (tx: Tx, row: Insertable<Tables['attention']>): Promise<boolean> =>
  hasRow(
    tx
      .insertInto('attention')
      .values(row)
      .onConflict((conflict) => conflict.columns(['kind', 'processor', 'processorReference']).doNothing())
      .returning('id'),
  )
