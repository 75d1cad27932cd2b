import type { CheckoutPublic } from '@tollgate/contract/billing-types'
import { useMessages, useText } from '../../provider.tsx'
import { usePriceTexts } from './price-text.ts'
import type { TicketCheckout } from './ticket-parts.ts'
import type { CheckoutTrial } from './trial-text.ts'

/** The label of the button that pays. */
export function usePayLabel({
  isPaymentRequired,
  isPaymentSetupRequired,
  totalAmount,
  currency,
  product,
  trialEnd,
}: Pick<CheckoutPublic, 'isPaymentRequired' | 'isPaymentSetupRequired'> &
  Pick<TicketCheckout, 'totalAmount' | 'currency' | 'product'> &
  CheckoutTrial): string {
  const texts = useMessages('checkout')
  const t = useText()
  const { money } = usePriceTexts()
  const amount = money(totalAmount, currency)
  if (trialEnd) return texts.startTrial
  if (product.recurringInterval === null) return isPaymentRequired ? t(texts.pay, { amount }) : texts.getFree
  if (isPaymentRequired) return t(texts.subscribePay, { amount })
  return isPaymentSetupRequired ? texts.subscribe : texts.getFree
}
