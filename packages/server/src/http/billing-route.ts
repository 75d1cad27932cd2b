import type { BillingCall, BillingCallName, billingCalls } from '@tollgate/contract/billing'
import type {
  BillingAnswer,
  ParsedBillingBody,
  ParsedBillingParams,
  ParsedBillingQuery,
} from '@tollgate/contract/billing-types'
import type { Seller } from '../billing/seller/seller.service.ts'
import type { Context } from '../context.ts'
import type { SessionRow } from '../db/session-row.ts'
import type { Caller } from './caller.ts'

export type { Caller }

/** An answer with headers of its own. */
export class Reply<Answer> {
  readonly answer: Answer
  readonly headers: Readonly<Record<string, string>>
  constructor(answer: Answer, headers: Readonly<Record<string, string>>) {
    this.answer = answer
    this.headers = headers
  }
}

/** An answer that is a file: given out as it is made, and never run by a browser. */
export class Download {
  /** Its media type, such as `text/csv; charset=utf-8`. */
  readonly type: string
  /** What it is called where it is kept: letters, digits, `.`, `_` and `-`. */
  readonly name: string
  readonly body: ReadableStream<Uint8Array>
  constructor(type: string, name: string, body: ReadableStream<Uint8Array>) {
    this.type = type
    this.name = name
    this.body = body
  }
}

/** What a route of the billing API gets: everything about the call has been checked by then. */
export type BillingRouteInput<Name extends BillingCallName> = {
  readonly ctx: Context
  readonly caller: Caller
  /** For whom; there for calls of sellers, and not for the others. Those about people have it where a token asks. */
  readonly seller: (typeof billingCalls)[Name] extends { readonly ofPerson: true }
    ? Seller | undefined
    : (typeof billingCalls)[Name]['auth'] extends 'seller' | 'user'
      ? Seller
      : undefined
  /** Who is signed in, of calls of sellers; nobody where a token or server code asks. */
  readonly current: SessionRow | undefined
  readonly body: ParsedBillingBody<Name>
  readonly query: ParsedBillingQuery<Name>
  readonly params: ParsedBillingParams<Name>
  /** The body as it comes, of calls that take a file. */
  readonly file: ReadableStream<Uint8Array> | null
}

/** One line that hands a checked call to its service. */
export type BillingRoute<Name extends BillingCallName> = (
  input: BillingRouteInput<Name>,
) => RouteAnswer<Name> | Promise<RouteAnswer<Name>>
type RouteAnswer<Name extends BillingCallName> = (typeof billingCalls)[Name] extends { readonly givesFile: true }
  ? Download
  : BillingAnswer<Name> | Reply<BillingAnswer<Name>>

/** The routes of one file of the contract: every call of it, each exactly once. */
export type BillingRoutes<Calls extends Record<string, BillingCall>> = {
  readonly [Name in keyof Calls & BillingCallName]: BillingRoute<Name>
}
