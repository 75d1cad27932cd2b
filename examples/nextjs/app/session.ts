import { headers } from 'next/headers'
import { getTollgate } from '../tollgate'

/**
 * Who is signed in, or null. A server component cannot set cookies, so the session is not extended here: the client
 * component's own read does that.
 */
export async function readSession() {
  // Asked for first: that makes the page one that is drawn for each request, so `next build` needs no database.
  const request = await headers()
  const { api } = await getTollgate()
  return api.getSession({ headers: new Headers(request), query: { disableRefresh: true } })
}
