import { identityCalls, magicLinkCalls, socialCalls, usernameCalls } from '@tollgate/contract/calls'
import { createCallMethods } from './call-methods.ts'
import type { ClientCallName, ClientMethods, ClientOptions, TollgateClient } from './client.ts'

const entranceCalls = { ...identityCalls, ...socialCalls, ...usernameCalls, ...magicLinkCalls }

/** The part of the client that signing in and up needs. */
export type EntranceClient = Pick<ClientMethods, keyof typeof entranceCalls & ClientCallName> &
  Pick<TollgateClient, 'session' | '$fetch'>

/** A client for pages that only sign users in or up, without later calls and stores. */
export function createEntranceClient(options: ClientOptions = {}): EntranceClient {
  const { methods, $fetch, createCallStore } = createCallMethods(entranceCalls, options)
  return Object.assign(methods, { $fetch, session: createCallStore('session', 'getSession', options.initialSession) })
}
