import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeFaults, overflowFaults, shiftFaults, watchShifts } from './browser/inspection.ts'
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

test('a customer opens the link of the mail, and pays by another card that their bank asks about', async () => {
  const { billing } = shop
  const prices = [{ amountType: 'fixed' as const, priceAmount: 1900 }]
  const product = await answered(billing.createProduct({ name: 'Harbor', recurringInterval: 'month', prices }))
  const { clientSecret } = await answered(billing.createCheckout({ products: [product.id] }))
  await answered(
    billing.confirmClientCheckout({
      clientSecret,
      customerName: 'Grace Hopper',
      customerEmail: 'grace@example.com',
      customerBillingAddress: { country: 'DE' },
      confirmationTokenId: 'ctoken_sandbox_renewal_decline',
    }),
  )
  await site.advance('P32D')
  const { links } = await site.mailTo('grace@example.com', 'failed')

  await using visitor = await openVisitor(browser, { expected: /status of 400/ })
  const { page } = visitor
  await watchShifts(page)
  await page.goto(links[0] ?? '')
  await settled(page)
  await page.getByRole('alert').getByText('The payment was declined.').waitFor()
  await page.getByRole('button', { name: 'Confirm with Visa' }).waitFor()
  await page.getByRole('button', { name: 'Use another card' }).click()
  await page.getByText('Other test cards').click()
  await page.getByRole('button', { name: 'Insufficient funds' }).click()
  await page.getByRole('button', { name: /^Pay \$19/ }).click()
  await page.getByRole('alert').getByText('The card has insufficient funds.').waitFor()
  await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'alert')
  await page.getByRole('button', { name: 'Asks to confirm' }).click()
  expect(await axeFaults(page)).toEqual([])
  await page.getByRole('button', { name: /^Pay \$19/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Complete' }).click()
  await page.getByRole('heading', { name: 'Thank you for your payment' }).waitFor()
  expect(await page.evaluate(() => document.activeElement?.localName)).toBe('h1')
  expect(await shiftFaults(page)).toEqual([])
  await page.reload()
  await page.getByRole('heading', { name: 'Thank you for your payment' }).waitFor()
  const { items } = await answered(billing.listSubscriptions({ productId: [product.id] }))
  expect(items.map(({ status }) => status)).toEqual(['active'])
  expect(visitor.takeFaults()).toEqual([])
})

test('a seller copies the link of an order that is due', async () => {
  const { billing } = shop
  const prices = [{ amountType: 'fixed' as const, priceAmount: 500 }]
  const product = await answered(billing.createProduct({ name: 'Berth', recurringInterval: 'month', prices }))
  const { clientSecret } = await answered(billing.createCheckout({ products: [product.id] }))
  await answered(
    billing.confirmClientCheckout({
      clientSecret,
      customerName: 'Alan Turing',
      customerEmail: 'alan@example.com',
      customerBillingAddress: { country: 'DE' },
      confirmationTokenId: 'ctoken_sandbox_renewal_decline',
    }),
  )
  await site.advance('P32D')
  await site.mailTo('alan@example.com', 'failed')
  const { items } = await answered(billing.listOrders({ productId: [product.id] }))
  const due = items.find(({ status }) => status === 'pending')

  await using visitor = await openVisitor(browser, { permissions: ['clipboard-read', 'clipboard-write'] })
  await signIn(visitor, site, ada)
  const { page } = visitor
  await visit(page, site, `/dashboard/northwind/orders/${due?.id}`)
  await page.getByRole('button', { name: 'Copy payment link' }).click()
  await page.getByText('The payment link is copied.').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`${site.origin}/pay/`)
  expect(visitor.takeFaults()).toEqual([])
})

test('a seller gets the link of a change that the customer has to authenticate, and the payment applies it', async () => {
  const { billing } = shop
  const plan = async (name: string, priceAmount: number) => {
    const prices = [{ amountType: 'fixed' as const, priceAmount }]
    return answered(billing.createProduct({ name, recurringInterval: 'month', prices }))
  }
  const pontoon = await plan('Pontoon', 1000)
  await plan('Pier', 3000)
  const { clientSecret } = await answered(billing.createCheckout({ products: [pontoon.id] }))
  const { paymentProcessorMetadata } = await answered(
    billing.confirmClientCheckout({
      clientSecret,
      customerName: 'Katherine Johnson',
      customerEmail: 'katherine@example.com',
      customerBillingAddress: { country: 'DE' },
      confirmationTokenId: 'ctoken_sandbox_requires_action',
    }),
  )
  const intentClientSecret = paymentProcessorMetadata.intent_client_secret ?? ''
  await answered(billing.completeSandboxAction({ intentClientSecret, outcome: 'succeed' }))
  const { items } = await answered(billing.listSubscriptions({ productId: [pontoon.id] }))

  await using visitor = await openVisitor(browser, { expected: /status of 402/ })
  await signIn(visitor, site, ada)
  const { page } = visitor
  await visit(page, site, `/dashboard/northwind/subscriptions/${items[0]?.id}`)
  await page.getByRole('button', { name: 'Change plan' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change plan' })
  await dialog.getByLabel('Product').selectOption('Pier')
  await dialog.getByText('Next order, usage excluded').waitFor()
  await dialog.getByRole('button', { name: 'Change plan' }).click()
  await dialog.getByText('as soon as the customer confirms the payment').waitFor()
  for (const size of [desktop, phone]) {
    await page.setViewportSize(size)
    await settled(page)
    expect([await axeFaults(page), await overflowFaults(page)]).toEqual([[], []])
  }
  await page.goto((await dialog.locator('code').textContent()) ?? '')
  await page.getByRole('button', { name: /^Confirm with Visa/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Complete' }).click()
  await page.getByRole('heading', { name: 'Thank you for your payment' }).waitFor()
  expect((await answered(billing.getSubscription({ id: items[0]?.id ?? '' }))).product.name).toBe('Pier')
  expect(visitor.takeFaults()).toEqual([])
})
