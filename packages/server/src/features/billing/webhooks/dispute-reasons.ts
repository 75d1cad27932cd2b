/** Reasons of disputes in chat messages, by the processors’ names. The dashboard has its own in each language. */
const reasons: Readonly<Record<string, string>> = {
  bank_cannot_process: 'The bank could not process the payment',
  check_returned: 'A check was returned',
  credit_not_processed: 'A promised refund was not received',
  customer_initiated: 'Started by the customer',
  debit_not_authorized: 'The debit was not authorized',
  duplicate: 'Charged twice',
  fraudulent: 'The cardholder says they did not make this payment',
  general: 'No specific reason',
  incorrect_account_details: 'Wrong account details',
  insufficient_funds: 'Insufficient funds',
  noncompliant: 'Against the card network’s rules',
  product_not_received: 'Product not received',
  product_unacceptable: 'Product not as described',
  subscription_canceled: 'The subscription was already canceled',
  unrecognized: 'The cardholder does not recognize the charge',
}

/** The reason in words; a reason unknown to this version keeps its processor's name. */
export const disputeReasonText = (reason: string): string =>
  (Object.hasOwn(reasons, reason) && reasons[reason]) || reason.replaceAll('_', ' ')
