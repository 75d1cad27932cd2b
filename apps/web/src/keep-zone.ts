const year = 31_536_000

/** Keeps the browser's time zone in a cookie, so that the server draws the dashboard's dates in it. */
export function keepZone(): void {
  const zone = encodeURIComponent(Intl.DateTimeFormat().resolvedOptions().timeZone)
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API
  document.cookie = `tollgate_zone=${zone}; Max-Age=${year}; Path=/; SameSite=Lax`
}
