import { type AuthCallName, authCalls } from '@tollgate/contract/calls'
import type { Answer, Body, ParsedQuery, Query, SessionAnswer } from '@tollgate/contract/types'
import { createCallMethods } from './call-methods.ts'
import type { Environment } from './environment.ts'
import type { CallOptions, ClientError, FetchOptions, Result } from './request.ts'
import type { Store, StoreState } from './store.ts'

type Calls = typeof authCalls

/** The client's calls: not those that lead to a page, nor those for server code only. */
export type ClientCallName = {
  [Name in AuthCallName]: Calls[Name] extends { navigates: true } | { serverOnly: true } ? never : Name
}[AuthCallName]

/** A flag is a text in a query; callers pass a boolean. */
type QueryInput<Name extends AuthCallName> = {
  [Key in keyof Query<Name>]:
    | Query<Name>[Key]
    | (Key extends keyof ParsedQuery<Name> ? (boolean extends ParsedQuery<Name>[Key] ? boolean : never) : never)
}

/** A call's input: its body, for a GET its query, and for a call that takes a file the file beside its query. */
export type Input<Name extends ClientCallName> = Calls[Name] extends { takesFile: true }
  ? { file: Blob } & ([Query<Name>] extends [never] ? unknown : QueryInput<Name>)
  : Calls[Name]['method'] extends 'GET'
    ? [Query<Name>] extends [never]
      ? never
      : QueryInput<Name>
    : Body<Name>

type Arguments<Name extends ClientCallName> = [Input<Name>] extends [never]
  ? [input?: undefined, options?: CallOptions<Answer<Name>>]
  : Partial<Input<Name>> extends Input<Name>
    ? [input?: Input<Name>, options?: CallOptions<Answer<Name>>]
    : [input: Input<Name>, options?: CallOptions<Answer<Name>>]

/** One method per API call, with the same name. */
export type ClientMethods = {
  [Name in ClientCallName]: (...args: Arguments<Name>) => Promise<Result<Answer<Name>>>
}

type Found<Name extends AuthCallName> = NonNullable<Answer<Name>>

/** The session and its user; null when signed out. */
export type SessionStore = Store<NonNullable<SessionAnswer>>
export type SessionState = StoreState<NonNullable<SessionAnswer>>
/** The signed-in user's organizations. */
export type OrganizationsStore = Store<Found<'listOrganizations'>>
/** The active organization with its members, invitations and teams; null when none is active. */
export type ActiveOrganizationStore = Store<Found<'getFullOrganization'>>
/** The user's membership in the active organization, with its permissions; null when none is active. */
export type ActiveMemberStore = Store<Found<'getActiveMember'>>

/** The typed client: a method per call, stores of what pages show all the time, and `$fetch` for other paths. */
export type TollgateClient = ClientMethods & {
  readonly session: SessionStore
  readonly organizations: OrganizationsStore
  readonly activeOrganization: ActiveOrganizationStore
  readonly activeMember: ActiveMemberStore
  /** Any path below the base path, with the client's headers, credentials and errors. */
  $fetch<Data = unknown>(path: string, options?: FetchOptions<Data>): Promise<Result<Data>>
}

export type ClientOptions = {
  /** The server's origin. Default: the page's own. With a path, it is the whole address. */
  baseURL?: string
  /** The base path of the calls. */
  basePath?: string
  fetch?: typeof fetch
  /** Sent with every call. */
  headers?: HeadersInit
  /** Returns the captcha answer before each state-changing call; undefined if none is needed. */
  captcha?: (call: ClientCallName) => string | undefined | Promise<string | undefined>
  /** How often a failed GET is retried, one second apart. Default: 0. */
  retry?: number
  /** The session that the server read, so that the first screen needs no call. Null means signed out. */
  initialSession?: SessionAnswer
  /** The same for the other stores; null means none. */
  initialOrganizations?: Answer<'listOrganizations'>
  initialActiveOrganization?: Answer<'getFullOrganization'>
  initialActiveMember?: Answer<'getActiveMember'> | null
  /** Navigates when an answer asks for it; a router can replace it. */
  navigate?: (url: string) => void
  /** Timers, other tabs and focus, for tests and unusual hosts. */
  environment?: Partial<Environment>
}

/** Creates a client. An invalid `baseURL` throws here; a missing one only when a call needs it. */
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

/** The user is signed out, has no active organization, or has just left it: no earlier data may remain. */
function saysNone({ status, code }: ClientError): boolean {
  return status === 401 || none.includes(code ?? '')
}
