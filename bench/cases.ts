import { type Accounts, password } from './accounts.ts'
import { crowd } from './crowd.ts'
import { counter, type Stream } from './job.ts'
import { membersOfOne, organizationsOfOne } from './organizations.ts'
import { codeOf, confirmation, fewCodes, type Shop } from './shop.ts'

export type CaseName =
  | 'get-session'
  | 'get-session-cached'
  | 'get-session-writes'
  | 'latency'
  | 'sign-in'
  | 'sign-in-username'
  | 'sign-up'
  | 'admin-list-users'
  | 'token'
  | 'jwks'
  | 'has-permission'
  | 'full-organization'
  | 'list-organizations'
  | 'checkout'
  | 'discount-code'
  | 'refund'
  | 'list-orders'
  | 'document'
  | GeneralCase
  | 'hash'

/** Calls on the general way: no session, then a session or a token and one read. */
export type GeneralCase =
  | 'ok'
  | 'list-sessions'
  | 'organization-list'
  | 'update-user'
  | 'products'
  | 'order'
  | 'uncached-order'

/** Cases in which a password is hashed for each request: their ceiling is the hash alone. */
export const hashedCases: readonly string[] = ['sign-in', 'sign-in-username', 'sign-up'] satisfies CaseName[]

/** What is sent in each case; `hash` runs without a server and has no requests. */
export type Case = {
  readonly name: CaseName
  readonly title: string
  /** Each is run for the measured time, one after the other; within one the streams run together. */
  readonly runs: readonly { readonly name: string; streams(port: number, accounts: Accounts): Stream[] }[]
}

/** Connections that ask for sessions, and sign-ins or sign-ups at once. */
export const connections = 16
export const hashesAtOnce = 8
/** Rates of the open loops: enough samples for a p99, far from any server's limit. */
export const quietPerSecond = 200
export const writesPerSecond = 20
/** More than people click. */
export const looksPerSecond = 20

export const cases: readonly Case[] = [
  {
    name: 'get-session',
    title: 'Session without cookie cache',
    runs: [{ name: 'get-session', streams: (port, accounts) => [sessionStream(port, accounts)] }],
  },
  {
    name: 'get-session-cached',
    title: 'Session with cookie cache',
    runs: [{ name: 'get-session-cached', streams: (port, accounts) => [sessionStream(port, accounts)] }],
  },
  {
    name: 'get-session-writes',
    title: `Session without cookie cache while ${writesPerSecond} users a second change their name`,
    runs: [
      {
        name: 'get-session-writes',
        streams: (port, accounts) => [sessionStream(port, accounts), renameStream(port, accounts)],
      },
    ],
  },
  {
    name: 'latency',
    title: `Latency of get-session at ${quietPerSecond} requests a second`,
    runs: [
      { name: 'idle', streams: (port, accounts) => [quietStream(port, accounts)] },
      { name: 'storm', streams: (port, accounts) => [quietStream(port, accounts), signInStream(port, accounts)] },
    ],
  },
  {
    name: 'sign-in',
    title: 'Sign-in with the right password',
    runs: [{ name: 'sign-in', streams: (port, accounts) => [signInStream(port, accounts)] }],
  },
  {
    name: 'sign-in-username',
    title: 'Sign-in by username with the right password',
    runs: [{ name: 'sign-in-username', streams: (port, accounts) => [signInUsernameStream(port, accounts)] }],
  },
  {
    name: 'sign-up',
    title: 'Sign-up',
    runs: [{ name: 'sign-up', streams: (port) => [signUpStream(port)] }],
  },
  {
    name: 'admin-list-users',
    title: `An administrator looking through ${crowd.toLocaleString('en')} users, ${looksPerSecond} pages a second`,
    runs: [{ name: 'admin-list-users', streams: (port, accounts) => [userListStream(port, accounts)] }],
  },
  {
    name: 'token',
    title: 'A token for another service',
    runs: [{ name: 'token', streams: (port, accounts) => [tokenStream(port, accounts)] }],
  },
  {
    name: 'jwks',
    title: 'The keys that verify tokens',
    runs: [{ name: 'jwks', streams: (port) => [keysStream(port)] }],
  },
  {
    name: 'has-permission',
    title: 'Whether a member may do something in the active organization',
    runs: [{ name: 'has-permission', streams: (port, accounts) => [permissionStream(port, accounts)] }],
  },
  {
    name: 'full-organization',
    title: `An organization with its ${membersOfOne} members`,
    runs: [{ name: 'full-organization', streams: (port, accounts) => [fullOrganizationStream(port, accounts)] }],
  },
  {
    name: 'list-organizations',
    title: `The ${organizationsOfOne.toLocaleString('en')} organizations of one person (better-auth answers with a hundred of them)`,
    runs: [{ name: 'list-organizations', streams: (port, accounts) => [organizationsStream(port, accounts)] }],
  },
  // Before anything else is sold: the mails of sales have documents drawn, too.
  {
    name: 'document',
    title: 'An invoice drawn as PDF, one after the other',
    runs: [{ name: 'document', streams: (port, accounts) => [documentStream(port, shopOf(accounts))] }],
  },
  {
    name: 'checkout',
    title: 'A sale from beginning to end: checkout made, confirmed with a test card, paid, ordered',
    runs: [{ name: 'checkout', streams: (port, accounts) => [saleStream(port, shopOf(accounts))] }],
  },
  {
    name: 'discount-code',
    title: 'A discount code given to an open checkout, among few codes and among many',
    runs: [{ name: 'discount-code', streams: (port, accounts) => [codeStream(port, shopOf(accounts))] }],
  },
  {
    name: 'refund',
    title: 'A part of an order given back: reserved, done by the sandbox, settled, with its credit note',
    runs: [{ name: 'refund', streams: (port, accounts) => [refundStream(port, shopOf(accounts))] }],
  },
  {
    name: 'list-orders',
    title: `A seller looking through a great many orders, ${looksPerSecond} pages a second`,
    runs: [{ name: 'list-orders', streams: (port, accounts) => [orderListStream(port, shopOf(accounts))] }],
  },
  ...generalCases(),
  { name: 'hash', title: 'The password hash alone', runs: [] },
]

export function sessionStream(port: number, accounts: Accounts): Stream {
  const requests = accounts.cookies.map((cookie) => get(port, '/api/auth/get-session', cookie))
  return { connections, requests, atLeastBytes: 100 }
}

export function quietStream(port: number, accounts: Accounts): Stream {
  return { ...sessionStream(port, accounts), perSecond: quietPerSecond }
}

export function signInStream(port: number, accounts: Accounts): Stream {
  const requests = accounts.emails.map((email) => post(port, '/api/auth/sign-in/email', { email, password }))
  return { connections: hashesAtOnce, requests, atLeastBytes: 100 }
}

function signInUsernameStream(port: number, accounts: Accounts): Stream {
  const requests = accounts.usernames.map((username) =>
    post(port, '/api/auth/sign-in/username', { username, password }),
  )
  return { connections: hashesAtOnce, requests, atLeastBytes: 100 }
}

function signUpStream(port: number): Stream {
  const body = { name: `New ${counter}`, email: `new-${counter}@bench.example`, password }
  return { connections: hashesAtOnce, requests: [post(port, '/api/auth/sign-up/email', body)], atLeastBytes: 100 }
}

function renameStream(port: number, accounts: Accounts): Stream {
  const requests = accounts.cookies.map((cookie) =>
    post(port, '/api/auth/update-user', { name: `Name ${counter}` }, cookie),
  )
  return { connections: 4, perSecond: writesPerSecond, requests, atLeastBytes: 10 }
}

function tokenStream(port: number, accounts: Accounts): Stream {
  return {
    connections,
    requests: accounts.cookies.map((cookie) => get(port, '/api/auth/token', cookie)),
    atLeastBytes: 100,
  }
}

function keysStream(port: number): Stream {
  return { connections, requests: [get(port, '/api/auth/jwks', 'none=at-all')], atLeastBytes: 50 }
}

/** Every user asks: the owner, who has the permission, and members, who lack it. */
function permissionStream(port: number, accounts: Accounts): Stream {
  const asked = { permissions: { member: ['create'], invitation: ['cancel'] } }
  const requests = accounts.cookies.map((cookie) => post(port, '/api/auth/organization/has-permission', asked, cookie))
  return { connections, requests, atLeastBytes: 20 }
}

function fullOrganizationStream(port: number, accounts: Accounts): Stream {
  const requests = accounts.cookies.map((cookie) => get(port, '/api/auth/organization/get-full-organization', cookie))
  return { connections, requests, atLeastBytes: 100 * membersOfOne }
}

function organizationsStream(port: number, accounts: Accounts): Stream {
  const requests = [get(port, '/api/auth/organization/list', accounts.cookies[0] ?? '')]
  // better-auth answers with the first hundred of them and says nothing of the others.
  return { connections, requests, atLeastBytes: 10_000 }
}

function generalCases(): Case[] {
  const asPeople = (path: string) => (port: number, accounts: Accounts) =>
    accounts.cookies.map((cookie) => get(port, `/api/auth${path}`, cookie))
  const asShop = (path: (shop: Shop) => string) => (port: number, accounts: Accounts) => {
    const shop = shopOf(accounts)
    return [withToken(get(port, `/v1${path(shop)}`, 'none=at-all'), shop.token)]
  }
  const requests: Readonly<Record<GeneralCase, (port: number, accounts: Accounts) => string[]>> = {
    ok: asPeople('/ok'),
    'list-sessions': (port, { ofSingleSessions }) =>
      ofSingleSessions.map((cookie) => get(port, '/api/auth/list-sessions', cookie)),
    'organization-list': asPeople('/organization/list'),
    'update-user': (port, accounts) =>
      accounts.cookies.map((cookie) => post(port, '/api/auth/update-user', { name: `Name ${counter}` }, cookie)),
    products: asShop(() => '/products'),
    order: asShop(({ orders: [id] = [] }) => `/orders/${id}`),
    'uncached-order': (port, accounts) => {
      const { token, seededOrders = [] } = shopOf(accounts)
      return seededOrders.map((id) => withToken(get(port, `/v1/orders/${id}`, 'none=at-all'), token))
    },
  }
  const titles: Readonly<Record<GeneralCase, string>> = {
    ok: 'The general way alone: /ok',
    'list-sessions': 'The sessions of a user who has one',
    'organization-list': 'The organizations of a user who has none',
    'update-user': 'A changed name, durable before it is answered',
    products: 'The products of a shop, by an access token',
    order: 'An order, by an access token; asked for again, as no order has changed since',
    'uncached-order': 'Another order each time, by an access token',
  }
  return (Object.keys(requests) as GeneralCase[]).map((name) => ({
    name,
    title: titles[name],
    runs: [
      {
        name,
        streams: (port, accounts) => [{ connections, requests: requests[name](port, accounts), atLeastBytes: 2 }],
      },
    ],
  }))
}

/** First pages, pages deep inside, and searches; by the first of the people, who administers. */
function userListStream(port: number, accounts: Accounts): Stream {
  const pages = [
    'limit=50',
    'limit=50&sortBy=name',
    'limit=50&sortBy=email&sortDirection=desc',
    'limit=50&offset=50000',
    `limit=50&cursor=${cursorOf('createdAt', 'desc', '2025-02-01T00:00:00.000Z')}`,
    `limit=50&sortBy=name&cursor=${cursorOf('name', 'asc', 'Grace Hopper')}`,
    'limit=50&searchOperator=starts_with&searchValue=grace.hop',
    'limit=50&searchValue=lovelace',
    'limit=50&searchValue=.99999%40',
    'limit=50&searchField=name&searchValue=keller',
    'limit=50&filterField=emailVerified&filterValue=true',
    'limit=50&filterField=role&filterValue=admin',
  ]
  const requests = pages.map((query) => get(port, `/api/auth/admin/list-users?${query}`, accounts.cookies[0] ?? ''))
  return { connections: 4, perSecond: looksPerSecond, requests, atLeastBytes: 300 }
}

function shopOf({ shop }: Accounts): Shop {
  if (!shop) throw new Error('No shop is open')
  return shop
}

/** Each checkout has a buyer of its own; the answer to the second request has the whole checkout in it. */
function saleStream(port: number, { token, productId }: Shop): Stream {
  const made = { products: [productId], customer_email: `buyer-${counter}@bench.example` }
  const { customer_email: _, ...paid } = confirmation('')
  return {
    connections: hashesAtOnce,
    requests: [withToken(post(port, '/v1/checkouts', made), token)],
    followUp: post(port, '/v1/checkouts/client/{secret}/confirm', paid),
    atLeastBytes: 500,
  }
}

function codeStream(port: number, { checkouts }: Shop): Stream {
  const requests = checkouts.map((secret, index) =>
    post(port, `/v1/checkouts/client/${secret}`, { discount_code: codeOf(index % fewCodes) }).replace('POST', 'PATCH'),
  )
  return { connections: 4, requests, atLeastBytes: 500 }
}

/** As many orders as connections: refunds of one order wait for each other. */
function refundStream(port: number, { token, orders = [] }: Shop): Stream {
  const requests = orders.map((id) =>
    withToken(post(port, '/v1/refunds', { order_id: id, amount: 1, reason: 'other' }), token),
  )
  return { connections: hashesAtOnce, requests, atLeastBytes: 300 }
}

/** First pages by number and by cursor, pages deep inside, in several orders, and of one customer. */
function orderListStream(port: number, { token }: Shop): Stream {
  const first = 'limit=50&cursor='
  const cursor = (...position: (string | number)[]) =>
    Buffer.from(JSON.stringify([...position, '00000000-0000-4000-8000-000000500000'])).toString('base64url')
  const pages = [
    'limit=50',
    first,
    first + cursor('-created_at', '2025-06-01T00:00:00.000Z'),
    first + cursor('-created_at', '2024-02-01T00:00:00.000Z'),
    `sorting=created_at&${first}${cursor('created_at', '2024-12-01T00:00:00.000Z')}`,
    `sorting=-net_amount&${first}${cursor('-net_amount', 9000)}`,
    `status=refunded&${first}${cursor('-created_at', '2024-12-01T00:00:00.000Z')}`,
    'limit=50&customer_id=00000000-0000-4000-8000-000000000007',
  ]
  const requests = pages.map((query) => withToken(get(port, `/v1/orders?${query}`, 'none=at-all'), token))
  return { connections: 4, perSecond: looksPerSecond, requests, atLeastBytes: 300 }
}

/** By its link, which needs neither token nor cookie; one at a time, so that what is timed is drawing, not waiting. */
const documentStream = (port: number, { documentPath = '' }: Shop): Stream => ({
  connections: 1,
  requests: [get(port, documentPath, 'none=at-all')],
  atLeastBytes: 10_000,
})

const withToken = (request: string, token: string) =>
  request.replace('User-Agent:', `Authorization: Bearer ${token}\r\nUser-Agent:`)

/** As the server makes it: where the page before ended. */
const cursorOf = (...position: string[]) => Buffer.from(JSON.stringify([...position, 'crowd'])).toString('base64url')

function get(port: number, path: string, cookie: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: localhost:${port}\r\nAccept: application/json\r\nUser-Agent: tollgate-bench\r\nCookie: ${cookie}\r\n\r\n`
}

function post(port: number, path: string, body: object, cookie?: string): string {
  const json = JSON.stringify(body)
  const sent = [
    `POST ${path} HTTP/1.1`,
    `Host: localhost:${port}`,
    `Origin: http://localhost:${port}`,
    'User-Agent: tollgate-bench',
    ...(cookie ? [`Cookie: ${cookie}`] : []),
    'Content-Type: application/json',
    `Content-Length: ${json.length}`, // ASCII only, so characters are bytes
  ]
  return `${sent.join('\r\n')}\r\n\r\n${json}`
}
