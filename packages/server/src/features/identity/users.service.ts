/**
 * What other features may do with users, their accounts and proofs, inside their own transactions. The rules of a
 * single call stay in that call's service.
 */
export {
  clearActiveOrganization,
  clearActiveTeam,
  deleteImpersonatedSessions,
  deleteSession,
  deleteSessionsBegunBy,
  deleteSessionsOf,
  findSession,
  findSessionByToken,
  isStillSession,
  listEverySession,
  type StoredSession,
  setActiveOrganization,
} from './session.repository.ts'
export {
  credentialProvider,
  findUser,
  findUserByEmail,
  findUserByUsername,
  insertUser,
  isBanned,
  liftBan,
  lockAccounts,
  lockUser,
  markEmailVerified,
  putCredentialAccount,
  type UserRow,
  updateUserRow,
} from './user.repository.ts'
export { deleteProofs } from './verification.repository.ts'
