import { isDatabaseUnavailable, type Tx } from '../db/database.ts'
import { TollgateError } from '../error.ts'
import { lockUser } from './user.repository.ts'
import { deleteProofs, insertProof, type NewProof } from './verification.repository.ts'

/** Whether nobody is to get a mail, and only the same work is to be done as for somebody. */
export type ForNobody = { readonly isForNobody?: boolean | undefined }

/**
 * Stores the proof behind a new link, inside the transaction that mails it; the older links of that purpose end. For nobody
 * the same statements run in such an order that nothing is left of them.
 */
export async function replaceProof(tx: Tx, proof: NewProof, { isForNobody }: ForNobody = {}): Promise<void> {
  try {
    // Of two links made at the same moment, the later one ends the earlier.
    await lockUser(tx, proof.userId)
    if (isForNobody) await insertProof(tx, proof)
    await deleteProofs(tx, proof.purpose, proof.userId)
    if (!isForNobody) await insertProof(tx, proof)
  } catch (cause) {
    if (isDatabaseUnavailable(cause)) throw cause
    throw new TollgateError('UNABLE_TO_CREATE_VERIFICATION', { cause })
  }
}
