// Everything a header or an address must never contain: controls, format and direction characters, line separators.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const forbiddenCharacters = /[\u0000-\u001f\u007f-\u009f]|\p{Cf}|\p{Zl}|\p{Zp}/u

// Deliberately narrower than RFC 5322: no quoted local parts, comments, groups, routes or lists. Those forms have no use
// in sign-up and are how one address field has been made to reach two mailboxes elsewhere.
const singleAddress = /^[^\s"(),:;<>@[\\\]]{1,64}@[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}.-]*[\p{L}\p{M}\p{N}])?$/u

/** Whether a text may stand in a header of a mail. */
export const isHeaderText = (text: string): boolean => !forbiddenCharacters.test(text)

/** Whether a text is exactly one mailbox. */
export const isSingleAddress = (address: string): boolean =>
  address.length <= 254 && isHeaderText(address) && singleAddress.test(address)

/**
 * Names that no server delivers to (RFC 2606): accounts whose provider gives no address get one under the first, the demo's
 * customers have theirs under the second.
 */
const undelivered = ['.invalid', '@customers.example']

export const canReceiveMail = (address: string): boolean =>
  !undelivered.some((ending) => address.toLowerCase().endsWith(ending))

/** The sender of mails, with or without a name: `no-reply@acme.example`, `Acme <no-reply@acme.example>`. */
export function readSender(from: string): { readonly name: string; readonly address: string } | undefined {
  const [, name = '', given = from] = /^\s*"?([^"<>]*?)"?\s*<([^<>]+)>\s*$/.exec(from) ?? []
  const address = given.trim()
  return isHeaderText(name) && isSingleAddress(address) && canReceiveMail(address) ? { name, address } : undefined
}
