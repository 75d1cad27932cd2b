import { isDatabaseUnavailable, type Tx } from '../../foundation/db/database.ts'
import { TollgateError } from '../../foundation/error.ts'
import { lockUser } from './user.repository.ts'
import { deleteProofs, insertProof, type NewProof } from './verification.repository.ts'

/** True for an unknown address: no mail goes out, but the same work is done. */
export type ForNobody = { readonly isForNobody?: boolean | undefined }

/**
 * Stores the proof of a new link inside the transaction that mails it, and ends older links of that purpose. For an
 * unknown address the same statements run, in an order that leaves nothing behind.
 */
export async function replaceProof(tx: Tx, proof: NewProof, { isForNobody }: ForNobody = {}): Promise<void> {
  try {
    // Of two concurrent links, the later one ends the earlier.
    await lockUser(tx, proof.userId)
    if (isForNobody) await insertProof(tx, proof)
    await deleteProofs(tx, proof.purpose, proof.userId)
    if (!isForNobody) await insertProof(tx, proof)
  } catch (cause) {
    if (isDatabaseUnavailable(cause)) throw cause
    throw new TollgateError('UNABLE_TO_CREATE_VERIFICATION', { cause })
  }
}
