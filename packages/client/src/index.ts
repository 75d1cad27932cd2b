export {
  type ClientCallName,
  type ClientMethods,
  type ClientOptions,
  createTollgateClient,
  type Input,
  type TollgateClient,
} from './client.ts'
export type { Channel, Environment } from './environment.ts'
export type { CallOptions, ClientError, FetchOptions, Result } from './request.ts'
export type { SessionState, SessionStore } from './session-store.ts'
