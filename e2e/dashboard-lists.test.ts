import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeFaults, controlFaults, overflowFaults } from './browser/inspection.ts'
import { ada, hear, signIn, visit } from './browser/people.ts'
import { answered, openShop, type Shop } from './browser/seller.ts'
import { openSite, type Site } from './browser/site.ts'
import { desktop, openChromium, openVisitor, phone, settled, type Visitor } from './browser/visitor.ts'

/* What every list of selling can do. */

let browser: Browser
let site: Site
/** Sells five courses. */
let shop: Shop
const price = { amountType: 'fixed', priceAmount: 4900, priceCurrency: 'usd' } as const

beforeAll(async () => {
  browser = await openChromium()
  site = await openSite({ appName: 'Tolls', billing: { whoMaySell: 'everyone' } })
  shop = await openShop(site, { ...ada, id: await site.account(ada) }, { name: 'Northwind', slug: 'northwind' })
  for (const name of ['Course A', 'Course B', 'Course C', 'Course D', 'Course E'])
    await answered(shop.billing.createProduct({ name, recurringInterval: null, prices: [price] }))
})

afterAll(async () => {
  await browser?.close()
  await site?.[Symbol.asyncDispose]()
})

/** The products by name, in a window of Ada. */
async function openProducts(expected?: RegExp): Promise<{ visitor: Visitor; page: Page }> {
  const visitor = await openVisitor(browser, { ...(expected && { expected }) })
  await signIn(visitor, site, ada)
  const { page } = visitor
  await visit(page, site, '/dashboard/northwind/products?sort=name')
  await hear(page, 'status', /^1–\d of/)
  return { visitor, page }
}

const names = (page: Page) => page.locator('tbody [data-cell=name]').allInnerTexts()
const box = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name}` })
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent)

test('keys go from row to row, select, and open; in a field they are letters', async () => {
  const { visitor, page } = await openProducts()
  await using _ = visitor
  await page.keyboard.press('j')
  expect(await focused(page)).toBe('Course A')
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('k')
  expect(await focused(page)).toBe('Course B')
  await page.keyboard.press('x')
  expect(await box(page, 'Course B').isChecked()).toBe(true)
  await page.keyboard.press('x')
  expect(await box(page, 'Course B').isChecked()).toBe(false)

  const field = page.getByRole('searchbox')
  await field.focus()
  await page.keyboard.type('jxk')
  expect(await field.inputValue()).toBe('jxk')
  await page.waitForURL('**q=jxk*')
  await field.fill('')
  await hear(page, 'status', '1–5 of 5 products')

  await field.blur()
  await page.keyboard.press('?')
  const keys = page.getByRole('dialog', { name: 'Shortcut keys' })
  expect(await keys.innerText()).toMatch(/Next row of a list\s+j[\s\S]*Select the row\s+x/)
  await page.keyboard.press('Escape')
  await keys.waitFor({ state: 'hidden' })

  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Course A' }).waitFor()
  expect(visitor.takeFaults()).toEqual([])
})

test('selected products are archived together; what fails stays selected for another attempt', async () => {
  const { visitor, page } = await openProducts(/status of 500/)
  await using _ = visitor
  const [failing] = (await answered(shop.billing.listProducts({ query: 'Course C' }))).items
  await page.route(
    (url) => url.pathname.includes(`/products/${failing?.id}`),
    (route) => route.fulfill({ status: 500, json: {} }),
    { times: 1 },
  )

  for (const name of ['Course B', 'Course C', 'Course D']) await box(page, name).check()
  await hear(page, 'status', /^3 selected/)
  await page.getByRole('button', { name: 'Archive 3 products' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Archive 3 products' }).click()
  await dialog.getByText('2 of 3 done.').waitFor()
  expect(await dialog.getByRole('alert').innerText()).toContain('Course C')
  await dialog.getByRole('button', { name: 'Archive 1 product' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await hear(page, 'status', '1–2 of 2 products')
  expect(await names(page)).toEqual(['Course A', 'Course E'])

  await page.getByLabel('For sale or archived').selectOption('archived')
  await hear(page, 'status', '1–3 of 3 products')
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await page.getByRole('button', { name: 'Restore 3 products' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Restore 3 products' }).click()
  await page.getByText('No products match').waitFor()
  expect(visitor.takeFaults()).toEqual([])
})

test('a list is narrowed to days, which stand in its address', async () => {
  const { visitor, page } = await openProducts()
  await using _ = visitor
  await page.getByLabel('Created', { exact: true }).selectOption('Last 7 days')
  await page.waitForURL(/created=\d{4}-\d\d-\d\d\.\.\d{4}-\d\d-\d\d/)
  await hear(page, 'status', '1–5 of 5 products')
  await page.getByRole('button', { name: /^Remove filter: Created / }).click()
  await page.waitForURL(/products\?sort=name$/)

  await page.getByLabel('Created', { exact: true }).selectOption('Custom range…')
  await page.getByLabel('First day').fill('2020-01-01')
  await page.getByLabel('Last day').fill('2020-01-31')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await page.waitForURL('**created=2020-01-01..2020-01-31')
  await page.getByRole('button', { name: 'Clear search and filters' }).click()
  await hear(page, 'status', '1–5 of 5 products')
  expect(visitor.takeFaults()).toEqual([])
})

test('filters are saved under a name, shown again, and removed', async () => {
  const { visitor, page } = await openProducts()
  await using _ = visitor
  await page.getByRole('button', { name: 'Save view' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save these filters as a view' })
  await dialog.getByRole('button', { name: 'Save view' }).click()
  await dialog.getByText('Enter a name.').waitFor()
  await dialog.getByLabel('Name').fill('By name')
  await dialog.getByRole('button', { name: 'Save view' }).click()
  await dialog.waitFor({ state: 'hidden' })
  const view = page.getByRole('button', { name: 'By name', exact: true })
  expect(await view.getAttribute('aria-pressed')).toBe('true')
  expect(await axeFaults(page)).toEqual([])

  await visit(page, site, '/dashboard/northwind/products?archive=archived')
  await view.click()
  await page.waitForURL(/products\?sort=name$/)
  await hear(page, 'status', '1–5 of 5 products')
  await visit(page, site, '/dashboard/northwind/customers')
  expect(await view.count()).toBe(0)
  await visit(page, site, '/dashboard/northwind/products')
  await page.getByRole('button', { name: 'Remove view By name' }).click()
  await view.waitFor({ state: 'detached' })
  expect(visitor.takeFaults()).toEqual([])
})

test('a list says that the browser is offline, and loads by itself later; a fault of the server has its id', async () => {
  const { visitor, page } = await openProducts(/ERR_INTERNET_DISCONNECTED|status of 500/)
  await using _ = visitor
  await visitor.context.setOffline(true)
  await page.getByLabel('For sale or archived').selectOption('all')
  await hear(page, 'alert', 'You are offline')
  await visitor.context.setOffline(false)
  await hear(page, 'status', '1–5 of 5 products')

  const body = { error: 'Fault', detail: 'Secret of the server' }
  const answer = { status: 500, json: body, headers: { 'x-request-id': 'r17' } }
  await page.route('**/v1/products**', (route) => route.fulfill(answer))
  await page.getByLabel('For sale or archived').selectOption('archived')
  const failure = page.getByRole('alert').filter({ hasText: 'This could not be loaded' })
  await failure.waitFor()
  expect(await failure.innerText()).toMatch(/Something went wrong on the server\.[\s\S]*r17/)
  await page.unroute('**/v1/products**')
  await failure.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('No products match').waitFor()
  expect(visitor.takeFaults()).toEqual([])
})

test.each([
  ['by the stream of changes', false],
  ['by asking, where a proxy refuses the stream', true],
])('a list learns that something new is there %s, and shows it on request', async (_, isRefused) => {
  const { visitor, page } = await openProducts(/status of 503/)
  await using __ = visitor
  await page.clock.install()
  if (isRefused) await page.route('**/live', (route) => route.fulfill({ status: 503 }))
  const greeted = isRefused ? undefined : page.waitForResponse(/\/dashboard\/northwind\/live$/)
  await visit(page, site, '/dashboard/northwind/products')
  await hear(page, 'status', '1–5 of 5 products')
  await greeted
  const made = await answered(
    shop.billing.createProduct({ name: 'Course F', recurringInterval: null, prices: [price] }),
  )
  if (isRefused) await page.clock.fastForward(31_000)
  // The list asks by itself every thirty seconds. The stream is faster.
  await page.getByRole('button', { name: 'Show 1 new product' }).click({ timeout: 20_000 })
  await hear(page, 'status', '1–6 of 6 products')
  expect((await names(page))[0]).toBe('Course F')
  await page
    .getByRole('button', { name: /new product$/ })
    .filter({ hasText: 'Show' })
    .waitFor({ state: 'detached' })
  await answered(shop.billing.updateProduct({ id: made.id, isArchived: true }))
  expect(visitor.takeFaults()).toEqual([])
})

test('a list without rows learns of its first one', async () => {
  const { visitor, page } = await openProducts()
  await using _ = visitor
  await page.clock.install()
  const greeted = page.waitForResponse(/\/dashboard\/northwind\/live$/)
  await visit(page, site, '/dashboard/northwind/products?q=Workshop')
  await page.getByText('No products match').waitFor()
  await greeted
  const made = await answered(
    shop.billing.createProduct({ name: 'Workshop', recurringInterval: null, prices: [price] }),
  )
  await page.getByRole('button', { name: 'Show 1 new product' }).click({ timeout: 20_000 })
  await hear(page, 'status', '1–1 of 1 product')
  await answered(shop.billing.updateProduct({ id: made.id, isArchived: true }))
  expect(visitor.takeFaults()).toEqual([])
})

test('a list with a selection is accessible, wide and narrow, light and dark', async () => {
  const { visitor, page } = await openProducts()
  await using _ = visitor
  await box(page, 'Course A').check()
  await page.getByLabel('Created', { exact: true }).selectOption('Custom range…')
  for (const viewport of [desktop, phone]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme })
      await settled(page)
      expect(await axeFaults(page, { colours: true })).toEqual([])
      expect(await controlFaults(page)).toEqual([])
      expect(await overflowFaults(page)).toEqual([])
    }
  }
  expect(visitor.takeFaults()).toEqual([])
})

test('selected customers are exported, and deleted unless they have a subscription, a paused one too', async () => {
  const { visitor, page } = await openProducts(/ERR_FAILED|customers\/totals/)
  await using _ = visitor
  const plan = await answered(shop.billing.createProduct({ name: 'Plan', recurringInterval: 'month', prices: [price] }))
  await shop.sell(plan.id, { name: 'Grace', email: 'grace@example.com' })
  const { items } = await answered(shop.billing.listSubscriptions({}))
  const id = items[0]?.id ?? ''
  await answered(shop.billing.pauseSubscription({ id, at: 'now' }))
  for (const name of ['Alan', 'Kay'])
    await answered(shop.billing.createCustomer({ name, email: `${name.toLowerCase()}@example.com` }))
  await visit(page, site, '/dashboard/northwind/customers')
  // What cannot be had is not passed off as nothing.
  await page.route(/\/v1\/customers\/totals/, (route) => route.abort())
  await page.getByRole('button', { name: 'Customer', exact: true }).click()
  await page.getByRole('row', { name: 'Grace' }).getByText('Not loaded').first().waitFor()
  await page.unrouteAll({ behavior: 'wait' })
  await page.reload()
  await page.getByRole('row', { name: 'Grace' }).getByText('$49.00').waitFor()
  for (const name of ['Alan', 'Grace']) await box(page, name).check()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export 2 as CSV' }).click(),
  ])
  const text = await readFile(await file.path(), 'utf8')
  expect(['alan@', 'grace@', 'kay@'].filter((each) => text.includes(each))).toEqual(['alan@', 'grace@'])

  await page.getByRole('button', { name: 'Delete 1 customer' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('1 customer has a subscription that is active, past due or paused, and stays.').waitFor()
  await dialog.getByRole('button', { name: 'Delete 1 customer' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await hear(page, 'status', '1–2 of 2 customers')
  expect((await names(page)).toSorted()).toEqual(['Grace', 'Kay'])

  await visit(page, site, '/dashboard/northwind/orders')
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await page.getByRole('link', { name: 'Export 1 as CSV' }).waitFor()

  // What is over has no end of a period, but a day on which it ended.
  await answered(shop.billing.updateSubscription({ id, revoke: true }))
  await visit(page, site, '/dashboard/northwind/subscriptions?stage=over')
  await page.getByRole('columnheader', { name: 'Ended' }).waitFor()
  expect(await page.locator('tbody [data-cell=ended]').innerText()).toMatch(/^\w{3} \d+, \d{4}$/)
  expect(visitor.takeFaults()).toEqual([])
})
