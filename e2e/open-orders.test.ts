import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeFaults, overflowFaults } from './browser/inspection.ts'
import { ada, signIn, visit } from './browser/people.ts'
import { answered, openShop, type Shop } from './browser/seller.ts'
import { openSite, type Site } from './browser/site.ts'
import { desktop, openChromium, openVisitor, phone, settled } from './browser/visitor.ts'

let site: Site
let browser: Browser
let shop: Shop

beforeAll(async () => {
  ;[site, browser] = await Promise.all([openSite({ billing: { whoMaySell: 'everyone' } }), openChromium()])
  const id = await site.account(ada)
  shop = await openShop(site, { ...ada, id }, { name: 'Northwind Traders', slug: 'northwind' })
})

afterAll(async () => {
  await browser?.close()
  await site?.[Symbol.asyncDispose]()
})

/** The renewals of two customers, which their cards have not paid. */
async function dueOrders(): Promise<readonly string[]> {
  const { billing } = shop
  const prices = [{ amountType: 'fixed' as const, priceAmount: 1900 }]
  const product = await answered(billing.createProduct({ name: 'Harbor', recurringInterval: 'month', prices }))
  const emails = ['grace@example.com', 'alan@example.com']
  for (const customerEmail of emails) {
    const { clientSecret } = await answered(billing.createCheckout({ products: [product.id] }))
    const buyer = { customerEmail, customerName: 'Grace Hopper', customerBillingAddress: { country: 'DE' } }
    const confirmationTokenId = 'ctoken_sandbox_renewal_decline'
    await answered(billing.confirmClientCheckout({ clientSecret, ...buyer, confirmationTokenId }))
  }
  await site.advance('P32D')
  for (const email of emails) await site.mailTo(email, 'failed')
  const { items } = await answered(billing.listOrders({ productId: [product.id], status: ['pending'] }))
  return items.map(({ id }) => id)
}

/** Looks at an open dialog at both widths, for faults that people with and without assistance meet. */
async function inspect(page: Page) {
  for (const size of [phone, desktop]) {
    await page.setViewportSize(size)
    await settled(page)
    expect([await axeFaults(page), await overflowFaults(page)]).toEqual([[], []])
  }
}

test('a seller voids an order with a reason, and marks another one as paid', async () => {
  const [gift, transfer] = await dueOrders()
  await using visitor = await openVisitor(browser)
  await signIn(visitor, site, ada)
  const { page } = visitor
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const dialog = page.getByRole('dialog')

  await visit(page, site, `/dashboard/northwind/orders/${gift}`)
  await button('Void').click()
  await dialog.getByRole('button', { name: 'Void order' }).click()
  await dialog.getByText('Enter a reason.').waitFor()
  await inspect(page)
  await dialog.getByLabel('Reason').fill('A gift for the first year')
  await dialog.getByRole('button', { name: 'Void order' }).click()
  await page.getByText('The order is void.', { exact: true }).waitFor()
  await page.getByText('A gift for the first year').waitFor()
  for (const name of ['Void', 'Mark as paid', 'Copy payment link']) await button(name).waitFor({ state: 'detached' })
  await inspect(page)

  await visit(page, site, `/dashboard/northwind/orders/${transfer}`)
  await button('Mark as paid').click()
  await dialog.getByText('For $19.00', { exact: false }).waitFor()
  await inspect(page)
  await dialog.getByLabel('Reference').fill('NW-2041')
  await dialog.getByRole('button', { name: 'Mark as paid' }).click()
  await page.getByText('The order is paid.', { exact: true }).waitFor()
  await page.getByText('Paid in another way').first().waitFor()

  const { billing } = shop
  const orders = await Promise.all([gift, transfer].map((id) => answered(billing.getOrder({ id: id ?? '' }))))
  expect(orders.map(({ paid, voidReason }) => [paid, voidReason])).toEqual([
    [false, 'A gift for the first year'],
    [true, null],
  ])
  expect(visitor.takeFaults()).toEqual([])
})
