import type { Scope } from './scopes.ts'

/**
 * One billing call as plain data, below `/v1`. Collection paths are written without their trailing slash; both spellings
 * are served. Bodies and answers are snake_case on the wire and camelCase everywhere else (`wire.ts`).
 */
export type BillingCall = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  readonly path: string
  /**
   * Who may call. `seller`: an organization access token with the scope, or a signed-in member of the organization who
   * holds the permission behind it. `user`: a signed-in member only, never a token. `secret`: whoever knows the secret in
   * the path. `none`: everybody.
   */
  readonly auth: 'seller' | 'user' | 'secret' | 'none'
  /** What a token has to hold; which permission that is for a member, `permissionOf` says. */
  readonly scope?: Scope
  /** Status of success; 200 where none is named. */
  readonly status?: 201 | 202 | 204
  /**
   * About all the organizations of whoever is signed in, or about none that there is yet: a session needs no organization
   * for it. A token acts for its own, as ever.
   */
  readonly ofPerson?: true
  /**
   * What its owner alone may do, however they are signed in: refused while an administrator acts as them (security, §0).
   * Whatever deletes, whatever lets somebody in, and whatever gives money back.
   */
  readonly own?: true
  /** Its body is a file, not JSON: handed to the service as it comes. */
  readonly takesFile?: true
  /** Its answer is a file, not JSON. */
  readonly givesFile?: true
}
