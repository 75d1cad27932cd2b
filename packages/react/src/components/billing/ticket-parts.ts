import type { CheckoutPublic } from '@tollgate/contract/billing-types'
import type { ShownPrice } from './price-text.ts'
import type { CheckoutTrial } from './trial-text.ts'
import type { CheckoutState } from './use-checkout.ts'

/** What the ticket shows of a product. A product that is being written has no more. */
export type TicketProduct = Pick<
  CheckoutPublic['product'],
  'id' | 'name' | 'description' | 'features' | 'recurringInterval'
> & {
  readonly prices: readonly ShownPrice[]
  readonly benefits: readonly { readonly description: string }[]
  readonly medias: readonly { readonly publicUrl: string }[]
}

/** What the ticket shows of a checkout. */
export type TicketCheckout = CheckoutTrial &
  Pick<
    CheckoutPublic,
    | 'productId'
    | 'amount'
    | 'discountAmount'
    | 'netAmount'
    | 'taxAmount'
    | 'totalAmount'
    | 'tax'
    | 'currency'
    | 'currencies'
    | 'discount'
    | 'seats'
    | 'allowDiscountCodes'
    | 'isDiscountApplicable'
  > & {
    readonly product: TicketProduct
    readonly products: readonly TicketProduct[]
    readonly productPrice: ShownPrice
    readonly organization: Pick<CheckoutPublic['organization'], 'name' | 'avatarUrl'>
    readonly customerBillingAddress: { readonly country: string } | null
  }

/** A checkout's state, as far as the ticket reads and changes it. */
export type TicketState = Pick<
  CheckoutState,
  'phase' | 'errors' | 'change' | 'forget' | 'settle' | 'updating' | 'isUntaxed' | 'termsShown'
> & { readonly checkout: TicketCheckout }
