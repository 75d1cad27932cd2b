import { headers } from 'next/headers'
import { getTollgate } from '../tollgate'

/**
 * The signed-in user, or null. A server component cannot set cookies, so it does not extend the session; the client
 * component's own read does.
 */
export async function readSession() {
  // First, because it makes the page dynamic, so that `next build` needs no database.
  const request = await headers()
  const { api } = await getTollgate()
  return api.getSession({ headers: new Headers(request), query: { disableRefresh: true } })
}
