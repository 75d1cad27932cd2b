/** Entry `schemas`: zod schemas of every call, for the server, the API description and tests. */
import { identitySchemas } from './identity.schemas.ts'

export type { Endpoint } from './endpoint.ts'
export { session, sessionAnswer, sessionUser, user } from './identity.schemas.ts'

/** Every call's shapes, by the same name as in `calls`. */
export const authSchemas = { ...identitySchemas } as const
