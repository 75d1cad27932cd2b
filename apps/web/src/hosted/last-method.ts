/**
 * Keeps what somebody has signed in with, for the mark "last used": a year, in the cookie that the server writes for
 * forms without JavaScript. It says nothing about anybody.
 */
export function rememberMethod(method: string): void {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the newer way is asynchronous, and the page is about to be left
  document.cookie = `tollgate_last_method=${encodeURIComponent(method)}; Max-Age=31536000; Path=/; SameSite=Lax${secure}`
}
