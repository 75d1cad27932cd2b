/**
 * A configured address without user, password and parameters, safe to print. If the password's position is unclear,
 * only the scheme remains.
 */
export function shownAddress(address: string): string {
  if (/^(sqlite|file):/.test(address) || !address.includes('@')) return address.replace(/\?.*/s, '')
  const url = URL.canParse(address) ? new URL(address) : undefined
  // An @ after the host: a character in the password ended it too early.
  if (url?.host && !/@/.test(url.pathname + url.search + url.hash)) return `${url.protocol}//${url.host}${url.pathname}`
  return `${/^[a-z][a-z0-9+.-]*:/i.exec(address)?.[0] ?? ''}//…`
}
