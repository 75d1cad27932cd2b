/** What a successful call makes stale in the client, so that its stores read again (specification, section 4). */
export type Signal = 'session' | 'organizations' | 'activeOrganization' | 'activeMember'

/**
 * One call as plain data. The client, the server's routes and the API description are all derived from it,
 * so it holds nothing that a browser bundle should not carry (no schemas).
 */
export type Call = {
  readonly method: 'GET' | 'POST'
  /** Below the base path; `:name` marks a path parameter. */
  readonly path: string
  /** `session`: refused with 401 without one. `none`: open to everybody, a session is ignored or optional. */
  readonly auth: 'none' | 'session'
  /** Server code may call it without a session, for the user whom the body names (`userId`). */
  readonly serverNamesUser?: true
  /** Client stores that read again 10 ms after the call succeeded. */
  readonly refreshes?: readonly Signal[]
  /** What its owner alone may do, however they are signed in: refused while an administrator acts as them (security, §0). */
  readonly own?: true
  /** Wants the answer to a captcha where one is configured. */
  readonly captcha?: true
  /** A provider's page posts a form here, from another site and without our cookies; it is only sent on to GET. */
  readonly takesForm?: true
  /** The answer is the same for everybody: anybody may keep it for so many seconds. */
  readonly publicFor?: number
  /** Reachable through `createTollgate().api` only; 404 over HTTP. */
  readonly serverOnly?: true
  /** A link that people follow from a mail and that changes something: looking at it with HEAD does nothing. */
  readonly acts?: true
  /** Answers with a page or a redirect: navigated to, never fetched by the client. */
  readonly navigates?: true
}
