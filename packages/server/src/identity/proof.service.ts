import { isDatabaseUnavailable, type Tx } from '../db/database.ts'
import { TollgateError } from '../error.ts'
import { lockUser } from './user.repository.ts'
import { deleteProofs, insertProof, type NewProof } from './verification.repository.ts'

/** Stores the proof behind a new link, inside the transaction that mails it; the older links of that purpose end. */
export async function replaceProof(tx: Tx, proof: NewProof): Promise<void> {
  try {
    // Of two links made at the same moment, the later one ends the earlier.
    await lockUser(tx, proof.userId)
    await deleteProofs(tx, proof.purpose, proof.userId)
    await insertProof(tx, proof)
  } catch (cause) {
    if (isDatabaseUnavailable(cause)) throw cause
    throw new TollgateError('UNABLE_TO_CREATE_VERIFICATION', { cause })
  }
}
