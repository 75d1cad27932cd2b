import { execFile as execFileCallback } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { createBillingClient } from '@tollgate/client'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pageMakers } from '../packages/server/src/pages/page-makers.ts'
import { fixtures } from '../packages/server/src/pages/testing/fixtures.ts'
import { program } from '../testing/program.ts'
import { lookAround, lookOnce } from './browser/inspection.ts'
import { signIn } from './browser/people.ts'
import { answered } from './browser/seller.ts'
import { openSite, type Site } from './browser/site.ts'
import { desktop, openChromium, phone } from './browser/visitor.ts'
import { walk } from './browser/walk.ts'
import { isWholeMatrix } from './browser/whole-matrix.ts'

const execFile = promisify(execFileCallback)

/** What `tollgate seed` prints, as far as it is used here. */
type Seeded = {
  readonly users: readonly { readonly email: string; readonly password: string }[]
  readonly shop: { readonly slug: string; readonly token: string }
}

let folder: string
let seeded: Seeded
let site: Site
let browser: Browser

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'tollgate-addresses-'))
  const env = {
    PATH: process.env.PATH,
    TOLLGATE_MODE: 'development',
    SECRET: 'a secret of tests that is long enough to be one',
    DATABASE_URL: `sqlite:${path.join(folder, 'tollgate.db')}`,
  }
  const { stdout } = await execFile(process.execPath, [program, 'seed', '--json'], { cwd: folder, env })
  seeded = JSON.parse(stdout) as Seeded // the command's own output
  browser = await openChromium()
  site = await openSite({}, { env: { DATABASE_URL: env.DATABASE_URL } })
})

afterAll(async () => {
  await browser?.close()
  await site?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

/** Every address of the dashboard, as its router knows them. The dashboard's sources are checked with the settings of browsers. */
async function dashboardRoutes(): Promise<string[]> {
  const router = new URL('../apps/web/src/dashboard/router.tsx', import.meta.url).href
  const { createDashboardRouter } = (await import(router)) as {
    createDashboardRouter(context: object): { readonly routesByPath: object }
  } // what the module exports
  return Object.keys(createDashboardRouter({}).routesByPath)
}

/** A value for each parameter in the addresses of the dashboard, from the demo data. */
async function parameters(): Promise<Record<string, string>> {
  const { slug, token } = seeded.shop
  const billing = createBillingClient({ baseURL: site.origin, token })
  const first = async (list: Promise<{ items: readonly { id: string }[] }>) => (await list).items[0]?.id ?? ''
  const endpoint = await answered(
    billing.createWebhookEndpoint({ url: `${site.origin}/no-receiver`, events: ['order.paid'] }),
  )
  await answered(billing.testWebhookEndpoint({ id: endpoint.id }))
  const { organizationId, userId } = await peopleOf(slug)
  return {
    slug,
    organizationId,
    userId,
    endpointId: endpoint.id,
    productId: await first(answered(billing.listProducts())),
    customerId: await first(answered(billing.listCustomers())),
    orderId: await first(answered(billing.listOrders())),
    subscriptionId: await first(answered(billing.listSubscriptions())),
    paymentId: await first(answered(billing.listPayments())),
    discountId: await first(answered(billing.listDiscounts())),
    linkId: await first(answered(billing.listCheckoutLinks())),
    fieldId: await first(answered(billing.listCustomFields())),
    meterId: await first(answered(billing.listMeters())),
    deliveryId: await first(answered(billing.listWebhookDeliveries({ endpointId: [endpoint.id] }))),
  }
}

/** The ids of an organization and of its owner, as the owner's session has them. */
async function peopleOf(slug: string): Promise<{ organizationId: string; userId: string }> {
  const call = async <Answer>(name: string, cookie: string, body?: object): Promise<[Answer, string]> => {
    const answer = await fetch(`${site.origin}/api/auth/${name}`, {
      headers: { 'content-type': 'application/json', origin: site.origin, cookie },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    return [(await answer.json()) as Answer, answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''] // its own answer
  }
  const [{ user }, cookie] = await call<{ user: { id: string } }>('sign-in/email', '', owner())
  const [organizations] = await call<{ id: string; slug: string }[]>('organization/list', cookie)
  return { userId: user.id, organizationId: organizations.find((each) => each.slug === slug)?.id ?? '' }
}

/** The owner of the demo shop, who administers the server too. */
const owner = () => {
  const [{ email, password } = { email: '', password: '' }] = seeded.users
  return { name: email, email, password }
}

/** An address with a value in the place of each parameter; a parameter without a value is an error. */
function addressOf(route: string, values: Readonly<Record<string, string>>): string {
  return route.replaceAll(/\$(\w+)/g, (_, name: string) => {
    const value = values[name]
    if (!value) throw new Error(`${route}: the demo data has no ${name}`)
    return value
  })
}

test('every address of the dashboard is accessible, in place and quiet with the data of a year', {
  timeout: 600_000,
}, async () => {
  const values = await parameters()
  const addresses = (await dashboardRoutes()).map((route) => addressOf(route, values))
  const faults = await walk(
    browser,
    addresses,
    (page, address) => {
      if (isWholeMatrix) return lookAround(page, site.origin + address)
      return addresses.indexOf(address) % 2 === 0
        ? lookOnce(page, `${site.origin}${address}?lang=en`, { viewport: desktop })
        : lookOnce(page, `${site.origin}${address}?lang=de`, { viewport: phone, colorScheme: 'dark' })
    },
    (visitor) => signIn(visitor, site, owner()),
  )
  expect(addresses.length).toBeGreaterThan(30)
  expect(faults).toEqual([])
})

test('every hosted page has states that the walks through the pages look at', () => {
  const looked = Object.keys(fixtures)
  // A document is a file for the reader's own program.
  const pages = Object.keys(pageMakers).filter((route) => !route.includes('/documents/'))
  const unseen = pages.filter((route) => {
    const shape = new RegExp(`^${route.replaceAll(/:\w+/g, '[^/]+')}$`)
    return !looked.some((address) => shape.test(address))
  })
  expect(unseen).toEqual([])
})
