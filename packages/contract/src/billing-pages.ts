import type { ComingCharges } from './billing/coming-charges.ts'
import type { Address, BillingAnswer, CheckoutPublic, Order } from './billing/types.ts'

/** What the hosted pages of billing are given: pricing, checkout, and what is left of a checkout once it is paid. */

export type BillingForm =
  /** The button below a product of a pricing page: `productId`. */
  'pricing-choose'

/** A paid order as its buyer sees it. */
export type PageReceipt = Pick<
  Order,
  | 'invoiceNumber'
  | 'createdAt'
  | 'status'
  | 'subtotalAmount'
  | 'discountAmount'
  | 'netAmount'
  | 'taxAmount'
  | 'tax'
  | 'totalAmount'
  | 'currency'
> & {
  readonly items: readonly { readonly label: string; readonly amount: number }[]
  readonly buyer: {
    readonly name: string | null
    readonly email: string
    readonly billingAddress: Address | null
    readonly taxId: string | null
  }
  /** Who sold it at law, as its documents say; nothing where the seller has not said so. */
  readonly sellerAtLaw: {
    readonly legalName: string | null
    readonly address: Address | null
    readonly taxId: string | null
  } | null
  /** What was given back since, tax included, the newest first. */
  readonly refunds: readonly { readonly at: string; readonly amount: number }[]
  /** What was given back before those, where there are too many to be named one by one; else 0. */
  readonly refundedBefore: number
  /** What was issued for it, each read at `documents/:id` below the checkout's address. */
  readonly documents: readonly {
    readonly id: string
    readonly kind: 'invoice' | 'receipt' | 'credit_note'
    readonly number: string
  }[]
  /** What the discount is called, or its code. */
  readonly discount: string | null
  /** The card, where something was paid by one. */
  readonly card?: { readonly brand: string; readonly last4: string }
  /** What it goes on with, of a subscription that costs something. */
  readonly renewal?: {
    readonly interval: 'month' | 'year'
    readonly at: string
    /** Of what does not depend on usage; nothing where all of it does. */
    readonly charges?: ComingCharges
    readonly hasUsage: boolean
  }
}

/** The checkout of both pages that have one. */
type Buying = {
  readonly clientSecret: string
  readonly checkout: CheckoutPublic
  /** The seller's page shows this one in a frame. */
  readonly embedded?: boolean
  /** Made-up data: nothing is asked of the server. */
  readonly frozen?: boolean
}

export type BillingPages = {
  readonly checkout: Buying & {
    /** Whose session the browser has. */
    readonly signedInAs?: { readonly name: string; readonly email: string }
    /** Why the last attempt to pay was refused: the processor's code. */
    readonly declined?: string
  }
  /** A checkout that nobody can go on with. */
  readonly 'checkout-closed': {
    readonly status: 'expired' | 'failed'
    readonly seller?: CheckoutPublic['organization']
    /** What it was about to sell. */
    readonly product?: string
    /** Where the seller wants people back. */
    readonly back?: string | null
  }
  /** After the payment; the receipt is there as soon as the payment has succeeded. */
  readonly 'checkout-confirmation': Buying & { readonly receipt?: PageReceipt }
  readonly pricing: { readonly storefront: BillingAnswer<'getStorefront'> }
}
