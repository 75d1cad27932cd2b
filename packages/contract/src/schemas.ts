/** Entry `schemas`: zod schemas of every call, for the server, the API description and tests. */
export type { Endpoint } from './endpoint.ts'
export { session, sessionAnswer, sessionUser, user } from './identity.schemas.ts'
export { authSchemas } from './schemas.generated.ts'
