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
  expect(await page.getByRole('navigation').getByRole('link', { name: 'Create refund' }).isVisible()).toBe(true)
  expect(await page.getByRole('navigation').getByRole('link', { name: 'Webhooks', exact: true }).isVisible()).toBe(
    false,
  )
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Create refund' }).waitFor()
  expect(visitor.takeFaults()).toEqual([])
})

test('an address of the page that had all calls leads to the call', async () => {
  const { visitor, page } = await openReference('#createRefund')
  await using _ = visitor

  await page.waitForURL('**/docs/createRefund')
  expect(visitor.takeFaults()).toEqual([])
})

test('the language of samples stays chosen', async () => {
  const { visitor, page } = await openReference('/createProduct')
  await using _ = visitor

  await page.getByRole('radio', { name: 'Polar SDK' }).check()
  await page.goto(`${site.origin}/docs/listProducts`)

  expect(await page.getByLabel('Request with Polar SDK').isVisible()).toBe(true)
  expect(await page.getByLabel('Request with curl').isVisible()).toBe(false)
  expect(visitor.takeFaults()).toEqual([])
})

/** Opens the page of a call, and waits until it knows the reader. */
async function openCall(page: Page, call: string): Promise<void> {
  const recognized = page.waitForResponse(/get-session/)
  await page.goto(`${site.origin}/docs/${call}`)
  await (await recognized).finished()
}

async function enterToken(page: Page, token: string): Promise<void> {
  await page.getByText('Send this call').click()
  await page.getByLabel('Access token').fill(token)
}

const curl = (page: Page) => page.getByLabel('Request with curl')
const stored = (page: Page) => page.evaluate(() => sessionStorage.getItem('tollgate_reference_token'))

test('a token stands in the samples of this tab while its user is signed in, and for no other reader', async () => {
  const grace = { name: 'Grace Hopper', email: 'grace@example.com', password: 'correct horse battery' }
  for (const person of [ada, grace]) {
    await site.account(person)
    await site.confirm(person.email)
  }
  const { visitor, page } = await openReference()
  await using _ = visitor
  await signIn(visitor, site, ada)
  await openCall(page, 'createProduct')
  await enterToken(page, 'tollgate_oat_mine')
  await openCall(page, 'listProducts')
  await curl(page).getByText('tollgate_oat_mine').waitFor()

  const other = await visitor.context.newPage()
  await openCall(other, 'listProducts')
  await other.getByText(`Signed in as ${ada.email}`).waitFor()
  expect(await curl(other).innerText()).toContain('$TOLLGATE_TOKEN')

  await signIn(visitor, site, grace)
  await openCall(page, 'listOrders')
  await page.getByText(`Signed in as ${grace.email}`).waitFor()
  expect([await curl(page).innerText(), await page.locator('#token').inputValue(), await stored(page)]).toEqual([
    expect.stringContaining('$TOLLGATE_TOKEN'),
    '',
    null,
  ])
  // Nor does the token come back for the first user.
  await signIn(visitor, site, ada)
  await openCall(page, 'listOrders')
  await page.getByText(`Signed in as ${ada.email}`).waitFor()
  expect(await curl(page).innerText()).toContain('$TOLLGATE_TOKEN')
  expect(visitor.takeFaults()).toEqual([])
})

test('signing out takes the token away, from an open page as well, and a visitor’s token is not kept', async () => {
  const lin = { name: 'Lin', email: 'lin@example.com', password: 'correct horse battery' }
  await site.account(lin)
  await site.confirm(lin.email)
  const { visitor, page } = await openReference()
  await using _ = visitor
  await signIn(visitor, site, lin)
  await openCall(page, 'listOrders')
  await enterToken(page, 'tollgate_oat_mine')
  await curl(page).getByText('tollgate_oat_mine').waitFor()
  await visitor.context.request.post(`${site.origin}/api/auth/sign-out`, { headers: { origin: site.origin } })
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await curl(page).getByText('$TOLLGATE_TOKEN').waitFor()
  expect([await page.getByLabel('Access token').inputValue(), await stored(page)]).toEqual(['', null])

  await page.getByLabel('Access token').fill('tollgate_oat_of_a_visitor')
  await curl(page).getByText('tollgate_oat_of_a_visitor').waitFor()
  expect(await stored(page)).toBeNull()
  await openCall(page, 'listProducts')
  expect(await curl(page).innerText()).toContain('$TOLLGATE_TOKEN')
  expect(visitor.takeFaults()).toEqual([])
})

test('a call is sent from its page with the reader’s session, and its answer is shown', async () => {
  const { visitor, page } = await openReference('/getSession')
  await using _ = visitor
  await signIn(visitor, site, ada)
  await page.reload()

  await page.getByText(`Signed in as ${ada.email}`).waitFor()
  await page.getByText('Send this call').click()
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  // The page shows an example of an answer, too.
  const answer = page.getByRole('status', { name: 'Response to your request' })
  await answer.getByText(`"email": "${ada.email}"`).waitFor()
  expect(visitor.takeFaults()).toEqual([])
})

test('on a telephone the text comes first, then the samples, and a button opens the tree', async () => {
  await using visitor = await openVisitor(browser, { viewport: phone })
  const { page } = visitor
  await page.goto(`${site.origin}/docs/createProduct`)
  const top = async (selector: string) => (await page.locator(selector).boundingBox())?.y ?? Number.NaN
  const menu = page.getByText('Menu', { exact: true })
  const leaf = page.getByRole('navigation').getByRole('link', { name: 'Authentication', exact: true })

  expect(await top('h1')).toBeLessThan(200)
  expect(await top('.samples')).toBeGreaterThan(await top('h1'))
  expect(await leaf.isVisible()).toBe(false)
  await menu.click()
  await leaf.waitFor()
  await page.keyboard.press('Escape')
  expect(await leaf.isVisible()).toBe(false)
  await menu.click()
  await leaf.click()
  await page.getByRole('heading', { level: 1, name: 'Authentication' }).waitFor()
  expect(visitor.takeFaults()).toEqual([])
})

test.each([
  ['on a telephone', phone],
  ['on a wide screen', { width: 1280, height: 800 }],
])('%s and without JavaScript the tree of pages opens and leads on', async (_, viewport) => {
  await using visitor = await openVisitor(browser, { viewport, javaScriptEnabled: false, expected: /csp/ })
  const { page } = visitor
  await page.goto(`${site.origin}/docs/createProduct`)

  if (viewport === phone) await page.getByText('Menu', { exact: true }).click()
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
