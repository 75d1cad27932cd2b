import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeFaults, overflowFaults } from './browser/inspection.ts'
import { ada, signIn, visit } from './browser/people.ts'
import { answered, openShop, type Shop } from './browser/seller.ts'
import { openSite, type Site } from './browser/site.ts'
import { desktop, openChromium, openVisitor, phone, settled } from './browser/visitor.ts'

/* A subscription that is collected by invoice, as its customer and its seller see it. */

let site: Site
let browser: Browser
let shop: Shop
let subscriptionId: string

beforeAll(async () => {
  ;[site, browser] = await Promise.all([openSite({ billing: { whoMaySell: 'everyone' } }), openChromium()])
  shop = await openShop(site, { ...ada, id: await site.account(ada) }, { name: 'Northwind', slug: 'northwind' })
  const { billing } = shop
  const prices = [{ amountType: 'fixed' as const, priceAmount: 4900 }]
  const product = await answered(billing.createProduct({ name: 'Harbor', recurringInterval: 'month', prices }))
  const given = { email: 'grace@example.com', name: 'Grace Hopper', billingAddress: { country: 'DE' } }
  const customer = await answered(billing.createCustomer(given))
  const terms = { collectionMethod: 'send_invoice' as const, netTermsDays: 14 }
  const begun = await answered(billing.createSubscription({ productId: product.id, customerId: customer.id, ...terms }))
  subscriptionId = begun.id
})

afterAll(async () => {
  await browser?.close()
  await site?.[Symbol.asyncDispose]()
})

test('the pages of a seller say when an invoice is due, and then that it is overdue', async () => {
  await using visitor = await openVisitor(browser, {})
  const { page } = visitor
  await signIn(visitor, site, ada)
  await visit(page, site, `/dashboard/northwind/subscriptions/${subscriptionId}`)
  await page.getByText('By invoice, due in 14 days').waitFor()
  await page.getByRole('region', { name: 'Next invoice' }).waitFor()
  await page
    .getByRole('region', { name: 'Orders' })
    .getByText(/^Due on/)
    .waitFor()

  await site.advance('P16D')
  // The session has ended meanwhile.
  await signIn(visitor, site, ada)
  await visit(page, site, '/dashboard/northwind/orders')
  await page.getByText(/^Overdue since/).waitFor()
  for (const size of [phone, desktop]) {
    await page.setViewportSize(size)
    await settled(page)
    expect(await overflowFaults(page)).toEqual([])
  }
  await page.getByRole('row').nth(1).getByRole('link').first().click()
  await page.getByRole('heading', { name: /^Order / }).waitFor()
  await page.getByText(/^Overdue since/).waitFor()
  await page.getByText('Due on', { exact: true }).waitFor()
  expect(await axeFaults(page)).toEqual([])
  await visit(page, site, `/dashboard/northwind/subscriptions/${subscriptionId}`)
  await page.getByText('Past due').first().waitFor()
})

test('a customer pays an overdue invoice by the link of the mail, and keeps no card', async () => {
  const { links } = await site.mailTo('grace@example.com', 'overdue')

  await using visitor = await openVisitor(browser, {})
  const { page } = visitor
  await page.goto(links[0] ?? '')
  await settled(page)
  await page.getByText(/^Invoice .+, due on/).waitFor()
  expect(await page.getByText('The card also pays').count()).toBe(0)
  expect(await axeFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Fill in a test card' }).click()
  await page.getByRole('button', { name: /^Pay \$49/ }).click()
  await page.getByRole('heading', { name: 'Thank you for your payment' }).waitFor()

  expect(await page.getByText('Later payments').count()).toBe(0)
  const { status } = await answered(shop.billing.getSubscription({ id: subscriptionId }))
  expect(status).toBe('active')
})

test('a seller begins a subscription by invoice, with days that an invoice may have', async () => {
  const given = { email: 'alan@example.com', name: 'Alan Turing', billingAddress: { country: 'DE' } }
  const { id } = await answered(shop.billing.createCustomer(given))
  await using visitor = await openVisitor(browser, {})
  const { page } = visitor
  await signIn(visitor, site, ada)
  await visit(page, site, `/dashboard/northwind/customers/${id}`)
  await page.getByRole('button', { name: 'New subscription' }).click()
  const dialog = page.getByRole('dialog', { name: 'New subscription' })
  await dialog.getByLabel('Product', { exact: true }).selectOption('Harbor')
  await dialog.getByLabel('Collection').selectOption('By invoice')
  await dialog.getByLabel('Days until an invoice is due').fill('91')
  await dialog.getByRole('button', { name: 'Start subscription' }).click()
  await dialog.getByText('Enter a number of days from 0 to 90.').waitFor()
  expect(await dialog.getByLabel('Paid by').count()).toBe(0)
  await dialog.getByLabel('Days until an invoice is due').fill('60')
  await dialog.getByLabel('Quantity').fill('3')
  await dialog.getByText('On an invoice now').waitFor()
  await dialog.getByText('$147.00').first().waitFor()
  await settled(page)
  expect(await axeFaults(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Start subscription' }).click()
  await page.getByText('By invoice, due in 60 days').waitFor()

  await page.getByRole('button', { name: 'Change collection' }).click()
  const change = page.getByRole('dialog', { name: 'Change collection' })
  await change.getByLabel('Days until an invoice is due').fill('10')
  expect(await axeFaults(page)).toEqual([])
  await change.getByRole('button', { name: 'Save' }).click()
  await page.getByText('By invoice, due in 10 days').waitFor()
  await page.getByRole('button', { name: 'Change collection' }).click()
  await change.getByLabel('Collection').selectOption('By saved card')
  await change.getByRole('button', { name: 'Save' }).click()
  // Alan has saved no card.
  await change.getByText(/payment method/).waitFor()
})
