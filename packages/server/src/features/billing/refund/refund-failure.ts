import { refundFailures } from '../payments/sandbox-cards.ts'

/** The seller cannot fix these: they concern the operator's account at the processor. */
const notNow = 'The processor cannot give this money back at the moment: ask whoever runs this server.'
const gone = 'The processor has given the money back before.'

/** Texts for the known codes of processors (docs.stripe.com/refunds#failed-refunds, /error-codes). */
const known: Readonly<Record<string, string>> = {
  ...refundFailures,
  lost_or_stolen_card: 'The card that it was to go back to was lost or stolen.',
  charge_for_pending_refund_disputed: refundFailures.charge_disputed,
  declined: 'The buyer’s bank has declined it.',
  merchant_request: 'It was called off at the processor.',
  canceled: 'It was called off at the processor.',
  charge_already_refunded: gone,
  charge_not_refundable: 'The processor gives nothing back of this payment.',
  resource_missing: refundFailures.no_such_payment,
  insufficient_funds: notNow,
  balance_insufficient: notNow,
  processor_unavailable: 'The processor of this payment is switched off here.',
}

/**
 * Why a refund failed, by the processor's code, for the seller and other readers. The processor's own message may name
 * the operator's keys, accounts and payments, so it only goes to the log.
 */
export const refundFailureText = (code: string): string =>
  (Object.hasOwn(known, code) ? known[code] : undefined) ?? 'The processor did not give the money back.'
