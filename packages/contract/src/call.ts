/** The client stores that a successful call invalidates, so that they read again (specification, section 4). */
export type Signal = 'session' | 'organizations' | 'activeOrganization' | 'activeMember'

/**
 * The rate limit of a call per address, besides the general limit. The server's limiter has the numbers.
 * - `none`: unlimited, exempt from the general limit too. For reads of every page view.
 * - `guess`: tries a secret, or asks whether something is taken.
 * - `link`: sends a mailed link, or follows one.
 * - `visit`: writes without a signed-in user.
 * - `upload`: sends a picture, which takes time to decode.
 * - `payment`: tries a card.
 * - `processor`: events of a payment processor, which arrive in bursts from few addresses.
 */
export type RateLimit = 'none' | 'guess' | 'link' | 'visit' | 'upload' | 'payment' | 'processor'

/**
 * One call of any API as plain data. The server's dispatch, the client and the API description derive from it. It
 * holds no schemas, because browsers load it.
 */
export type AnyCall = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** Below the API's base path; `:name` marks a path parameter. */
  readonly path: string
  /** Required caller; each API has its own values. */
  readonly auth: string
  /** Default: only the general limit. */
  readonly limit?: RateLimit
  /** Path parameters that request logs hide: secrets, and parameters that often hold a mail address. */
  readonly secrets?: readonly string[]
  /**
   * Only the user may call it, not an administrator who impersonates them (security, §0). For calls that delete, grant
   * access, or refund money.
   */
  readonly own?: true
  /** Takes an `Idempotency-Key`: the same request with the same key runs once. */
  readonly onceByKey?: true
  /** A provider's page posts a form here, from another site and without our cookies; the call only redirects to GET. */
  readonly takesForm?: true
  /** The body is a file, not JSON; the service gets the raw bytes. */
  readonly takesFile?: true
  /** The answer is a file, not JSON. */
  readonly givesFile?: true
  /** The answer is the same for every caller: any cache may keep it for this many seconds. */
  readonly publicFor?: number
  /** The body repeats the path's parameters: an upload's id is its file's. */
  readonly repeatsPath?: true
  /** Status of success; default: 200. */
  readonly status?: 201 | 202 | 204
  /** Reachable only through `createTollgate().api`; 404 over HTTP. */
  readonly serverOnly?: true
  /** A mailed link that changes something when a person follows it. HEAD, which mail scanners send, does nothing. */
  readonly acts?: true
  /** Answers with a page or a redirect: browsers navigate to it, the client never calls it. */
  readonly navigates?: true
  /** A hosted page answers it, not the API. */
  readonly page?: true
}

/** A part of the auth API that the configuration enables or disables. While it is off, its calls are 404. */
export type Feature = 'username' | 'magicLink' | 'jwt' | 'organization' | 'teams'

/**
 * Groups of the auth API in its description. A successful call of `organization` also makes clients read the active
 * organization again.
 */
export type CallGroup = 'account' | 'organization' | 'administration'

/** One call of the auth API. */
export type Call = AnyCall & {
  readonly method: 'GET' | 'POST'
  /** `session`: refused with 401 without a session. `none`: open to everyone, with an ignored or optional session. */
  readonly auth: 'none' | 'session'
  /** Default: always served. */
  readonly feature?: Feature
  /** Default: `account`. */
  readonly group?: CallGroup
  /** Server code may call it without a session, for the user that the body names (`userId`). */
  readonly serverNamesUser?: true
  /** Client stores that read again 10 ms after the call succeeds. */
  readonly refreshes?: readonly Signal[]
  /**
   * A captcha may guard it, and the forms that make it have a place for the widget. `default`: guarded unless the
   * configuration names other calls. `onDemand`: guarded only if the configuration names it.
   */
  readonly captcha?: 'default' | 'onDemand'
  /** The path of the call that this one is an older name of. A setting that names one of the two means both. */
  readonly aliasOf?: string
}

/** What the rows of calls about an organization have in common. */
export const ofOrganization = {
  auth: 'session',
  feature: 'organization',
  group: 'organization',
} as const satisfies Partial<Call>
