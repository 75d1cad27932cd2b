import type { usernameCalls } from '@tollgate/contract/calls'
import { TollgateError } from '../error.ts'
import type { Routes } from '../http/route.ts'

const notYet = () => {
  throw new TollgateError('NOT_FOUND')
}

export const usernameRoutes: Routes<typeof usernameCalls> = {
  signInUsername: notYet,
  isUsernameAvailable: notYet,
}
