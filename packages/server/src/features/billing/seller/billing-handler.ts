import type { BillingCall, BillingCallName, billingCalls } from '@tollgate/contract/billing'
import type { billingSchemas } from '@tollgate/contract/billing-schemas'
import type { BillingAnswer } from '@tollgate/contract/billing-types'
import type { SessionRow } from '../../../foundation/db/session-row.ts'
import type { Download, Handler, Reply } from '../../../foundation/http/handler.ts'
import type { PortalCustomer } from './calling-customer.service.ts'
import type { Seller } from './seller.service.ts'

/** Who calls, for calls of sellers and of customers, and the raw body, for calls that take a file. */
type By<C extends BillingCall> = OfSeller<C> &
  OfCustomer<C> &
  (C extends { readonly takesFile: true } ? { readonly file: ReadableStream<Uint8Array> | null } : unknown)

type OfSeller<C extends BillingCall> = C['auth'] extends 'seller' | 'user'
  ? {
      /** The organization. Calls about a person have one if a token authenticates them. */
      readonly seller: C extends { readonly ofPerson: true } ? Seller | undefined : Seller
      /** The member's session; `undefined` for tokens and server code. */
      readonly current: SessionRow | undefined
    }
  : unknown

type OfCustomer<C extends BillingCall> = C['auth'] extends 'customer' ? { readonly customer: PortalCustomer } : unknown

/** The service of a call of the billing API. `Other`: what it may answer besides the contract's answer. */
export type BillingHandler<Name extends BillingCallName, Other = never> = Handler<
  (typeof billingSchemas)[Name],
  By<(typeof billingCalls)[Name]>,
  (typeof billingCalls)[Name] extends { readonly givesFile: true } ? Download : BillingAnswer<Name> | Other
>

/** A handler for each call. */
export type BillingHandlers = {
  readonly [Name in BillingCallName]: BillingHandler<Name, Reply<BillingAnswer<Name>>>
}
