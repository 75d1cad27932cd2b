import type { adminCalls } from '@tollgate/contract/calls'
import { TollgateError } from '../error.ts'
import type { Routes } from '../http/route.ts'

const notYet = () => {
  throw new TollgateError('NOT_FOUND')
}

export const adminRoutes: Routes<typeof adminCalls> = {
  adminListUsers: notYet,
  adminGetUser: notYet,
  adminCreateUser: notYet,
  adminUpdateUser: notYet,
  adminSetRole: notYet,
  adminSetUserPassword: notYet,
  adminBanUser: notYet,
  adminUnbanUser: notYet,
  adminRemoveUser: notYet,
  adminImpersonateUser: notYet,
  adminStopImpersonating: notYet,
  adminListUserSessions: notYet,
  adminRevokeUserSession: notYet,
  adminRevokeUserSessions: notYet,
  adminListUserAccounts: notYet,
  adminListEvents: notYet,
  adminHasPermission: notYet,
}
