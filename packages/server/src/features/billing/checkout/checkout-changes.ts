import type { ParsedBillingBody } from '@tollgate/contract/billing-types'
import type { InputIssue } from '../../../foundation/error.ts'
import type { ActingBuyer } from './checkout-buyer.ts'

/** Changes to an open checkout: the first part is for buyers and sellers, the others for one of them. */
export type CheckoutChanges = Partial<ParsedBillingBody<'updateCheckout'>> & {
  readonly discountCode?: string | null | undefined
}

/** Who changes a checkout. */
export type ChangedBy = { readonly by: 'seller' } | ({ readonly by: 'buyer' } & ActingBuyer)

/** Records faults; returns true if there are none. */
export type Tell = (...issues: InputIssue[]) => boolean
