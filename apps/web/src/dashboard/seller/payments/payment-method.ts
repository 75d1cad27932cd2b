import { cardBrandName } from '@tollgate/contract/billing'
import type { Payment } from '@tollgate/contract/billing-types'
import { paymentsWords as words } from './payments.texts.ts'

/** Names of what one pays with; others are shown as the processor calls them. */
const methods: Readonly<Record<string, string>> = words.methods
/** "Visa ending in 4242", or as much of it as is known. */
export const paymentMethodText = ({ method, methodMetadata }: Pick<Payment, 'method' | 'methodMetadata'>): string =>
  methodMetadata ? words.card(cardBrandName(methodMetadata.brand), methodMetadata.last4) : (methods[method] ?? method)
