import type { Server } from './servers.ts'
import type { Shop } from './shop.ts'

/** What signs in during a run: people by address and by username, and a `Cookie` header for each open session. */
export type Accounts = {
  readonly emails: readonly string[]
  readonly usernames: readonly string[]
  readonly cookies: readonly string[]
  /** `Cookie` headers of other people, who have one session each. */
  readonly ofSingleSessions: readonly string[]
  /** What the first of them sells, in the cases about sales. */
  readonly shop?: Shop
}

export const password = 'correct horse battery staple'

/** More than one session, so that a server cannot answer from the memory of the last request alone. */
const people = 20
const sessionsEach = 5
const atOnce = 4

/** Signs people up and in, and checks that the first session is answered with its user. */
export async function openAccounts(server: Server, port: number): Promise<Accounts> {
  if (server.product === 'node' || server.product === 'hono') {
    return {
      emails: [],
      usernames: [],
      ofSingleSessions: [],
      cookies: [`better-auth.session_token=${'x'.repeat(32)}.${'x'.repeat(43)}%3D`],
    }
  }
  const emails = Array.from({ length: people }, (_, index) => `person-${index + 1}@bench.example`)
  const usernames = emails.map((_, index) => `person_${index + 1}`)
  const cookies = await inGroups(emails, async (email, index) => {
    const names = { name: `Person ${index + 1}`, username: usernames[index] ?? '' }
    return signIn(port, '/api/auth/sign-up/email', { email, password, ...names })
  })
  const others = emails.map((email) => `other-${email}`)
  const ofSingleSessions = await inGroups(others, (email) =>
    signIn(port, '/api/auth/sign-up/email', { email, password, name: 'Other' }),
  )
  const again = emails.flatMap((email) => Array<string>(sessionsEach - 1).fill(email))
  cookies.push(...(await inGroups(again, (email) => signIn(port, '/api/auth/sign-in/email', { email, password }))))

  const response = await fetch(`http://127.0.0.1:${port}/api/auth/get-session`, {
    headers: { cookie: cookies[0] ?? '' },
  })
  const text = await response.text()
  if (!text.includes(emails[0] ?? '')) throw new Error(`get-session answered ${response.status} ${text}`)
  if (server.cookieCache !== (cookies[0] ?? '').includes('session_data=')) {
    throw new Error(`The cookie cache should be ${server.cookieCache ? 'on' : 'off'}`)
  }
  return { emails, usernames, cookies, ofSingleSessions }
}

async function signIn(port: number, path: string, body: Record<string, string>): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: `http://localhost:${port}` },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path} answered ${response.status} ${await response.text()}`)
  await response.body?.cancel()
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ')
}

async function inGroups<In, Out>(
  values: readonly In[],
  work: (value: In, index: number) => Promise<Out>,
): Promise<Out[]> {
  const results: Out[] = []
  for (let at = 0; at < values.length; at += atOnce) {
    results.push(...(await Promise.all(values.slice(at, at + atOnce).map((value, index) => work(value, at + index)))))
  }
  return results
}
