// Everything a header or an address must never contain: controls, format and direction characters, line separators.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const forbiddenCharacters = /[\u0000-\u001f\u007f-\u009f]|\p{Cf}|\p{Zl}|\p{Zp}/u

// Deliberately narrower than RFC 5322: no quoted local parts, comments, groups, routes or lists. Sign-up needs none of
// them, and elsewhere they have made one address field reach two mailboxes.
const singleAddress = /^[^\s"(),:;<>@[\\\]]{1,64}@[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}.-]*[\p{L}\p{M}\p{N}])?$/u

/** Whether a text may be part of a mail header. */
export const isHeaderText = (text: string): boolean => !forbiddenCharacters.test(text)

/** Whether a text is exactly one mailbox. */
export const isSingleAddress = (address: string): boolean =>
  address.length <= 254 && isHeaderText(address) && singleAddress.test(address)

/** The mailbox of an address: the same for every spelling, with or without a `+tag`. */
export function mailboxOf(address: string): string {
  const text = address.trim().normalize('NFKC').toLowerCase()
  const at = text.lastIndexOf('@')
  return text.slice(0, at).replace(/\+.*$/s, '') + text.slice(at)
}

/**
 * Undeliverable domains (RFC 2606): the first is for accounts whose provider gives no address, the second for the
 * demo's customers.
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
