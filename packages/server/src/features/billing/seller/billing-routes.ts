import type { BillingCall, BillingCallName, billingCalls } from '@tollgate/contract/billing'
import type { billingSchemas } from '@tollgate/contract/billing-schemas'
import type { BillingAnswer } from '@tollgate/contract/billing-types'
import type { SessionRow } from '../../../foundation/db/session-row.ts'
import type { Download, Reply, Route } from '../../../foundation/http/route.ts'
import type { Seller } from './seller.service.ts'

/** What a billing route receives besides the input. */
type By<C extends BillingCall> = {
  /** The seller, for calls of sellers only. Calls about a person have one if a token authenticates them. */
  readonly seller: C extends { readonly ofPerson: true }
    ? Seller | undefined
    : C['auth'] extends 'seller' | 'user'
      ? Seller
      : undefined
  /** The member's session, for calls of sellers; `undefined` for tokens and server code. */
  readonly current: SessionRow | undefined
}

type BillingRoute<Name extends BillingCallName> = Route<
  (typeof billingSchemas)[Name],
  By<(typeof billingCalls)[Name]>,
  (typeof billingCalls)[Name] extends { readonly givesFile: true }
    ? Download
    : BillingAnswer<Name> | Reply<BillingAnswer<Name>>
>

/** Routes of one file of the billing contract; the type requires every call exactly once. */
export type BillingRoutes<Calls extends Record<string, BillingCall>> = {
  readonly [Name in keyof Calls & BillingCallName]: BillingRoute<Name>
}
