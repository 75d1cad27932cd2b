import { type BillingCallName, billingCalls } from '@tollgate/contract/billing'
import type { BillingAnswer, BillingBody, BillingParams, BillingQuery } from '@tollgate/contract/billing-types'
import { clientOf } from './client-of.ts'
import type { CallOptions, Result } from './request.ts'

type Calls = typeof billingCalls

/**
 * The client's calls. Files are uploaded to their signed addresses directly, and calls that answer with a file are
 * links.
 */
export type BillingClientCallName = {
  [Name in BillingCallName]: Calls[Name] extends { takesFile: true } | { givesFile: true } ? never : Name
}[BillingCallName]

/** Nothing is required for a part that is missing or empty. */
type Part<Given> = [Given] extends [never] | [Record<string, never>] ? unknown : Given

/** A call's input: its path parameters, and its body or, for a GET, its query. */
export type BillingCallInput<Name extends BillingClientCallName> = Part<BillingParams<Name>> &
  Part<BillingBody<Name>> &
  Part<BillingQuery<Name>>

type Arguments<Name extends BillingClientCallName> =
  Partial<BillingCallInput<Name>> extends BillingCallInput<Name>
    ? [input?: BillingCallInput<Name>, options?: CallOptions<BillingAnswer<Name>>]
    : [input: BillingCallInput<Name>, options?: CallOptions<BillingAnswer<Name>>]

/** One method per billing call, with the same name; camelCase in and out. */
export type BillingClient = {
  readonly [Name in BillingClientCallName]: (...given: Arguments<Name>) => Promise<Result<BillingAnswer<Name>>>
}

export type BillingClientOptions = {
  /** The server's origin. Default: the page's own. */
  readonly baseURL?: string
  /** An organization access token. Without one the session cookie is sent. */
  readonly token?: string
  /** The organization that a signed-in member acts for. Default: the active organization. */
  readonly organizationId?: string
  readonly headers?: HeadersInit
  readonly fetch?: typeof fetch
  /** How often a failed GET is retried, one second apart. Default: 0. */
  readonly retry?: number
}

/** Creates a client for billing. */
export const createBillingClient = (options: BillingClientOptions = {}): BillingClient =>
  clientOf<BillingClientCallName>(billingCalls, options)
