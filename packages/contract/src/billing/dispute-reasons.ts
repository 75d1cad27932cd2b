/** Reasons of disputes, by the processors' names. */
const reasons: Readonly<Record<string, string>> = {
  bank_cannot_process: 'The bank cannot process it',
  check_returned: 'A check was returned',
  credit_not_processed: 'A promised refund did not come',
  customer_initiated: 'The customer asked for it',
  debit_not_authorized: 'The debit was not authorized',
  duplicate: 'Paid twice',
  fraudulent: 'The holder says they did not pay it',
  general: 'No particular reason',
  incorrect_account_details: 'Wrong account details',
  insufficient_funds: 'Not enough money on the account',
  noncompliant: 'Against the rules of the card',
  product_not_received: 'Nothing was delivered',
  product_unacceptable: 'What was delivered was not as promised',
  subscription_canceled: 'The subscription was canceled before',
  unrecognized: 'The holder does not know the charge',
}

/** The reason in words; a reason unknown to this version keeps its processor's name. */
export const disputeReasonText = (reason: string): string =>
  (Object.hasOwn(reasons, reason) && reasons[reason]) || reason.replaceAll('_', ' ')
