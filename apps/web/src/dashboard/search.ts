/** Dashboard addresses: query parameters are plain text, for people to read and share. */

type Search = Readonly<Record<string, string>>

export function parseSearch(text: string): Search {
  return Object.fromEntries(new URLSearchParams(text))
}

/** Undefined members are left out, so that the default list has the plain address. */
export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}

/** A text from the address, if it is valid and within the server's limit. */
export function textIn(value: unknown, limit = 200): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.slice(0, limit) : undefined
}
