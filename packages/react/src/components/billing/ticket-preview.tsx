import { Button } from '../../elements/button.tsx'
import { Ticket } from './checkout-ticket.tsx'
import { usePayLabel } from './pay-label.ts'
import { staticPriceOf } from './price-text.ts'
import type { TicketCheckout, TicketProduct, TicketState } from './ticket-parts.ts'

export type TicketPreviewProps = {
  product: TicketProduct
  seller: TicketCheckout['organization']
  currency: string
  /** Whether no sale of this server bears tax. */
  isUntaxed?: boolean
}

/** The ticket and the button of a new checkout of a product, to look at: nothing in it can be pressed. */
export function TicketPreview({ product, seller, currency, isUntaxed = false }: TicketPreviewProps) {
  const price = staticPriceOf(product)
  const amount = beginningAmountOf(price)
  const checkout: TicketCheckout = {
    product,
    products: [product],
    productId: product.id,
    productPrice: price ?? product.prices[0] ?? { amountType: 'free' },
    organization: seller,
    amount,
    discountAmount: 0,
    netAmount: amount,
    taxAmount: null,
    totalAmount: amount,
    tax: null,
    currency,
    discount: null,
    seats: null,
    allowDiscountCodes: true,
    isDiscountApplicable: price?.amountType !== 'free',
    customerBillingAddress: null,
  }
  const label = usePayLabel({
    ...checkout,
    isPaymentRequired: amount > 0,
    isPaymentSetupRequired: price?.amountType !== 'free',
  })
  return (
    <div data-tg="ticket-preview" inert>
      {/* The field of an amount takes another one only when it is drawn anew. */}
      <Ticket state={{ ...still, checkout, isUntaxed, termsShown: amount }} />
      <Button look="primary" wide>
        {label}
      </Button>
    </div>
  )
}

const still: Omit<TicketState, 'checkout' | 'isUntaxed' | 'termsShown'> = {
  phase: 'open',
  errors: {},
  updating: false,
  change: () => {},
  forget: () => {},
  settle: async () => {},
}

/** What a checkout begins with: of a price that buyers choose the suggestion, else ten (billing contract, CHK-2). */
function beginningAmountOf(price: TicketCheckout['productPrice'] | undefined): number {
  if (price?.amountType === 'fixed') return price.priceAmount
  return price?.amountType === 'custom' ? (price.presetAmount ?? 1000) : 0
}
