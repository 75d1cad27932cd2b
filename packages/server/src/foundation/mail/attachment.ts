/** A file attached to a mail. */
export type MailAttachment = {
  /** Letters, digits, `.`, `_` and `-`. */
  readonly name: string
  readonly type: string
  readonly content: Buffer<ArrayBuffer>
}
