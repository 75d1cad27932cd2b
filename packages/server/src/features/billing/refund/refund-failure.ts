import { refundFailures } from '../payments/sandbox-cards.ts'

/** The seller cannot fix these: they concern the operator's account at the processor. */
const notNow = 'The processor cannot refund this payment at the moment. Contact the operator of this server.'
const gone = 'The processor has already refunded this payment.'

/** Texts for the known codes of processors (docs.stripe.com/refunds#failed-refunds, /error-codes). */
const known: Readonly<Record<string, string>> = {
  ...refundFailures,
  lost_or_stolen_card: 'The card was reported lost or stolen.',
  charge_for_pending_refund_disputed: refundFailures.charge_disputed,
  declined: 'The buyer’s bank declined the refund.',
  merchant_request: 'The refund was canceled at the processor.',
  canceled: 'The refund was canceled at the processor.',
  charge_already_refunded: gone,
  charge_not_refundable: 'The processor cannot refund this payment.',
  resource_missing: refundFailures.no_such_payment,
  insufficient_funds: notNow,
  balance_insufficient: notNow,
  not_sent: 'Another part of the same refund was refused first, so this part was not sent.',
  processor_unavailable: 'The payment processor is disabled on this server.',
}

/**
 * Why a refund failed, by the processor's code, for the seller and other readers. The processor's own message may name
 * the operator's keys, accounts and payments, so it only goes to the log.
 */
export const refundFailureText = (code: string): string =>
  (Object.hasOwn(known, code) ? known[code] : undefined) ?? 'The processor did not refund the payment.'
