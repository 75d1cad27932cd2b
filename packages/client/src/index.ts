export {
  type BillingCallInput,
  type BillingClient,
  type BillingClientCallName,
  type BillingClientOptions,
  createBillingClient,
} from './billing-client.ts'
export { type BuyerClient, createBuyerClient } from './buyer-client.ts'
export {
  type ActiveMemberStore,
  type ActiveOrganizationStore,
  type ClientCallName,
  type ClientMethods,
  type ClientOptions,
  createTollgateClient,
  type Input,
  type OrganizationsStore,
  type SessionState,
  type SessionStore,
  type TollgateClient,
} from './client.ts'
export { createEntranceClient, type EntranceClient } from './entrance-client.ts'
export type { Channel, Environment } from './environment.ts'
export type { CallOptions, ClientError, FetchOptions, InputIssue, Result } from './request.ts'
export type { Store, StoreState } from './store.ts'
