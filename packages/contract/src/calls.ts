/** Entry `calls`: plain data for clients and browsers. Nothing here may import zod. */
import { identityCalls } from './identity.calls.ts'

export type { Call, Signal } from './call.ts'
export { type ErrorName, type ErrorRow, errorCode, errors } from './errors.ts'
export { identityCalls }

/** Every call of the auth API by name; the name is the client's method and the service's function. */
export const authCalls = { ...identityCalls } as const

export type AuthCallName = keyof typeof authCalls
