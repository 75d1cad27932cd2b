import type { magicLinkCalls } from '@tollgate/contract/calls'
import { TollgateError } from '../error.ts'
import type { Routes } from '../http/route.ts'

const notYet = () => {
  throw new TollgateError('NOT_FOUND')
}

export const magicLinkRoutes: Routes<typeof magicLinkCalls> = {
  signInMagicLink: notYet,
  verifyMagicLink: notYet,
  signInEmailOtp: notYet,
}
