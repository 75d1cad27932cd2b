import type { jwtCalls } from '@tollgate/contract/calls'
import { TollgateError } from '../error.ts'
import type { Routes } from '../http/route.ts'

const notYet = () => {
  throw new TollgateError('NOT_FOUND')
}

export const jwtRoutes: Routes<typeof jwtCalls> = {
  getToken: notYet,
  getJwks: notYet,
}
