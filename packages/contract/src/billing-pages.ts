import type { ComingCharges } from './billing/coming-charges.ts'
import type { Address, BillingAnswer, CheckoutPublic, Order, PayLink } from './billing/types.ts'

/** The data of billing's hosted pages: pricing, checkout, the receipt of a paid checkout, and pay links. */

export type BillingForm =
  /** The button below a product of a pricing page: `productId`, and `currency` if the visitor has chosen one. */
  'pricing-choose'

/** A paid order as its buyer sees it. */
export type PageReceipt = Pick<
  Order,
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
  /** Of its invoice, else of its receipt. */
  readonly number: string
  readonly items: readonly { readonly label: string; readonly amount: number }[]
  readonly buyer: {
    readonly name: string | null
    readonly email: string
    readonly billingAddress: Address | null
    readonly taxId: string | null
  }
  /** The seller's legal identity on documents; absent until the seller sets it. */
  readonly sellerAtLaw: {
    readonly legalName: string | null
    readonly address: Address | null
    readonly taxId: string | null
  } | null
  /** Refunds so far, tax included, the newest first. */
  readonly refunds: readonly { readonly at: string; readonly amount: number }[]
  /** The sum of older refunds, if there are too many to list; else 0. */
  readonly refundedBefore: number
  /** The issued documents, each at `documents/:id` below the checkout's address. */
  readonly documents: readonly {
    readonly id: string
    readonly kind: 'invoice' | 'receipt' | 'credit_note'
    readonly number: string
  }[]
  /** The discount's name, or its code. */
  readonly discount: string | null
  /** The card, if one paid. */
  readonly card?: { readonly brand: string; readonly last4: string }
  /** The next charges, for a subscription that costs something. */
  readonly renewal?: {
    readonly interval: 'month' | 'year'
    readonly at: string
    /** The part that does not depend on usage; absent if all of it does. */
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
  /** Sample data; the page calls no server. */
  readonly frozen?: boolean
}

export type BillingPages = {
  readonly checkout: Buying & {
    /** The user of the browser's session. */
    readonly signedInAs?: { readonly name: string; readonly email: string }
    /** The processor's code for the last declined payment. */
    readonly declined?: string
    /** The country that the visitor's languages name. The page preselects it; nothing is computed from it. */
    readonly likelyCountry?: string
    /** Set if no sale of this server bears tax, so that the page reserves no line for it. */
    readonly isUntaxed?: boolean
  }
  /** A checkout that cannot continue. */
  readonly 'checkout-closed': {
    readonly status: 'expired' | 'failed'
    readonly seller?: CheckoutPublic['organization']
    /** Its product. */
    readonly product?: string
    /** The seller's address to return to. */
    readonly back?: string | null
  }
  /** The page after the payment. The receipt is present as soon as the payment succeeds. */
  readonly 'checkout-confirmation': Buying & { readonly receipt?: PageReceipt }
  readonly pricing: {
    readonly storefront: BillingAnswer<'getStorefront'>
    /** The currency that the visitor has chosen by name. */
    readonly currency?: string
  }
  /** The page of a pay link. */
  readonly pay: {
    readonly payToken: string
    readonly due: PayLink
    /** Sample data; the page calls no server. */
    readonly frozen?: boolean
  }
  /** A pay link that has expired, or that this server has not made. */
  readonly 'pay-closed': Readonly<Record<never, never>>
}
