/** The words of one mail. Placeholders in braces are filled by `renderMail`; a button needs a link. */
export interface MailWords {
  subject: string
  /** The line that mail programs show after the subject. */
  preview: string
  heading: string
  body: readonly string[]
  button?: string
  /** What to do with the code, which stands below it. */
  code?: string
  /** Paragraphs under the button. */
  after: readonly string[]
}

/** All mails in one language. */
export interface MailMessages {
  dir: 'ltr' | 'rtl'
  greeting: string
  /** Used when the account has no name that can be shown. */
  greetingWithoutName: string
  copyLink: string
  footer: string
  /** The lines of a receipt or a refund, and what stands above them when no real money has moved. */
  ledger: {
    number: string
    invoice: string
    creditNote: string
    date: string
    discount: string
    tax: string
    /** Said in a sentence, where the buyer owes the tax. */
    reverseCharge: string
    total: string
    refunded: string
    /** Of a disputed payment: how much of it, and the day until which the seller may answer. */
    disputed: string
    answerUntil: string
    testMode: string
  }
  /** Why an endpoint was switched off: a sentence each. */
  webhookReasons: { gone: string; failing: string }
  /** Said of a deletion that takes organizations along. */
  endingOrganizations: string
  'verify-email': MailWords
  'email-changed-verify': MailWords
  'reset-password': MailWords
  'change-email': MailWords
  'password-changed': MailWords
  'email-changed': MailWords
  'existing-account': MailWords
  'delete-account': MailWords
  'magic-link': MailWords
  invitation: MailWords
  'join-request': MailWords
  'join-approved': MailWords
  'ownership-received': MailWords
  receipt: MailWords
  'webhook-disabled': MailWords
  refund: MailWords
  dispute: MailWords
  inquiry: MailWords
  'dispute-to-answer': MailWords
  'refund-failed': MailWords
}
