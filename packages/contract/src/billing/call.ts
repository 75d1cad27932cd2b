import type { AnyCall } from '../call.ts'
import type { Scope } from './scopes.ts'

/**
 * One billing call, below `/v1`. Collection paths omit their trailing slash; both spellings are served. Bodies and
 * answers are snake_case on the wire and camelCase everywhere else (`wire.ts`).
 */
export type BillingCall = OpenCall | CustomerCall | SellerCall

/** A call that needs no seller. `secret`: the path holds a secret, which is sufficient. `none`: open to everyone. */
type OpenCall = AnyCall & { readonly auth: 'secret' | 'none' } & { readonly [Name in keyof OfSeller]?: never }

/** A call that a customer makes about themselves. It takes only the token of a customer session. */
type CustomerCall = AnyCall & { readonly auth: 'customer' } & { readonly [Name in keyof OfSeller]?: never }

/**
 * A call for an organization that sells. `seller`: an organization access token with the scope, or a signed-in member of
 * the organization who holds the permission behind it. `user`: a signed-in member only, never a token.
 */
type SellerCall = AnyCall & { readonly auth: 'seller' | 'user' } & OfSeller & (Reading | Writing)

type OfSeller = {
  /** The scope a token must hold; `permissionOf` gives the matching permission of a member. */
  readonly scope?: Scope
  /** The permission a member must hold for a call without a scope, as `resource:action`. */
  readonly permission?: `${string}:${string}`
  /** The path parameter `id` names the organization; other calls name it in their query or body. */
  readonly organizationIn?: 'path'
  /**
   * The call covers all organizations of the signed-in user, or one that does not exist yet, so a session names none.
   * A token always acts for its own.
   */
  readonly ofPerson?: true
  /** See `Writing`. */
  readonly approved?: boolean
}

/** Allowed whether or not the organization may sell: reading, and removing obsolete objects. */
type Reading = { readonly method: 'GET' | 'DELETE'; readonly approved?: never }

type Writing = {
  readonly method: 'POST' | 'PATCH' | 'PUT'
  /**
   * Whether the call needs an organization that is approved to sell. Without approval these remain: the settings,
   * obligations to buyers (refunds, invoices, the portal), disabling a receiver, and rotating a secret.
   */
  readonly approved: boolean
}
