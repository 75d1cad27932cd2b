import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { axeFaults, controlFaults, lookAround, overflowFaults, watchShifts } from './browser/inspection.ts'
import { press, tick, typeInto } from './browser/keyboard.ts'
import { ada, arriveAt, hear, signIn, visit } from './browser/people.ts'
import { answered, openShop, type Shop } from './browser/seller.ts'
import { openSite, type Person, type Site } from './browser/site.ts'
import { desktop, openChromium, openVisitor, phone, settled, type Visitor } from './browser/visitor.ts'

let browser: Browser
let site: Site
/** Sells a course and a plan; Grace has the plan with a discount, Alan has paid for the course at the second attempt. */
let shop: Shop
/** Has 60 customers and has sold nothing. */
let crowd: Shop
/** Has nothing at all. */
let empty: Shop
let course: string

/** May look at customers and orders, and at nothing else. */
const edsger: Person = { name: 'Edsger Dijkstra', email: 'edsger@example.com', password: ada.password }
const grace = { name: 'Grace Hopper', email: 'grace@example.com' }
const alan = { name: 'Alan Turing', email: 'alan@example.com' }
/** Nothing in it can be broken between words. */
const lengthy = {
  name: 'W'.repeat(120),
  email: `${'long'.repeat(14)}@example.com`,
  externalId: 'x'.repeat(200),
  billingName: 'Ä'.repeat(120),
  metadata: { ['k'.repeat(40)]: 'v'.repeat(400) },
}
const address = { country: 'DE', line1: 'Torstraße 1', city: 'Berlin', postalCode: '10119' }

beforeAll(async () => {
  browser = await openChromium()
  const roles = { support: { customer: ['read'], order: ['read'] } }
  site = await openSite({ appName: 'Tolls', billing: { whoMaySell: 'everyone' }, organization: { roles } })
  const owner = { ...ada, id: await site.account(ada) }
  const members = { [await site.account(edsger)]: 'support' }
  shop = await openShop(site, owner, { name: 'Northwind Traders', slug: 'northwind' }, members)
  crowd = await openShop(site, owner, { name: 'Contoso', slug: 'contoso' })
  empty = await openShop(site, owner, { name: 'Fabrikam', slug: 'fabrikam' })
  await seed(shop)
  for (let count = 10; count < 70; count++)
    await answered(crowd.billing.createCustomer({ name: `Customer ${count}`, email: `c${count}@example.com` }))
})

afterAll(async () => {
  await browser?.close()
  await site?.[Symbol.asyncDispose]()
})

async function seed({ billing, sell }: Shop): Promise<void> {
  const price = (priceAmount: number) => ({ amountType: 'fixed', priceAmount, priceCurrency: 'usd' }) as const
  const oneTime = { name: 'Course on tolls', recurringInterval: null, prices: [price(4900)] }
  const monthly = { name: 'Pro plan', recurringInterval: 'month', prices: [price(1900)] } as const
  const fifth = { name: 'Launch', code: 'LAUNCH20', type: 'percentage', basisPoints: 2000, duration: 'once' } as const
  course = (await answered(billing.createProduct(oneTime))).id
  const plan = await answered(billing.createProduct({ ...monthly, prices: [...monthly.prices] }))
  await answered(billing.createDiscount(fifth))
  await sell(plan.id, { ...grace, discountCode: 'LAUNCH20', customerBillingAddress: address })
  await sell(course, alan, 'decline')
  await sell(course, { ...alan, customerBillingAddress: address })
  await answered(billing.createCustomer(lengthy))
}

/** A window of Ada, who owns all three, or of another user. */
async function openDashboard(expected?: RegExp, person = ada): Promise<{ visitor: Visitor; page: Page }> {
  const visitor = await openVisitor(browser, { ...(expected && { expected }) })
  await signIn(visitor, site, person)
  return { visitor, page: visitor.page }
}

const names = (page: Page, table: string) =>
  page.getByRole('table', { name: table }).locator('tbody [data-cell=name]').allInnerTexts()
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })
const customerOf = async ({ billing }: Shop, email: string) =>
  (await answered(billing.listCustomers({ email }))).items[0]!

/** Waits until a dialog has the focus, as a typing user does. */
async function inDialog(page: Page, name: string): Promise<void> {
  await page.getByRole('dialog', { name }).waitFor()
  await page.waitForFunction(() => document.activeElement?.closest('[role=dialog]'))
}

describe('lists', () => {
  test('an order is found by its customer, its status and its product, and shows the paid amount', async () => {
    const { visitor, page } = await openDashboard()
    await using _ = visitor
    await visit(page, site, '/dashboard/northwind/orders')
    await hear(page, 'status', '1–2 of 2 orders')

    await page.keyboard.press('/')
    await page.keyboard.type('hopper')
    await hear(page, 'status', '1–1 of 1 order')
    expect(new URL(page.url()).search).toBe('?q=hopper')
    await page.getByLabel('Product').selectOption({ label: 'Course on tolls' })
    await page.getByText('No orders match').waitFor()
    await page.getByRole('button', { name: 'Clear search and filters' }).click()
    await hear(page, 'status', '1–2 of 2 orders')
    await page.getByLabel('Status').selectOption({ label: 'Refunded' })
    await page.getByText('No orders match').waitFor()
    await page.getByLabel('Status').selectOption({ label: 'Any status' })
    await page.getByRole('button', { name: 'Net amount' }).click()
    await page.waitForURL('**?sort=-amount')
    expect(await page.locator('tbody [data-cell=customer]').allInnerTexts()).toEqual([alan.name, grace.name])

    await page.getByLabel('Search orders').fill(grace.email)
    await hear(page, 'status', '1–1 of 1 order')
    await page.locator('tbody [data-cell=number]').getByRole('link').click()
    await arriveAt(page, 'Order NORTHWIND-000001')
    const amounts = page.getByRole('table', { name: 'Amounts' }).getByRole('row')
    expect((await amounts.allInnerTexts()).slice(1).map((text) => text.split(/\s*\t\s*/))).toEqual([
      ['Pro plan', '$19.00'],
      ['Subtotal', '$19.00'],
      ['Discount LAUNCH20', '-$3.80'],
      ['Net', '$15.20'],
      ['Total', '$15.20'],
    ])
    const payments = page.getByRole('region', { name: 'Payments' })
    expect(await payments.innerText()).toMatch(/\$15\.20[\s\S]*Visa ending in 4242[\s\S]*Succeeded/)
    expect(await page.getByRole('region', { name: 'Buyer' }).innerText()).toMatch(
      /Torstraße 1\s+10119 Berlin\s+Germany/,
    )

    await page.getByRole('link', { name: 'Show subscription' }).click()
    await arriveAt(page, 'Pro plan for Grace Hopper')
    expect(await page.getByRole('region', { name: 'Discount' }).innerText()).toMatch(/Launch[\s\S]*20% once/)
    await page.goBack()
    await arriveAt(page, 'Order NORTHWIND-000001')
    await page.getByRole('main').getByRole('link', { name: 'Orders' }).click()
    await hear(page, 'status', '1–1 of 1 order')
    expect(await page.getByLabel('Search orders').inputValue()).toBe(grace.email)
    expect(visitor.takeFaults()).toEqual([])
  })

  test('customers have what they spent and their last order, for viewers who may see orders', async () => {
    const { visitor, page } = await openDashboard()
    await using _ = visitor
    await visit(page, site, '/dashboard/northwind/customers')
    const graceRow = row(page, grace.email)
    await graceRow.locator('[data-cell=spent]').getByText('$15.20').waitFor()
    expect(await graceRow.locator('[data-cell=last]').innerText()).toMatch(/^\w{3} \d+, \d{4}$/)
    const file = await page.getByRole('link', { name: 'Export CSV' }).getAttribute('href')
    expect(file).toMatch(/\/customers\/export\?organization_id=/)
    expect(visitor.takeFaults()).toEqual([])
  })

  test('a declined payment shows the reason, and links to later attempts', async () => {
    const { visitor, page } = await openDashboard()
    await using _ = visitor
    await visit(page, site, '/dashboard/northwind/payments?status=failed')
    await hear(page, 'status', '1–1 of 1 payment')
    const failed = row(page, alan.email)
    const [declined] = (await answered(shop.billing.listPayments({ status: ['failed'] }))).items
    expect(declined?.declineReason).toBe('card_declined')
    expect(await failed.innerText()).toContain('The bank declined the card.')
    expect(await failed.getByRole('link', { name: /^Order/ }).count()).toBe(0)

    await failed.getByRole('link', { name: 'Attempts at the checkout of the payment of $49.00' }).click()
    await page.waitForURL(`**?checkout=${declined?.checkoutId}`)
    await hear(page, 'status', '1–1 of 1 payment')
    await page.getByRole('button', { name: /^Remove filter: Checkout/ }).click()
    await hear(page, 'status', '1–3 of 3 payments')
    await page.getByLabel('Search payments').fill(grace.email)
    await hear(page, 'status', '1–1 of 1 payment')
    await row(page, grace.email).getByRole('link', { name: 'Order of the payment of $15.20' }).click()
    await arriveAt(page, 'Order NORTHWIND-000001')
    expect(visitor.takeFaults()).toEqual([])
  })

  test('a long list goes forth and back by its cursors', async () => {
    const { visitor, page } = await openDashboard()
    await using _ = visitor
    await visit(page, site, '/dashboard/contoso/customers?sort=name')
    await hear(page, 'status', '1–50 of 60 customers')
    await page.getByRole('button', { name: 'Next' }).click()
    await hear(page, 'status', '51–60 of 60 customers')
    expect((await names(page, 'Customers'))[0]).toBe('Customer 60')
    await row(page, 'Customer 61').getByRole('link').click()
    await arriveAt(page, 'Customer 61')
    await page.getByRole('main').getByRole('link', { name: 'Customers' }).click()
    await hear(page, 'status', '51–60 of 60 customers')
    await page.getByRole('button', { name: 'Previous' }).click()
    await hear(page, 'status', '1–50 of 60 customers')
    expect((await names(page, 'Customers'))[0]).toBe('Customer 10')
    expect(visitor.takeFaults()).toEqual([])
  })

  test('a list that fails to load shows the reason; one that fails to reload keeps its content', async () => {
    const { visitor, page } = await openDashboard(/status of 40[03]/)
    await using _ = visitor
    const tokens = /\/v1\/organization-access-tokens\?/
    const refuse = (status: number, error: string) =>
      page.route(tokens, (route) =>
        route.request().method() === 'GET'
          ? route.fulfill({ status, json: { error, detail: 'Told by the server' }, headers: { 'x-request-id': 'r17' } })
          : route.continue(),
      )
    await refuse(403, 'NotPermitted')
    // The first page comes with its data: the browser reads that of the next ones.
    await visit(page, site, '/dashboard/fabrikam/products')
    await page.getByRole('link', { name: 'Access tokens' }).click()
    const alert = page.getByRole('alert').filter({ hasText: 'You are not allowed to see this' })
    expect(await alert.innerText()).toContain('token:read')
    expect(await axeFaults(page)).toEqual([])

    await page.unroute(tokens)
    await refuse(400, 'Odd')
    await alert.getByRole('button', { name: 'Try again' }).click()
    const failure = page.getByRole('alert').filter({ hasText: 'This could not be loaded' })
    expect(await failure.innerText()).toMatch(/Told by the server[\s\S]*r17/)
    await page.unroute(tokens)
    await failure.getByRole('button', { name: 'Try again' }).click()
    await row(page, 'Seed').waitFor()

    await refuse(400, 'Odd')
    await page.getByRole('button', { name: 'Edit Seed' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByText('may be out of date').waitFor()
    await row(page, 'Seed').waitFor()
    await page.unroute(tokens)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('may be out of date').waitFor({ state: 'detached' })
    expect(visitor.takeFaults()).toEqual([])
  })
})

describe('a customer', () => {
  test('a user adds it with address and tax ID; a refusal shows beside its field', async () => {
    const { visitor, page } = await openDashboard(/status of 422/)
    await using _ = visitor
    await visit(page, site, '/dashboard/northwind/customers')
    await page.getByRole('button', { name: 'New customer' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Email').fill(grace.email.toUpperCase())
    await dialog.getByLabel('Name', { exact: true }).fill('Barbara Liskov')
    await dialog.getByLabel('City').fill('Boston')
    await dialog.getByRole('button', { name: 'Create customer' }).click()
    await dialog.getByText('Choose the country of this address.').waitFor()
    await dialog.getByLabel('Country').selectOption('US')
    await dialog.getByLabel('State or province').fill('MA')
    await dialog.getByLabel('Tax ID', { exact: true }).fill('not a number')
    await dialog.getByLabel('Kind of tax ID').selectOption({ label: 'United States: EIN' })
    await dialog.getByRole('button', { name: 'Create customer' }).click()
    await dialog.locator('[name=tax_id][aria-invalid=true]').waitFor()
    await dialog.getByLabel('Tax ID', { exact: true }).fill('04-2103594')
    await dialog.getByRole('button', { name: 'Create customer' }).click()
    await dialog.locator('[name=email][aria-invalid=true]').waitFor()
    await dialog.getByLabel('Email').fill('barbara@example.com')
    await dialog.getByRole('button', { name: 'Create customer' }).click()

    await arriveAt(page, 'Barbara Liskov')
    await hear(page, 'alert', 'barbara@example.com is now a customer')
    const billing = page.getByRole('region', { name: 'Billing details' })
    expect(await billing.innerText()).toMatch(/Boston MA\s+United States[\s\S]*United States: EIN/)
    expect(await page.getByRole('region', { name: 'Orders' }).innerText()).toContain('No orders yet.')
    expect(visitor.takeFaults()).toEqual([])
  })

  test('is edited, gets metadata, and is deleted by name', async () => {
    const { visitor, page } = await openDashboard()
    await using _ = visitor
    const { id } = await answered(shop.billing.createCustomer({ email: 'tony@example.com', externalId: 'old' }))
    await visit(page, site, `/dashboard/northwind/customers/${id}`)
    const dialog = page.getByRole('dialog')

    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await dialog.getByLabel('Name', { exact: true }).fill('Tony Hoare')
    await dialog.getByLabel('External ID').fill('new')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await arriveAt(page, 'Tony Hoare')
    expect(await customerOf(shop, 'tony@example.com')).toMatchObject({ name: 'Tony Hoare', externalId: 'new' })

    await page.getByRole('button', { name: 'Edit metadata' }).click()
    await dialog.getByRole('button', { name: 'Add an entry' }).click()
    await dialog.getByLabel('Key 1').fill('seats')
    await dialog.getByLabel('Kind 1').selectOption({ label: 'Number' })
    await dialog.getByLabel('Value 1').fill('three')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Enter a number.').waitFor()
    await dialog.getByLabel('Value 1').fill('3')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('region', { name: 'Metadata' }).getByText('seats').waitFor()
    expect((await customerOf(shop, 'tony@example.com')).metadata).toEqual({ seats: 3 })

    await page.getByRole('button', { name: 'Show state' }).click()
    await page.getByText('"active_subscriptions": []').waitFor()

    await page.getByRole('button', { name: 'Delete customer' }).click()
    await dialog.getByLabel('Type tony@example.com to confirm').fill('tony')
    await dialog.getByRole('button', { name: 'Delete customer' }).click()
    await dialog.getByText('This doesn’t match the customer’s email.').waitFor()
    await dialog.getByLabel('Type tony@example.com to confirm').fill('tony@example.com')
    await dialog.getByRole('button', { name: 'Delete customer' }).click()
    await arriveAt(page, 'Customers')
    await page.goto(`${site.origin}/dashboard/northwind/customers/${id}`)
    await arriveAt(page, 'No such customer')
    expect(visitor.takeFaults().filter((fault) => !fault.includes('status of 404'))).toEqual([])
  })

  test('with a running subscription is not deleted without a word about it', async () => {
    const { visitor, page } = await openDashboard()
    await using _ = visitor
    const { id } = await customerOf(shop, grace.email)
    await visit(page, site, `/dashboard/northwind/customers/${id}`)
    await page.getByRole('button', { name: 'Delete customer' }).click()
    await page.getByRole('dialog').getByText('1 active subscription ends immediately.').waitFor()
    expect(visitor.takeFaults()).toEqual([])
  })
})

describe('a subscription', () => {
  test('changes its plan for what the preview shows, is canceled, and kept after all', async () => {
    const { visitor, page } = await openDashboard()
    await using _ = visitor
    const prices = [{ amountType: 'fixed', priceAmount: 2900, priceCurrency: 'usd' } as const]
    await answered(shop.billing.createProduct({ name: 'Team plan', recurringInterval: 'month', prices }))
    const [{ id } = { id: '' }] = (await answered(shop.billing.listSubscriptions())).items
    await visit(page, site, `/dashboard/northwind/subscriptions/${id}`)

    await page.getByRole('button', { name: 'Change plan' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change plan' })
    await dialog.getByLabel('Product').selectOption('Team plan')
    await dialog.getByLabel('When').selectOption('At the end of the period')
    await dialog.getByText('Next order, usage excluded').waitFor()
    await dialog.getByText('$29.00').first().waitFor()
    expect(await axeFaults(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Change plan' }).click()
    await page.getByText('Changes to Team plan on').waitFor()
    await page.getByRole('button', { name: 'Discard change' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Discard change' }).click()
    await page.getByText('The change is discarded.').waitFor()

    await page.getByRole('button', { name: 'Cancel subscription' }).click()
    const cancel = page.getByRole('dialog', { name: 'Cancel subscription' })
    await cancel.getByLabel('Reason').selectOption('too expensive')
    await cancel.getByRole('button', { name: 'Cancel subscription' }).click()
    await page.getByText('Reason: too expensive').waitFor()
    await page.getByRole('button', { name: 'Keep subscription' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Keep subscription' }).click()
    await page.getByRole('button', { name: 'Change plan' }).waitFor()
    expect(visitor.takeFaults()).toEqual([])
  })
})

describe('an access token', () => {
  const call = async (token: string, path: string, method = 'GET') => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    return (await fetch(site.origin + path, { method, headers, ...(method === 'POST' && { body: '{}' }) })).status
  }

  test('a keyboard user creates it; its secret is shown once, and it has only the chosen scopes', async () => {
    const { visitor, page } = await openDashboard()
    await using _ = visitor
    await visit(page, site, '/dashboard/fabrikam/tokens')
    await press(page, 'New token')
    await inDialog(page, 'New access token')
    await typeInto(page, 'Name', 'My server')
    await press(page, 'Create token')
    await page.getByText('Choose at least one permission.').waitFor()
    await tick(page, 'Write customers')
    expect(await page.getByRole('checkbox', { name: 'Read customers' }).isChecked()).toBe(true)
    await press(page, 'Create token')

    const field = page.getByRole('dialog').getByLabel('Access token', { exact: true })
    await inDialog(page, 'Your new token')
    const token = await field.inputValue()
    expect(token).toMatch(/^tollgate_oat_[A-Za-z0-9]{43}$/)
    await press(page, 'I have copied it')
    await field.waitFor({ state: 'detached' })
    expect(await page.content()).not.toContain(token)
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain(token)
    await page.reload()
    await settled(page)
    expect(await row(page, 'My server').innerText()).toMatch(
      new RegExp(`…${token.slice(-4)}[\\s\\S]*2 permissions[\\s\\S]*Never`),
    )
    expect(await call(token, '/v1/customers')).toBe(200)
    expect(await call(token, '/v1/orders')).toBe(403)

    await page.reload()
    await settled(page)
    await press(page, 'Edit My server')
    await inDialog(page, 'Edit access token')
    await tick(page, 'Read orders')
    await tick(page, 'Write customers')
    await press(page, 'Save')
    await hear(page, 'alert', 'Saved')
    expect(await call(token, '/v1/orders')).toBe(200)
    expect(await call(token, '/v1/customers', 'POST')).toBe(403)

    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await press(page, 'Delete My server')
    await inDialog(page, 'Delete My server?')
    await press(page, 'Delete token')
    await hear(page, 'alert', 'My server no longer works')
    expect(await call(token, '/v1/customers')).toBe(401)
    // The row is gone with the button that had the focus: the next row has it.
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Edit Seed')
    expect(visitor.takeFaults()).toEqual([])
  })
})

test('settings are saved, and refused beside their fields; name and logo are on the profile', async () => {
  const { visitor, page } = await openDashboard(/status of 422/)
  await using _ = visitor
  await visit(page, site, '/dashboard/contoso/settings')
  const profile = page.getByRole('link', { name: 'Change on the profile' })
  expect(await profile.getAttribute('href')).toBe('/org/contoso/settings')
  expect(await page.locator('input[type=file]').count()).toBe(0)
  await page.getByLabel('Support email').fill('help@contoso.example')
  await page.getByLabel('Website').fill('contoso')
  await page.getByRole('button', { name: 'Add a profile' }).click()
  await page.getByLabel('Site of profile 1').selectOption({ label: 'GitHub' })
  await page.getByLabel('Address of profile 1').fill('https://github.com/contoso')
  await page.getByLabel('Allow several subscriptions per customer').check()
  await page.getByLabel('Days between attempts').fill('2, soon')
  await page.getByRole('button', { name: 'Save settings' }).click()
  await page.locator('input[type=url][aria-invalid=true]').waitFor()
  await page.getByText('Enter up to ten whole numbers from 1 to 60.').waitFor()
  await page.getByLabel('Days between attempts').fill('1 3,10')
  await page.getByLabel('Grace period after a failed renewal').selectOption({ label: '7 days' })
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-invalid'))).toBe('true')
  await page.getByLabel('Website').fill('https://contoso.example')
  await page.getByRole('button', { name: 'Save settings' }).click()
  await hear(page, 'alert', 'Settings saved')

  const saved = await answered(crowd.billing.getMerchant({ id: crowd.id }))
  expect(saved).toMatchObject({
    email: 'help@contoso.example',
    website: 'https://contoso.example',
    socials: [{ platform: 'github', url: 'https://github.com/contoso' }],
    subscriptionSettings: {
      allowMultipleSubscriptions: true,
      allowCustomerUpdates: true,
      dunningRetryAfterDays: [1, 3, 10],
      benefitRevocationGracePeriod: 7,
    },
    maySell: true,
  })

  await page.getByRole('button', { name: 'Describe your business' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Send' }).click()
  await dialog.getByText('This is required.').first().waitFor()
  await dialog.getByLabel('What you do').fill('We run gates.')
  await dialog.getByLabel('What you sell').fill('Passes.')
  await dialog.getByLabel('What you use this for').fill('To sell passes.')
  await dialog.getByLabel('Revenue that you expect in the next year').fill('120000')
  await dialog.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('button', { name: 'Send again' }).waitFor()
  expect(visitor.takeFaults()).toEqual([])
})

test('a member who may only read sees no other actions, and the permissions that those need', async () => {
  const { visitor, page } = await openDashboard(/status of 403/, edsger)
  await using _ = visitor
  await visit(page, site, '/dashboard/northwind/customers')
  await row(page, grace.name).getByRole('link').click()
  await arriveAt(page, grace.name)
  await page.getByRole('region', { name: 'Orders' }).getByRole('link', { name: 'NORTHWIND-000001' }).waitFor()
  const buttons = await page.getByRole('main').getByRole('button').allInnerTexts()
  expect(buttons.filter((name) => /Edit|Delete|New/.test(name))).toEqual([])
  expect(await page.getByRole('region', { name: 'Subscriptions' }).count()).toBe(0)

  await visit(page, site, '/dashboard/northwind/tokens')
  await page.getByText('This requires the permission token:read').waitFor()
  expect(await page.getByRole('button', { name: 'New token' }).count()).toBe(0)
  await visit(page, site, '/dashboard/northwind/settings')
  await page.getByText('Changing them requires the permission organization:update').waitFor()
  expect(await page.getByRole('button', { name: 'Save settings' }).count()).toBe(0)
  expect(visitor.takeFaults()).toEqual([])
})

test('each page shows the calls behind it, with its own values and without a secret', async () => {
  const { visitor, page } = await openDashboard()
  await using _ = visitor
  await visit(page, site, '/dashboard/northwind/orders?status=paid&q=hopper')
  await page.getByRole('button', { name: 'Show as API call' }).click()
  const list = page.getByRole('region', { name: 'List these orders' })
  await list.waitFor()
  const command = await list.locator('pre').innerText()
  expect(command).toContain(`${site.origin}/v1/orders?limit=50&sorting=-created_at&query=hopper&status=paid`)
  expect(command).toContain('Bearer $TOLLGATE_TOKEN')
  expect(await list.innerText()).toContain('orders:read')
  expect([...(await axeFaults(page)), ...(await overflowFaults(page)), ...(await controlFaults(page))]).toEqual([])
  await page.keyboard.press('Escape')
  await page.waitForFunction(() => document.activeElement?.textContent === 'Show as API call')
  expect(visitor.takeFaults()).toEqual([])
})

/** The pages as an organization sees them; those about one thing only where there is one. */
async function pagesOf({ slug, billing }: Shop): Promise<string[]> {
  const found = [grace, lengthy].map(({ email }) => answered(billing.listCustomers({ email })))
  const customers = (await Promise.all(found)).flatMap(({ items }) => items)
  const [order] = (await answered(billing.listOrders({ query: grace.email }))).items
  const [subscription] = (await answered(billing.listSubscriptions())).items
  const items = [
    ...customers.map(({ id }) => `customers/${id}`),
    order && `orders/${order.id}`,
    subscription && `subscriptions/${subscription.id}`,
  ]
  const lists = ['customers', 'orders', 'subscriptions', 'payments', 'tokens', 'settings']
  return [...lists, ...items].flatMap((path) => (path ? [`/dashboard/${slug}/${path}`] : []))
}

test('every page is accessible, wide and narrow, light and dark', { timeout: 600_000 }, async () => {
  const { visitor, page } = await openDashboard()
  await using _ = visitor
  await watchShifts(page)
  for (const path of [...(await pagesOf(shop)), ...(await pagesOf(empty))])
    expect(await lookAround(page, site.origin + path), path).toEqual([])
  expect(visitor.takeFaults()).toEqual([])
})

test('every dialog is accessible, wide and narrow, light and dark', { timeout: 600_000 }, async () => {
  const { visitor, page } = await openDashboard()
  await using _ = visitor
  const { id } = await customerOf(shop, grace.email)
  const faults: string[] = []
  const look = async (what: string) => {
    for (const viewport of [desktop, phone]) {
      await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme: 'dark' })
      const dark = await axeFaults(page, { colours: true })
      await page.emulateMedia({ colorScheme: 'light' })
      const found = [
        ...dark,
        ...(await axeFaults(page)),
        ...(await overflowFaults(page)),
        ...(await controlFaults(page)),
      ]
      faults.push(...found.map((fault) => `${what}, ${viewport.width} px: ${fault}`))
    }
    await page.setViewportSize(desktop)
  }
  const open = async (path: string, button: string, dialog: string) => {
    await visit(page, site, `/dashboard/northwind/${path}`)
    await page.getByRole('button', { name: button, exact: true }).click()
    await page.getByRole('dialog', { name: dialog }).waitFor()
    await look(dialog)
  }

  await open('customers', 'New customer', 'New customer')
  await open(`customers/${id}`, 'Edit metadata', 'Edit metadata')
  await open(`customers/${id}`, 'Delete customer', `Delete ${grace.name}?`)
  await open('settings', 'Describe your business', 'About your business')
  await open('tokens', 'New token', 'New access token')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Looked at')
  await dialog.getByRole('button', { name: 'All', exact: true }).click()
  await dialog.getByRole('button', { name: 'Create token' }).click()
  await dialog.getByLabel('Access token', { exact: true }).waitFor()
  await look('the secret')
  expect(faults).toEqual([])
  expect(visitor.takeFaults()).toEqual([])
})
