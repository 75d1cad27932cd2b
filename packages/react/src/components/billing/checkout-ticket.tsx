import { useState } from 'react'
import { Avatar } from '../../elements/avatar.tsx'
import { useMessages } from '../../provider.tsx'
import { Offer } from './checkout-offer.tsx'
import { Totals } from './checkout-totals.tsx'
import { usePriceTexts } from './price-text.ts'
import type { CheckoutState } from './use-checkout.ts'

/** Controls of the ticket. Their errors must be seen, so they unfold it. */
const controls = ['productId', 'currency', 'amount', 'discountCode'] as const

/**
 * The ticket: what is bought, and what it costs now and later. On a narrow screen it folds to one line with the total,
 * unless the buyer has something to choose in it. The currency is chosen by their country.
 */
export function Ticket({ state }: { state: CheckoutState }) {
  const { checkout, errors } = state
  const { product, organization, totalAmount, currency } = checkout
  const texts = useMessages('checkout')
  const { money } = usePriceTexts()
  const [isOpen, setOpen] = useState(checkout.products.length > 1 || checkout.productPrice.amountType === 'custom')
  if (!isOpen && controls.some((control) => errors[control] !== undefined)) setOpen(true)
  return (
    <aside data-tg="ticket" data-open={isOpen || undefined} aria-labelledby="tg-product">
      <button
        type="button"
        data-tg="ticket-fold"
        aria-expanded={isOpen}
        aria-controls="tg-ticket"
        onClick={() => setOpen(!isOpen)}
      >
        <Avatar name={organization.name} image={organization.avatarUrl} />
        <span data-tg="ticket-name">
          {product.name}
          <small>{isOpen ? texts.detailsHide : texts.detailsShow}</small>
        </span>
        <strong suppressHydrationWarning>{money(totalAmount, currency)}</strong>
      </button>
      <div id="tg-ticket" data-tg="ticket-body">
        <Offer state={state} />
        <Totals state={state} />
      </div>
    </aside>
  )
}
