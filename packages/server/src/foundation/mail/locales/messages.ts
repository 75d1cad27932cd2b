/** The words of one mail. Placeholders in braces are filled by `renderMail`; a button needs a link. */
export interface MailWords {
  subject: string
  /** The preview line of mail programs. */
  preview: string
  heading: string
  body: readonly string[]
  button?: string
  /** The instruction above the code. */
  code?: string
  /** Paragraphs under the button. */
  after: readonly string[]
}

/** All mails in one language. */
export interface MailMessages {
  dir: 'ltr' | 'rtl'
  greeting: string
  /** Used for an account without a presentable name. */
  greetingWithoutName: string
  copyLink: string
  footer: string
  /** The lines of a receipt or a refund, and the notice above test payments. */
  ledger: {
    number: string
    invoice: string
    creditNote: string
    date: string
    /** The label of the buyer's name. */
    buyer: string
    discount: string
    tax: string
    /** A sentence for sales where the buyer owes the tax. */
    reverseCharge: string
    total: string
    refunded: string
    /** A disputed payment: its disputed amount, and the seller's deadline. */
    disputed: string
    answerUntil: string
    testMode: string
  }
  /** Why an endpoint was disabled, a sentence each. */
  webhookReasons: { gone: string; failing: string }
  /** For a deletion that includes organizations. */
  endingOrganizations: string
  'verify-email': MailWords
  'email-changed-verify': MailWords
  'reset-password': MailWords
  'change-email': MailWords
  'password-changed': MailWords
  'account-linked': MailWords
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
