/**
 * What other domains may do with users, their accounts and proofs, inside transactions of their own. The rules that belong
 * to a call stay in the service of that call.
 */
export {
  type AccountRow,
  credentialProvider,
  findCredentialAccount,
  isStillPassword,
  lockAccounts,
  putCredentialAccount,
} from './account.repository.ts'
export {
  clearActiveOrganization,
  clearActiveTeam,
  deleteImpersonatedSessions,
  deleteSession,
  deleteSessionsBegunBy,
  deleteSessionsOf,
  findSessionByToken,
  isStillSession,
  listEverySession,
  listUnexpiredSessions,
  type StoredSession,
  setActiveOrganization,
} from './session.repository.ts'
export {
  deleteUserRow,
  findBan,
  findUser,
  findUserByEmail,
  findUserByUsername,
  insertUser,
  isBanned,
  liftBan,
  lockUser,
  markEmailVerified,
  type UserRow,
  updateUserRow,
} from './user.repository.ts'
export { consumeProof, deleteAllProofs, deleteProofs, findProofUser, insertProof } from './verification.repository.ts'
