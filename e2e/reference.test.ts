import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { polarMethods } from '../packages/server/src/pages/reference/polar-methods.ts'
import { ada, signIn } from './browser/people.ts'
import { openSite, type Site } from './browser/site.ts'
import { openChromium, openVisitor, phone, type Visitor } from './browser/visitor.ts'
import { Polar } from './compat/polar-0.32/client.ts'

let site: Site
let browser: Browser

beforeAll(async () => {
  ;[site, browser] = await Promise.all([openSite(), openChromium()])
})

afterAll(async () => {
  await browser.close()
  await site[Symbol.asyncDispose]()
})

async function openReference(path = '', expected?: RegExp): Promise<{ visitor: Visitor; page: Page }> {
  const visitor = await openVisitor(browser, { ...(expected && { expected }) })
  await visitor.page.goto(`${site.origin}/docs${path}`)
  return { visitor, page: visitor.page }
}

test('a reader finds a call by its name or its path, and opens it with Enter', async () => {
  const { visitor, page } = await openReference()
  await using _ = visitor

  await page.keyboard.press('/')
  await page.keyboard.type('post refunds')
  await page.getByRole('status').getByText('1 page').waitFor()
  expect(await page.getByRole('navigation').getByRole('link', { name: 'createRefund' }).isVisible()).toBe(true)
  expect(await page.getByRole('navigation').getByRole('link', { name: 'Webhooks' }).isVisible()).toBe(false)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'createRefund' }).waitFor()
  expect(visitor.takeFaults()).toEqual([])
})

test('an address of the page that had all calls leads to the call', async () => {
  const { visitor, page } = await openReference('#createRefund')
  await using _ = visitor

  await page.waitForURL('**/docs/createRefund')
  expect(visitor.takeFaults()).toEqual([])
})

test('the language of samples stays chosen, and a token stands in them in this tab alone', async () => {
  const { visitor, page } = await openReference('/createProduct')
  await using _ = visitor

  await page.getByRole('radio', { name: 'Polar SDK' }).check()
  await page.getByText('Send this call').click()
  await page.getByLabel('Access token').fill('tollgate_oat_mine')
  await page.goto(`${site.origin}/docs/listProducts`)
  const sample = page.getByLabel('Request with Polar SDK')
  await sample.waitFor()
  expect(await sample.innerText()).toContain('tollgate_oat_mine')
  expect(await page.getByLabel('Request with curl').isVisible()).toBe(false)

  const other = await visitor.context.newPage()
  await other.goto(`${site.origin}/docs/listProducts`)
  expect(await other.getByLabel('Request with Polar SDK').innerText()).toContain('$TOLLGATE_TOKEN')
  expect(visitor.takeFaults()).toEqual([])
})

test('a call is sent from its page with the reader’s session, and its answer is shown', async () => {
  await site.account(ada)
  await site.confirm(ada.email)
  const { visitor, page } = await openReference('/getSession')
  await using _ = visitor
  await signIn(visitor, site, ada)
  await page.reload()

  await page.getByText(`Signed in as ${ada.email}`).waitFor()
  await page.getByText('Send this call').click()
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  // The page shows an example of an answer, too.
  const answer = page.getByRole('status', { name: 'Answer of getSession to your request' })
  await answer.getByText(`"email": "${ada.email}"`).waitFor()
  expect(visitor.takeFaults()).toEqual([])
})

test('on a telephone and without JavaScript the tree of pages opens and leads on', async () => {
  await using visitor = await openVisitor(browser, { viewport: phone, javaScriptEnabled: false, expected: /csp/ })
  const { page } = visitor
  await page.goto(`${site.origin}/docs/createProduct`)

  await page.getByRole('link', { name: 'Authentication', exact: true }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Authentication' }).waitFor()
  expect(visitor.takeFaults()).toEqual([])
})

test('the first load of a page of the reference is at most 200 kB', async () => {
  await using visitor = await openVisitor(browser)
  const bodies: Promise<Buffer>[] = []
  visitor.page.on('response', (response) => bodies.push(response.body()))
  await visitor.page.goto(`${site.origin}/docs/createCheckout`, { waitUntil: 'networkidle' })
  const bytes = (await Promise.all(bodies)).reduce((sum, body) => sum + body.length, 0)

  expect(bytes).toBeGreaterThan(20_000)
  expect(bytes).toBeLessThan(200 * 1024)
})

test('the samples name methods that the Polar SDK has', () => {
  const polar: object = new Polar({ serverURL: site.origin, accessToken: 'none' })
  const missing = Object.values(polarMethods).filter(([method]) => {
    const [space = '', name = ''] = method.split('.')
    const methods: unknown = Reflect.get(polar, space)
    return typeof methods !== 'object' || methods === null || typeof Reflect.get(methods, name) !== 'function'
  })
  expect(missing).toEqual([])
})
