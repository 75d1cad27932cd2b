/**
 * An address from the settings as it may be shown: without user, password and parameters. Where it cannot be told which
 * part is the password, only the kind of address is left.
 */
export function shownAddress(address: string): string {
  if (/^(sqlite|file):/.test(address) || !address.includes('@')) return address.replace(/\?.*/s, '')
  const url = URL.canParse(address) ? new URL(address) : undefined
  // An @ after the host means that the password holds a character which ended it too early.
  if (url?.host && !/@/.test(url.pathname + url.search + url.hash)) return `${url.protocol}//${url.host}${url.pathname}`
  return `${/^[a-z][a-z0-9+.-]*:/i.exec(address)?.[0] ?? ''}//…`
}
