import { cardBrandName } from '@tollgate/contract/billing'
import type { Payment } from '@tollgate/contract/billing-types'
import { paymentsWords as words } from './payments.texts.ts'

/** Names of what one pays with; others are shown as the processor calls them. */
const methods: Readonly<Record<string, string>> = words.methods

/** Why payments were declined, by the processor's code. */
const declines: Readonly<Record<string, string>> = words.declines

/** Why a payment was declined; null for one that was not. A code without a text has the processor's own, in English. */
export const declineText = ({
  status,
  declineReason: code,
  declineMessage,
}: Pick<Payment, 'status' | 'declineReason' | 'declineMessage'>): string | null =>
  status === 'failed' ? (declines[code ?? ''] ?? declineMessage ?? code) : null

/** "Visa ending in 4242", or as much of it as is known. */
export const paymentMethodText = ({ method, methodMetadata }: Pick<Payment, 'method' | 'methodMetadata'>): string =>
  methodMetadata ? words.card(cardBrandName(methodMetadata.brand), methodMetadata.last4) : (methods[method] ?? method)
