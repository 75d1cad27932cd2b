import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeFaults, overflowFaults } from './browser/inspection.ts'
import { ada, arriveAt, signIn, withMouse } from './browser/people.ts'
import { answered, openShop, type Shop } from './browser/seller.ts'
import { openSite, type Site } from './browser/site.ts'
import { desktop, openChromium, openVisitor, phone, settled } from './browser/visitor.ts'

let site: Site
let browser: Browser
let shop: Shop
let atlas: string
let harbor: string

beforeAll(async () => {
  ;[site, browser] = await Promise.all([openSite({ billing: { whoMaySell: 'everyone' } }), openChromium()])
  const id = await site.account(ada)
  await site.confirm(ada.email)
  shop = await openShop(site, { ...ada, id }, { name: 'Northwind Traders', slug: 'northwind' })
  const product = async (given: Parameters<Shop['billing']['createProduct']>[0]) =>
    (await answered(shop.billing.createProduct(given))).id
  const fixed = (priceAmount: number, priceCurrency: string) =>
    ({ amountType: 'fixed', priceAmount, priceCurrency }) as const
  atlas = await product({
    name: 'Atlas of the north',
    recurringInterval: null,
    prices: [fixed(2000, 'usd'), fixed(1800, 'eur'), fixed(2900, 'jpy')],
  })
  harbor = await product({ name: 'Harbor', recurringInterval: 'month', prices: [fixed(900, 'usd'), fixed(800, 'eur')] })
})

afterAll(async () => {
  await browser.close()
  await site[Symbol.asyncDispose]()
})

const total = (page: Page) => page.locator('[data-tg=pay] button').textContent()
/** The faults of the page in its present state, on a wide and a narrow screen. */
async function faultsOf(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const size of [desktop, phone]) {
    await page.setViewportSize(size)
    await settled(page)
    found.push(...(await axeFaults(page)), ...(await overflowFaults(page)))
  }
  await page.setViewportSize(desktop)
  return found
}

test('a buyer sees prices in their currency, chooses another one, and pays in it', async () => {
  await using visitor = await openVisitor(browser, { locale: 'en-IE' })
  const { page } = visitor
  await page.goto(`${site.origin}/pricing/northwind`)
  await settled(page)
  const offers = page.locator('[data-tg=offers]')
  expect(await offers.allTextContents()).toEqual([expect.stringContaining('€8.00'), expect.stringContaining('€18.00')])
  expect(await faultsOf(page)).toEqual([])

  await page.getByLabel('Currency').selectOption('jpy')
  await page.getByRole('button', { name: 'Show prices' }).click()
  await settled(page)
  expect(await offers.allTextContents()).toEqual([expect.stringContaining('$9.00'), expect.stringContaining('¥2,900')])
  await page.getByRole('button', { name: 'Buy Atlas of the north' }).click()
  await page.waitForURL(/\/checkout\//)
  await settled(page)

  expect(await total(page)).toContain('¥2,900')
  expect(await faultsOf(page)).toEqual([])
  await page.getByLabel('Currency').selectOption('eur')
  await expect.poll(() => total(page)).toContain('€18.00')
  const hand = withMouse(page)
  await hand.fill('Email', 'grace@example.com')
  await hand.fill('Full name', 'Grace Hopper')
  await hand.choose('Country', 'Japan')
  await hand.press('Other test cards')
  await hand.press('Succeeds')
  await hand.press('Pay €18.00')
  await arriveAt(page, 'Payment received')

  const { items } = await answered(shop.billing.listOrders({ productId: [atlas] }))
  expect(items).toMatchObject([{ currency: 'eur', subtotalAmount: 1800 }])
})

test('the currency follows the country until it is chosen', async () => {
  await using visitor = await openVisitor(browser)
  const { page } = visitor
  const { url } = await answered(shop.billing.createCheckout({ products: [harbor] }))
  await page.goto(url)
  await settled(page)
  expect(await total(page)).toContain('$9.00')
  const hand = withMouse(page)

  await hand.choose('Country', 'Germany')
  await expect.poll(() => total(page)).toContain('€8.00')
  await expect.poll(() => page.getByLabel('Currency').inputValue()).toBe('eur')
  await hand.choose('Country', 'Japan')
  await expect.poll(() => total(page)).toContain('$9.00')
})

test('a seller adds a currency in the dashboard, and takes it away', async () => {
  await using visitor = await openVisitor(browser)
  const { page } = visitor
  await signIn(visitor, site, ada)
  const pricesOf = async () =>
    (await answered(shop.billing.getProduct({ id: harbor }))).prices.map((price) =>
      'priceCurrency' in price ? price.priceCurrency : null,
    )
  await page.goto(`${site.origin}/dashboard/northwind/products`)
  await page.getByText('+1 currency').waitFor()
  await page.goto(`${site.origin}/dashboard/northwind/products/${harbor}`)
  await page.getByRole('button', { name: 'Add a currency' }).click()
  await page.getByLabel('Amount, GBP').fill('7')
  expect(await faultsOf(page)).toEqual([])

  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(pricesOf).toEqual(['usd', 'eur', 'gbp'])
  await page.getByRole('button', { name: 'Remove EUR' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(pricesOf).toEqual(['usd', 'gbp'])
})
