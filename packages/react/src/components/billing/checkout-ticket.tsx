import { comingCharges } from '@tollgate/contract/billing'
import { useState } from 'react'
import { Offer } from './checkout-offer.tsx'
import { FoldingTicket } from './checkout-parts.tsx'
import { Totals, useLaterText } from './checkout-totals.tsx'
import { usePriceTexts } from './price-text.ts'
import type { TicketCheckout, TicketState } from './ticket-parts.ts'

/** Controls of the ticket. Their errors must be seen, so they unfold it. */
const controls = ['productId', 'currency', 'amount', 'discountCode'] as const

/** The total, and how often it is due: "$19.00 / month"; below it, what follows a first payment that differs. */
function FoldedTotal({ checkout }: { checkout: TicketCheckout }) {
  const { money, each } = usePriceTexts()
  const later = useLaterText(checkout)
  const { totalAmount, amount, netAmount, currency, discount, product } = checkout
  const interval = product.recurringInterval
  const charges = interval && comingCharges({ interval, amount, netAmount, discount })
  const total = money(checkout.trialEnd ? 0 : totalAmount, currency)
  const repeats = !checkout.trialEnd && charges?.months === undefined && charges?.later === netAmount
  return (
    <>
      <span data-tg="ticket-total" suppressHydrationWarning>
        <strong>{total}</strong>
        {repeats ? <small>{each(total, interval).replace(total, '')}</small> : null}
      </span>
      {repeats || later === null ? null : (
        <small data-tg="ticket-later" suppressHydrationWarning>
          {later}
        </small>
      )}
    </>
  )
}

/**
 * The ticket: what is bought, and what it costs now and later. On a narrow screen it folds to one line with the total,
 * unless the buyer has something to choose in it. The currency is chosen by their country.
 */
export function Ticket({ state }: { state: TicketState }) {
  const { checkout, errors } = state
  const { product, organization } = checkout
  const [isOpen, setOpen] = useState(checkout.products.length > 1 || checkout.productPrice.amountType === 'custom')
  if (!isOpen && controls.some((control) => errors[control] !== undefined)) setOpen(true)
  return (
    <FoldingTicket
      seller={organization}
      name={product.name}
      total={<FoldedTotal checkout={checkout} />}
      isOpen={isOpen}
      onFold={setOpen}
    >
      <Offer state={state} />
      <Totals state={state} />
    </FoldingTicket>
  )
}
