import { type Findings, figure, spreadOf } from './measurements.ts'

/** What Tollgate has to reach; `wanted` and `measured` are in the same unit. */
export type Bar = {
  readonly title: string
  readonly limit: 'at least' | 'at most'
  readonly wanted: number
  readonly measured: number | undefined
  show(value: number): string
}

/** Nothing when it was not measured. */
export function isMet(bar: Bar): boolean | undefined {
  if (bar.measured === undefined) return undefined
  return bar.limit === 'at least' ? bar.measured >= bar.wanted : bar.measured <= bar.wanted
}

const times = (value: number) => `${value.toFixed(1)} ×`
const percent = (value: number) => `${(value * 100).toFixed(0)} %`
const megabytes = (value: number) => `${value.toFixed(0)} MB`

/** Calls on the general way: one that reads nothing, and those with a session or a token and one read. */
const generalBars = [
  { server: 'tollgate', run: 'ok', wanted: 0.4 },
  { server: 'tollgate', run: 'list-sessions', wanted: 0.25 },
  { server: 'tollgate', run: 'organization-list', wanted: 0.25 },
  { server: 'tollgate-shop', run: 'products', wanted: 0.25 },
  { server: 'tollgate-shop', run: 'order', wanted: 0.25 },
]

/** The bars, judged by the medians of all rounds. */
export function barsOf(findings: Findings): readonly Bar[] {
  const rate = (server: string, run: string) => figure(findings, server, run, (each) => each.result.perSecond)?.median
  const p99 = (run: string) => figure(findings, 'tollgate', run, (each) => each.result.p99)?.median
  const memory = spreadOf(findings.memory.filter((each) => each.server === 'tollgate').map((each) => each.now))
  const ratio = (a: number | undefined, b: number | undefined) => (a === undefined || !b ? undefined : a / b)

  return [
    {
      title: 'get-session without cookie cache, SQLite, against better-auth',
      limit: 'at least',
      wanted: 20,
      measured: ratio(rate('tollgate', 'get-session'), rate('better-auth', 'get-session')),
      show: times,
    },
    {
      title: 'get-session without cookie cache, SQLite, of bare `node:http`',
      limit: 'at least',
      wanted: 0.35,
      measured: ratio(rate('tollgate', 'get-session'), rate('bare', 'get-session')),
      show: percent,
    },
    {
      title: 'get-session with cookie cache, of bare `node:http`',
      limit: 'at least',
      wanted: 0.5,
      measured: ratio(rate('tollgate-cache', 'get-session-cached'), rate('bare', 'get-session-cached')),
      show: percent,
    },
    {
      title: 'get-session without cookie cache, PostgreSQL, against better-auth',
      limit: 'at least',
      wanted: 8,
      measured: ratio(rate('tollgate-postgres', 'get-session'), rate('better-auth-postgres', 'get-session')),
      show: times,
    },
    ...generalBars.map(({ server, run, wanted }) => ({
      title: `${run}, SQLite, of bare \`node:http\``,
      limit: 'at least' as const,
      wanted,
      measured: ratio(rate(server, run), rate('bare', 'get-session')),
      show: percent,
    })),
    {
      title: 'sign-in, of the bare hash',
      limit: 'at least',
      wanted: 0.9,
      measured: ratio(rate('tollgate', 'sign-in'), rate('hash', 'argon2id')),
      show: percent,
    },
    {
      title: 'get-session p99 during a sign-in storm, against idle',
      limit: 'at most',
      wanted: 5,
      measured: ratio(p99('storm'), p99('idle')),
      show: times,
    },
    {
      title: 'a page of list-users among 100,000 users, SQLite, p99',
      limit: 'at most',
      wanted: 20,
      measured: figure(findings, 'tollgate-crowd', 'admin-list-users', (each) => each.result.p99)?.median,
      show: (value) => `${value.toFixed(1)} ms`,
    },
    {
      title: 'has-permission, SQLite, against better-auth',
      limit: 'at least',
      wanted: 15,
      measured: ratio(
        rate('tollgate-organizations', 'has-permission'),
        rate('better-auth-organizations', 'has-permission'),
      ),
      show: times,
    },
    {
      title: 'an organization with its members, SQLite, against better-auth',
      limit: 'at least',
      wanted: 15,
      measured: ratio(
        rate('tollgate-organizations', 'full-organization'),
        rate('better-auth-organizations', 'full-organization'),
      ),
      show: times,
    },
    {
      title: 'a page of 1,000,000 orders, SQLite, p99',
      limit: 'at most',
      wanted: 20,
      measured: figure(findings, 'tollgate-shop-orders', 'list-orders', (each) => each.result.p99)?.median,
      show: (value) => `${value.toFixed(1)} ms`,
    },
    {
      title: 'discount codes looked up among 100,000, against among 10',
      limit: 'at least',
      wanted: 0.9,
      measured: ratio(rate('tollgate-shop-codes', 'discount-code'), rate('tollgate-shop', 'discount-code')),
      show: times,
    },
    {
      title: 'an invoice as PDF, SQLite, p50',
      limit: 'at most',
      wanted: 50,
      measured: figure(findings, 'tollgate-shop', 'document', (each) => each.result.p50)?.median,
      show: (value) => `${value.toFixed(1)} ms`,
    },
    {
      title: 'resident memory after the run',
      limit: 'at most',
      wanted: 150,
      measured: memory?.median,
      show: megabytes,
    },
  ]
}
