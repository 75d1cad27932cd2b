import { type AuthCallName, authCalls } from '@tollgate/contract/calls'
import type { Answer, Body, ParsedQuery, Query, SessionAnswer } from '@tollgate/contract/types'
import { createCallMethods } from './call-methods.ts'
import type { Environment } from './environment.ts'
import type { CallOptions, ClientError, FetchOptions, Result } from './request.ts'
import type { Store, StoreState } from './store.ts'

type Calls = typeof authCalls

/** The calls that the client makes: not those that lead to a page, nor those that only the server's own code may make. */
export type ClientCallName = {
  [Name in AuthCallName]: Calls[Name] extends { navigates: true } | { serverOnly: true } ? never : Name
}[AuthCallName]

/** A flag travels as text in a query; callers give a boolean. */
type QueryInput<Name extends AuthCallName> = {
  [Key in keyof Query<Name>]:
    | Query<Name>[Key]
    | (Key extends keyof ParsedQuery<Name> ? (boolean extends ParsedQuery<Name>[Key] ? boolean : never) : never)
}

/** What a call is given: its body, or for a GET its query. */
export type Input<Name extends ClientCallName> = Calls[Name]['method'] extends 'GET'
  ? [Query<Name>] extends [never]
    ? never
    : QueryInput<Name>
  : Body<Name>

type Arguments<Name extends ClientCallName> = [Input<Name>] extends [never]
  ? [input?: undefined, options?: CallOptions<Answer<Name>>]
  : Partial<Input<Name>> extends Input<Name>
    ? [input?: Input<Name>, options?: CallOptions<Answer<Name>>]
    : [input: Input<Name>, options?: CallOptions<Answer<Name>>]

/** One method for each call of the API, by the same name. */
export type ClientMethods = {
  [Name in ClientCallName]: (...args: Arguments<Name>) => Promise<Result<Answer<Name>>>
}

type Found<Name extends AuthCallName> = NonNullable<Answer<Name>>

/** The session and its user; null when signed out. */
export type SessionStore = Store<NonNullable<SessionAnswer>>
export type SessionState = StoreState<NonNullable<SessionAnswer>>
/** The organizations of whoever is signed in. */
export type OrganizationsStore = Store<Found<'listOrganizations'>>
/** The active organization with its members, invitations and teams; null when none is active. */
export type ActiveOrganizationStore = Store<Found<'getFullOrganization'>>
/** The own membership of the active organization, and what it allows; null when none is active. */
export type ActiveMemberStore = Store<Found<'getActiveMember'>>

/** The typed client: a method for each call, what pages show all the time as stores, `$fetch` for everything else. */
export type TollgateClient = ClientMethods & {
  readonly session: SessionStore
  readonly organizations: OrganizationsStore
  readonly activeOrganization: ActiveOrganizationStore
  readonly activeMember: ActiveMemberStore
  /** Any path below the base path, with the client's headers, credentials and errors. */
  $fetch<Data = unknown>(path: string, options?: FetchOptions<Data>): Promise<Result<Data>>
}

export type ClientOptions = {
  /** Where the server is; the page's own origin by default. With a path, it is taken as the whole address. */
  baseURL?: string
  /** Where the calls are below it. */
  basePath?: string
  fetch?: typeof fetch
  /** Sent with every call. */
  headers?: HeadersInit
  /** The answer to a captcha, asked for before each call that changes something; nothing where it needs none. */
  captcha?: (call: ClientCallName) => string | undefined | Promise<string | undefined>
  /** How often a failed GET is tried again, one second apart; not at all by default. */
  retry?: number
  /** The session as the server read it, so that the first screen needs no call. Null means signed out. */
  initialSession?: SessionAnswer
  /** Likewise, for the other stores; null means none. */
  initialOrganizations?: Answer<'listOrganizations'>
  initialActiveOrganization?: Answer<'getFullOrganization'>
  initialActiveMember?: Answer<'getActiveMember'> | null
  /** Leaves the page when an answer asks for it; a router can take its place. */
  navigate?: (url: string) => void
  /** Timers, other tabs and focus, for tests and unusual hosts. */
  environment?: Partial<Environment>
}

/** Makes a client. An invalid `baseURL` is refused here; a missing one only when a call needs it. */
export function createTollgateClient(options: ClientOptions = {}): TollgateClient {
  const { methods, $fetch, createCallStore } = createCallMethods(authCalls, options)
  return Object.assign(methods, {
    $fetch,
    session: createCallStore('session', 'getSession', options.initialSession),
    organizations: createCallStore('organizations', 'listOrganizations', options.initialOrganizations, saysNone),
    activeOrganization: createCallStore(
      'activeOrganization',
      'getFullOrganization',
      options.initialActiveOrganization,
      saysNone,
    ),
    activeMember: createCallStore('activeMember', 'getActiveMember', options.initialActiveMember, saysNone),
  })
}

const none = ['NO_ACTIVE_ORGANIZATION', 'USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION', 'MEMBER_NOT_FOUND']

/** Nobody is signed in, no organization is active, or the membership has just ended: nothing of before may stay. */
function saysNone({ status, code }: ClientError): boolean {
  return status === 401 || none.includes(code ?? '')
}
