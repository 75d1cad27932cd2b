import type { Tx } from '../../foundation/db/database.ts'
import { sortableIdsFrom } from '../../foundation/ids.ts'

export async function deleteFailedSignInsBefore(tx: Tx, time: Date): Promise<void> {
  await tx.deleteFrom('event').where('type', '=', 'sign_in.failed').where('id', '<', sortableIdsFrom(time)).execute()
}
