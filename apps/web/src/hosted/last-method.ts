/**
 * Remembers the last sign-in method for the mark "last used": one year, in the cookie that the server sets for forms
 * without JavaScript. It identifies no user.
 */
export function rememberMethod(method: string): void {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the newer way is asynchronous, and the page is about to be left
  document.cookie = `tollgate_last_method=${encodeURIComponent(method)}; Max-Age=31536000; Path=/; SameSite=Lax${secure}`
}
