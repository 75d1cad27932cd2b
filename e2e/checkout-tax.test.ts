import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { axeFaults, overflowFaults, shiftFaults, watchShifts } from './browser/inspection.ts'
import { ada, arriveAt, signIn, visit, withMouse } from './browser/people.ts'
import { answered, openShop, type Shop } from './browser/seller.ts'
import { openSite, type Site } from './browser/site.ts'
import { openChromium, openVisitor, phone, settled } from './browser/visitor.ts'

let site: Site
let browser: Browser
let shop: Shop
let product: string

beforeAll(async () => {
  const registrations = [{ country: 'DE' }, { country: 'FR' }, { country: 'CA' }, { country: 'CA', state: 'QC' }]
  const billing = { whoMaySell: 'everyone' as const, tax: { provider: 'table' as const, registrations } }
  ;[site, browser] = await Promise.all([openSite({ billing }), openChromium()])
  const id = await site.account(ada)
  await site.confirm(ada.email)
  shop = await openShop(site, { ...ada, id }, { name: 'Northwind Traders', slug: 'northwind' })
  const prices = [{ amountType: 'fixed' as const, priceAmount: 1900 }]
  product = (await answered(shop.billing.createProduct({ name: 'Harbor', recurringInterval: 'month', prices }))).id
})

afterAll(async () => {
  await browser.close()
  await site[Symbol.asyncDispose]()
})

/** A checkout, opened in a browser. */
async function open(page: Page) {
  const checkout = await answered(shop.billing.createCheckout({ products: [product] }))
  await page.goto(checkout.url)
  await settled(page)
  return checkout
}

const summary = (page: Page) => page.getByRole('region', { name: 'Summary' })
const line = (page: Page, name: string) => summary(page).locator('dl > div', { hasText: name })

test('tax comes by itself when the country is known, moves nothing, and stands on the receipt and in the order', async () => {
  await using visitor = await openVisitor(browser, { viewport: phone })
  const { page } = visitor
  const hand = withMouse(page)
  await watchShifts(page)
  const checkout = await open(page)
  await hand.press(/Show details/)
  expect(await line(page, 'Tax').innerText()).toContain('depends on your country')

  await hand.fill('Email', 'grace@example.com')
  await hand.fill('Full name', 'Grace Hopper')
  await hand.choose('Country', 'Germany')

  await line(page, 'VAT 19%').waitFor()
  expect(await line(page, 'VAT 19%').innerText()).toContain('$3.61')
  expect(await summary(page).innerText()).toContain('then $19.00 / month plus tax')
  await hand.choose('Country', 'Canada')
  await line(page, 'depends on your address').waitFor()
  await hand.choose('Province', 'Quebec')
  await line(page, 'QST 9.975%').waitFor()
  expect(await line(page, 'GST 5%').innerText()).toContain('$0.95')
  // A province is left behind with its country.
  await hand.choose('Country', 'France')
  await line(page, 'VAT 20%').waitFor()
  expect(await line(page, 'QST').count()).toBe(0)
  await hand.choose('Country', 'Canada')
  await line(page, 'depends on your address').waitFor()
  await hand.choose('Province', 'Quebec')
  await line(page, 'QST 9.975%').waitFor()
  expect(await axeFaults(page)).toEqual([])
  expect(await overflowFaults(page)).toEqual([])
  await hand.press('Fill in a test card')
  await hand.press('Subscribe for $21.85')
  await arriveAt(page, 'Payment received')

  const text = await page.getByRole('region', { name: 'Receipt' }).innerText()
  for (const part of ['GST 5%', '$0.95', 'QST 9.975%', '$1.90', '$21.85', '$19.00 / month plus tax'])
    expect(text).toContain(part)
  expect(await shiftFaults(page)).toEqual([])
  const order = await shop.orderOf(checkout.id)
  expect([order.taxAmount, order.totalAmount, order.tax?.lines.length]).toEqual([285, 2185, 2])
  expect(visitor.takeFaults()).toEqual([])
})

test('a seller states where it is, and a business abroad accounts for the tax itself', async () => {
  await using visitor = await openVisitor(browser, { expected: /status of 422/ })
  const { page } = visitor
  const hand = withMouse(page)
  await signIn(visitor, site, ada)
  await visit(page, site, '/dashboard/northwind')
  const missing = page.getByText('Invoices are issued without your legal name, address, and tax ID')
  await missing.waitFor()
  expect(await axeFaults(page)).toEqual([])
  await page.getByRole('link', { name: 'Fill in tax settings' }).click()
  await arriveAt(page, 'Tax')
  await hand.fill('Legal name', 'Northwind Traders GmbH')
  await page.getByLabel('Country', { exact: true }).selectOption({ label: 'Germany' })
  await hand.fill('Tax ID', 'DE136695976')
  expect(await axeFaults(page)).toEqual([])
  expect(await overflowFaults(page)).toEqual([])
  await hand.press('Save tax settings')
  await page.getByText('Tax settings saved').waitFor()
  await page.getByRole('link', { name: 'Overview' }).click()
  await arriveAt(page, 'Overview')
  await page.getByRole('region', { name: 'Recent orders' }).waitFor()
  expect(await missing.count()).toBe(0)

  const checkout = await open(page)
  await hand.fill('Email', 'marie@example.com')
  await hand.fill('Full name', 'Marie Dupont')
  await hand.choose('Country', 'France')
  await line(page, 'VAT 20%').waitFor()
  await page.getByLabel('I’m buying for a company').check()
  await hand.fill('Company name', 'Dupont SARL')
  await hand.fill('Tax ID', 'FR40303265045')
  await hand.fill('Street and number', 'Rue Mercière 1')
  await hand.fill('City', 'Lyon')
  await hand.fill('Postal code', '69002')

  await line(page, 'Reverse charge').waitFor()
  // A number that is wrong takes the one before away: nothing is shown that counts on it.
  await hand.fill('Tax ID', 'FR40303265046')
  await page.keyboard.press('Tab')
  await line(page, 'VAT 20%').waitFor()
  await page.getByText('This is not a tax ID of that country').waitFor()
  await hand.fill('Tax ID', 'FR40303265045')
  await page.keyboard.press('Tab')
  await line(page, 'Reverse charge').waitFor()
  await hand.press('Fill in a test card')
  await hand.press('Subscribe for $19.00')
  await arriveAt(page, 'Payment received')

  expect(await page.getByRole('region', { name: 'Receipt' }).innerText()).toContain(
    'Reverse charge: the recipient of the supply is liable for the tax.',
  )
  expect((await shop.orderOf(checkout.id)).tax?.treatment).toBe('reverse_charge')
  expect(visitor.takeFaults()).toEqual([])
})

describe('the country is preselected', () => {
  const countryOf = (page: Page) => page.getByLabel('Country').inputValue()

  test('from the time zone, and the tax of it is shown with the buyer’s first change', async () => {
    await using visitor = await openVisitor(browser, { locale: 'en-US', timezoneId: 'Europe/Berlin' })
    const { page } = visitor
    const hand = withMouse(page)
    const { id } = await open(page)
    await expect.poll(() => countryOf(page)).toBe('DE')
    const saved = async () => (await answered(shop.billing.getCheckout({ id }))).customerBillingAddress
    expect(await saved()).toBeNull()
    expect(await line(page, 'Tax').innerText()).toContain('depends on your country')

    await hand.fill('Full name', 'Grace Hopper')
    await hand.fill('Email', 'grace.berlin@example.com')

    await line(page, 'VAT 19%').waitFor()
    expect(await saved()).toMatchObject({ country: 'DE' })
    expect(visitor.takeFaults()).toEqual([])
  })

  test('and a buyer who changes nothing sees its tax before they pay', async () => {
    await using visitor = await openVisitor(browser, { locale: 'fr-FR', timezoneId: 'UTC' })
    const { page } = visitor
    const { url, id } = await answered(
      shop.billing.createCheckout({
        products: [product],
        customerEmail: 'marie.curie@example.com',
        customerName: 'Marie Curie',
      }),
    )
    await page.goto(`${url}?lang=en`)
    await settled(page)
    expect(await countryOf(page)).toBe('FR')
    const hand = withMouse(page)
    await hand.press('Fill in a test card')

    await hand.press('Subscribe for $19.00')
    await page.getByText('The amount has changed.').waitFor()
    expect((await answered(shop.billing.getCheckout({ id }))).status).toBe('open')
    await hand.press('Subscribe for $22.80')
    await arriveAt(page, 'Payment received')

    expect((await shop.orderOf(id)).totalAmount).toBe(2280)
    expect(visitor.takeFaults()).toEqual([])
  })
})
