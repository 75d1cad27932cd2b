import type { MailMessages } from './locales/messages.ts'

interface MailWithLink {
  name: string
  url: string
  expiresInMinutes: number
}

/** The data of each mail. Every `url` must be below the base URL. */
export interface MailData {
  /** To the address given at sign-up. */
  'verify-email': MailWithLink
  /** To the new address, after a change. */
  'email-changed-verify': MailWithLink
  'reset-password': MailWithLink
  /** To the old address: approve the change to `newEmail`. */
  'change-email': MailWithLink & { newEmail: string }
  /** A notice after the fact; its button leads to /forgot-password. */
  'password-changed': { name: string }
  /** A notice after the fact; its button leads to /account/connections. */
  'account-linked': { name: string; providerName: string }
  /** A notice to the old address, after the fact. */
  'email-changed': { name: string; newEmail: string }
  /** To the owner of an address that a visitor tried to sign up with: /sign-in, /forgot-password. */
  'existing-account': { name: string }
  /** Names the organizations deleted along with the account, as of the request. */
  'delete-account': MailWithLink & { endingOrganizations?: readonly string[] }
  /** Signs in: by the link, or by the code on the page that requested it. */
  'magic-link': MailWithLink & { code: string }
  /** To a person invited into an organization; `inviterEmail` is null if unverified. */
  invitation: MailWithLink & {
    organizationName: string
    inviterName: string
    inviterEmail: string | null
    role: string
  }
  /** To members who may answer a request to join their organization. */
  'join-request': { name: string; organizationName: string; requesterName: string; requesterEmail: string; url: string }
  /** To the user who requested to join. */
  'join-approved': { name: string; organizationName: string; url: string }
  /** To the new owner of an organization. */
  'ownership-received': { name: string; organizationName: string; previousOwnerName: string; url: string }
  /** To members who can fix a disabled webhook endpoint. */
  'webhook-disabled': {
    name: string
    organizationName: string
    url: string
    /** Its name, and only the host of its address, because some addresses hold a secret. */
    endpointName: string | null
    endpointHost: string
    reason: 'gone' | 'failing'
    /** When deliveries began to fail: ISO 8601. */
    failingSince: string
  }
  /** To the buyer, when an order is paid or free. */
  receipt: MailWithLedger & { url: string }
  /** To the refunded buyer, when the money is on its way. */
  refund: MailWithRefund
  /** To members who may refund: a buyer disputes a payment. */
  dispute: MailOfDispute
  /** To the same: a buyer's bank inquires about a payment, and takes it back without an answer. */
  inquiry: MailOfDispute
  /** For both, to the administrators of the installation, who must answer. */
  'dispute-to-answer': MailOfDispute
  /** To the administrators of the installation: a processor moved money unlike any request. */
  'money-to-check': MailOfAttention
  /** To the buyer of a failed refund, whose money is back at the seller. */
  'refund-failed': MailWithRefund
  /** To the subscriber, after each attempt to charge a renewal that failed; its button leads to the pay link. */
  'payment-failed': MailOfRenewal & {
    url: string
    declined: keyof MailMessages['paymentReasons']
    /** What follows if the subscriber does nothing, and when: ISO 8601. */
    next: { step: keyof MailMessages['paymentSteps']; on: string }
  }
  /** To the subscriber who is billed by invoice: the invoice is attached, and the button leads to the pay link. */
  'invoice-issued': MailOfInvoice
  /** To the same, some days before an invoice is due and on that day. */
  'invoice-due': MailOfInvoice
  /** To the same: an invoice is overdue. */
  'invoice-overdue': MailOfInvoice & {
    /** What follows if the subscriber does nothing, and when: ISO 8601; null where nothing follows. */
    overdue: { step: keyof MailMessages['overdueSteps']; on: string | null }
  }
  /** To the subscriber, some days before their trial ends; its button leads to the page of their purchase. */
  'trial-ending': MailOfRenewal & {
    url: string
    /** ISO 8601. */
    endsOn: string
    /** What follows at the end. */
    renewalStep: keyof MailMessages['renewalSteps']
  }
  /** To the subscriber whose trial has ended and who has no saved card; its button leads to the pay link. */
  'trial-ended': MailOfRenewal & { url: string; endsOn: string }
  /** To the subscriber: their subscription has ended unpaid. */
  'subscription-ended': MailOfRenewal
  /** To the subscriber: what was unpaid is paid, and the subscription goes on. */
  'subscription-recovered': MailOfSubscription
  /** To the subscriber: nothing is billed until it resumes, on a day (ISO 8601) or when the seller says so. */
  'subscription-paused': MailOfSubscription & { resumesOn: string | null }
  /** To the subscriber: a new period has begun. */
  'subscription-resumed': MailOfSubscription & { paidBy: keyof MailMessages['resumedSteps'] }
  /** To the subscriber, days before a renewal: what is charged then, and when (ISO 8601). */
  'renewal-reminder': MailOfRenewal & { renewsOn: string; renewalStep: keyof MailMessages['renewalSteps'] }
  /** To the subscriber: what a period costs now and from a renewal on (ISO 8601), without discounts and tax. */
  'price-change': MailOfRenewal & { renewsOn: string; beforeAmount: number }
  /** To the subscriber: the change of price that they have a notice of is canceled. */
  'price-kept': MailOfSubscription
  /** To the subscriber: the card that pays expires soon, or has expired. */
  'card-expiring': MailOfCard
  'card-expired': MailOfCard
}

interface MailOfSubscription {
  name: string
  organizationName: string
  productName: string
  isTest: boolean
}

interface MailOfCard extends MailOfSubscription {
  /** Where another card is saved. */
  url: string
  /** The last digits of the card. */
  lastFour: string
  /** The last day on which it pays: ISO 8601. */
  validUntil: string
}

interface MailOfRenewal extends MailOfSubscription {
  currency: string
  /** What is due, or was. */
  totalAmount: number
}

interface MailOfInvoice extends MailOfRenewal {
  url: string
  documentNumber: string
  /** ISO 8601. */
  dueOn: string
}

interface MailWithLedger {
  name: string
  organizationName: string
  /** The number of the invoice, the receipt or the credit note. */
  documentNumber: string
  /** For receipts: the kind of the attached document that has the number. */
  documentKind?: 'invoice' | 'receipt'
  /** ISO 8601. */
  paidOn: string
  currency: string
  /** All amounts are whole minor units. */
  items: readonly { label: string; amount: number }[]
  discountAmount: number
  taxAmount: number
  /** The taxes that sum to it; empty without a tax provider, and in orders from before there were any. */
  taxes?: readonly { name: string; percent: string; amount: number }[]
  /** Whether the buyer owes the tax. */
  isReverseCharge?: boolean
  totalAmount: number
  /** Whether it is a test without real money. */
  isTest: boolean
}

interface MailOfDispute {
  name: string
  organizationName: string
  url: string
  /** The invoice's number. */
  documentNumber: string
  currency: string
  totalAmount: number
  /** ISO 8601. */
  answerUntil: string | null
  isTest: boolean
}

interface MailOfAttention {
  name: string
  kind: keyof MailMessages['attentionReasons']
  organizationName: string
  processor: 'sandbox' | 'stripe' | 'manual'
  /** The processor's id of the payment or refund. */
  reference: string
  currency: string
  /** What moved. */
  totalAmount: number
  /** What was requested; null for an unknown payment. */
  expected: { amount: number; currency: string } | null
  url: string
  isTest: boolean
}

interface MailWithRefund extends MailWithLedger {
  /** The order's total, tax included. */
  paidAmount: number
}

/** The placeholders of all mails. */
export type AnyMailData = Partial<
  MailData['change-email'] &
    MailData['delete-account'] &
    MailData['magic-link'] &
    MailData['account-linked'] &
    MailData['invitation'] &
    MailData['join-request'] &
    MailData['ownership-received'] &
    MailData['receipt'] &
    MailData['refund'] &
    MailData['webhook-disabled'] &
    MailData['dispute'] &
    MailData['payment-failed'] &
    MailData['invoice-overdue'] &
    MailData['trial-ending'] &
    MailData['subscription-paused'] &
    MailData['subscription-resumed'] &
    MailData['renewal-reminder'] &
    MailData['price-change'] &
    MailData['card-expiring'] &
    MailData['money-to-check']
>

export type MailTemplate = keyof MailData
