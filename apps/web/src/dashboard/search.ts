/** Addresses of the dashboard: what stands behind the question mark is plain text, as people read and share it. */

type Search = Readonly<Record<string, string>>

export function parseSearch(text: string): Search {
  return Object.fromEntries(new URLSearchParams(text))
}

/** Members without a value are left out, so that the plain list has the plain address. */
export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}

/** A text of the address, where it is one and not longer than the server reads. */
export function textIn(value: unknown, limit = 200): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.slice(0, limit) : undefined
}
