import type en from './en.json'

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

/** All mails in one language. English says which texts there are, and docs/translating.md what they are for. */
export type MailMessages = typeof en
