import path from 'node:path'
import type { CaseName } from './cases.ts'
import type { Program } from './programs.ts'
import { fewCodes, manyCodes } from './shop.ts'

/** A server that is measured: what it is, where its data lies, and which cases it takes. */
export type Server = {
  readonly name: string
  readonly product: 'node' | 'hono' | 'better-auth' | 'tollgate'
  readonly database: 'none' | 'sqlite' | 'postgres'
  readonly cookieCache: boolean
  readonly cases: readonly CaseName[]
  /** What tells it from another one of the same product, in the tables. */
  readonly note?: string
}

const everything = ['get-session', 'get-session-writes', 'latency', 'sign-in', 'sign-in-username', 'sign-up'] as const
/** The general way, beside bare `node:http`. */
const general = ['ok', 'list-sessions', 'organization-list', 'update-user'] as const
const constant = ['get-session', 'get-session-cached'] as const
/** Measured apart: the other cases are about few people. */
const amongMany = ['admin-list-users'] as const
/** With tokens on, which get-session carries too. */
const withTokens = ['get-session', 'token', 'jwks'] as const
/** Measured apart: people who belong to organizations. */
const withOrganizations = ['has-permission', 'full-organization', 'list-organizations'] as const
/** Measured apart: something that is sold. */
const sales = ['checkout', 'discount-code', 'refund'] as const
const onPostgres = ['get-session', 'sign-in', 'sign-in-username', 'sign-up'] as const

/** In the order of one round. */
export const servers: readonly Server[] = [
  { name: 'bare', product: 'node', database: 'none', cookieCache: false, cases: constant },
  { name: 'hono', product: 'hono', database: 'none', cookieCache: false, cases: constant },
  { name: 'better-auth', product: 'better-auth', database: 'sqlite', cookieCache: false, cases: everything },
  {
    name: 'tollgate',
    product: 'tollgate',
    database: 'sqlite',
    cookieCache: false,
    cases: [...everything, ...general],
  },
  {
    name: 'better-auth-cache',
    product: 'better-auth',
    database: 'sqlite',
    cookieCache: true,
    cases: ['get-session-cached'],
  },
  { name: 'tollgate-cache', product: 'tollgate', database: 'sqlite', cookieCache: true, cases: ['get-session-cached'] },
  { name: 'better-auth-postgres', product: 'better-auth', database: 'postgres', cookieCache: false, cases: onPostgres },
  { name: 'tollgate-postgres', product: 'tollgate', database: 'postgres', cookieCache: false, cases: onPostgres },
  { name: 'tollgate-tokens', product: 'tollgate', database: 'sqlite', cookieCache: false, cases: withTokens },
  { name: 'tollgate-crowd', product: 'tollgate', database: 'sqlite', cookieCache: false, cases: amongMany },
  { name: 'tollgate-crowd-postgres', product: 'tollgate', database: 'postgres', cookieCache: false, cases: amongMany },
  {
    name: 'better-auth-organizations',
    product: 'better-auth',
    database: 'sqlite',
    cookieCache: false,
    cases: withOrganizations,
  },
  {
    name: 'tollgate-organizations',
    product: 'tollgate',
    database: 'sqlite',
    cookieCache: false,
    cases: withOrganizations,
  },
  {
    name: 'better-auth-organizations-postgres',
    product: 'better-auth',
    database: 'postgres',
    cookieCache: false,
    cases: withOrganizations,
  },
  {
    name: 'tollgate-organizations-postgres',
    product: 'tollgate',
    database: 'postgres',
    cookieCache: false,
    cases: withOrganizations,
  },
  {
    name: 'tollgate-shop',
    product: 'tollgate',
    database: 'sqlite',
    cookieCache: false,
    cases: ['document', ...sales, 'products', 'order'],
    note: `${fewCodes} codes`,
  },
  {
    name: 'tollgate-shop-codes',
    product: 'tollgate',
    database: 'sqlite',
    cookieCache: false,
    cases: ['discount-code'],
    note: `${manyCodes.toLocaleString('en')} codes`,
  },
  {
    name: 'tollgate-shop-orders',
    product: 'tollgate',
    database: 'sqlite',
    cookieCache: false,
    cases: ['list-orders', 'uncached-order'],
  },
  { name: 'tollgate-shop-postgres', product: 'tollgate', database: 'postgres', cookieCache: false, cases: sales },
]

/** Whether what is measured is sold there. */
export const sells = (name: string): boolean => name.startsWith('tollgate-shop')

const secret = 'only-for-the-bench-0123456789abcdef'
const here = (...parts: string[]) => path.join(import.meta.dirname, ...parts)

/** The command that starts a server on an empty database. */
export function programOf(server: Server, databaseUrl: string): Program {
  const shared = { SECRET: secret, DATABASE_URL: databaseUrl }
  switch (server.product) {
    case 'node':
      return { args: [here('servers', 'bare.ts')], env: {} }
    case 'hono':
      return { args: [here('servers', 'hono.ts')], env: {} }
    case 'better-auth':
      return {
        args: [here('servers', 'better-auth.ts')],
        env: { ...shared, COOKIE_CACHE: server.cookieCache ? 'on' : 'off' },
      }
    case 'tollgate':
      return {
        // As it is shipped, not as it lies in the repository (scripts/pack.mjs).
        args: [here('..', 'release', 'tollgate', 'bin', 'tollgate.js'), 'start'],
        env: {
          ...shared,
          TOLLGATE_MODE: 'production',
          HOST: '127.0.0.1',
          TOLLGATE_CONFIG: here('servers', configOf(server)),
        },
      }
  }
}

function configOf({ name, cookieCache, cases }: Server): string {
  if (sells(name)) return 'tollgate-shop.config.ts'
  if (cookieCache) return 'tollgate-cookie-cache.config.ts'
  return cases.includes('token') ? 'tollgate-tokens.config.ts' : 'tollgate.config.ts'
}
