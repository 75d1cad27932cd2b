import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { axeFaults, overflowFaults, shiftFaults, watchShifts } from './browser/inspection.ts'
import { ada, arriveAt, type Hand, signIn, visit, withKeyboard, withMouse } from './browser/people.ts'
import { answered, openShop, type Shop } from './browser/seller.ts'
import { openSite, type Site } from './browser/site.ts'
import { openChromium, openVisitor, settled } from './browser/visitor.ts'

let site: Site
let browser: Browser
let shop: Shop
/** What is sold, by what it is called below. */
let products: Record<'book' | 'monthly' | 'yearly' | 'free' | 'gift' | 'growing' | 'passage', string>

beforeAll(async () => {
  ;[site, browser] = await Promise.all([openSite({ billing: { whoMaySell: 'everyone' } }), openChromium()])
  const id = await site.account(ada)
  await site.confirm(ada.email)
  shop = await openShop(site, { ...ada, id }, { name: 'Northwind Traders', slug: 'northwind' })
  const { billing } = shop
  const field = async (given: Parameters<typeof billing.createCustomField>[0], required: boolean) => ({
    customFieldId: (await answered(billing.createCustomField(given))).id,
    required,
  })
  const product = async (given: Parameters<typeof billing.createProduct>[0]) =>
    (await answered(billing.createProduct(given))).id
  const fixed = (priceAmount: number) => [{ amountType: 'fixed' as const, priceAmount }]
  products = {
    book: await product({ name: 'Atlas of the north', recurringInterval: null, prices: fixed(1900) }),
    monthly: await product({ name: 'Harbor', recurringInterval: 'month', prices: fixed(1900) }),
    yearly: await product({ name: 'Harbor', recurringInterval: 'year', prices: fixed(19_000) }),
    free: await product({ name: 'Tide tables', recurringInterval: null, prices: [{ amountType: 'free' }] }),
    gift: await product({
      name: 'Keep the lighthouse lit',
      recurringInterval: null,
      prices: [{ amountType: 'custom', minimumAmount: 500, maximumAmount: 50_000, presetAmount: 2500 }],
    }),
    growing: await product({ name: 'Pilot’s guide', recurringInterval: null, prices: fixed(3000) }),
    passage: await product({
      name: 'Passage to Svalbard',
      recurringInterval: null,
      prices: fixed(4000),
      attachedCustomFields: [
        await field({ type: 'text', slug: 'vessel', name: 'Vessel', properties: { maxLength: 40 } }, true),
        await field({ type: 'number', slug: 'crew', name: 'Crew', properties: { ge: 1, le: 40 } }, true),
        await field({ type: 'date', slug: 'departure', name: 'Departure', properties: {} }, false),
        await field(
          {
            type: 'select',
            slug: 'port',
            name: 'Home port',
            properties: { options: [{ value: 'trd', label: 'Trondheim' }] },
          },
          true,
        ),
        await field({ type: 'checkbox', slug: 'terms', name: 'I have read the terms', properties: {} }, true),
      ],
    }),
  }
  await answered(
    billing.createDiscount({
      name: 'Spring tide',
      code: 'SPRING20',
      type: 'percentage',
      basisPoints: 2000,
      duration: 'once',
    }),
  )
})

afterAll(async () => {
  await browser.close()
  await site[Symbol.asyncDispose]()
})

type Given = Omit<Parameters<Shop['billing']['createCheckout']>[0], 'products'>

/** A checkout of a product, opened in a browser. */
async function open(page: Page, product: keyof typeof products, given: Given = {}) {
  const checkout = await answered(shop.billing.createCheckout({ products: [products[product]], ...given }))
  await page.goto(checkout.url)
  await settled(page)
  return checkout
}

let buyers = 0
const newAddress = () => {
  buyers += 1
  return `buyer${buyers}@example.com`
}

/** Everything that a person with a card in Germany has to fill in. */
async function fillIn(hand: Hand, card: string | undefined, email = newAddress()) {
  await hand.fill('Email', email)
  await hand.fill('Full name', 'Grace Hopper')
  await hand.choose('Country', 'Germany')
  if (card !== undefined) {
    await hand.press('Other test cards')
    await hand.press(card)
  }
  return email
}

/** Waits until the page has saved what was filled in, and sends nothing more by itself. */
async function saved(page: Page, id: string): Promise<void> {
  await expect.poll(async () => (await answered(shop.billing.getCheckout({ id }))).customerName).toBe('Grace Hopper')
  await page.locator('[data-tg=ledger][aria-busy]').waitFor({ state: 'detached' })
}

const statusOf = async (id: string) => (await answered(shop.billing.getCheckout({ id }))).status
const receipt = (page: Page) => page.getByRole('region', { name: 'Receipt' })
/** Calls that are refused on purpose are reported to the console by the browser. */
const refused = /status of (?:400|403|404|422)/

describe('a visitor buys a book', () => {
  test.each([
    ['mouse and keyboard', withMouse],
    ['the keyboard alone', withKeyboard],
  ])('by %s', async (_, handOf) => {
    await using visitor = await openVisitor(browser)
    const { page } = visitor
    const hand = handOf(page)
    const checkout = await open(page, 'book')

    const email = await fillIn(hand, 'Succeeds')
    await hand.press('Pay $19.00')
    await arriveAt(page, 'Payment received')

    const order = await shop.orderOf(checkout.id)
    const text = await receipt(page).innerText()
    for (const part of ['Northwind Traders', 'Grace Hopper', email, 'Germany', order.invoiceNumber, '$19.00', '4242'])
      expect(text).toContain(part)
    expect(text).toContain('Test receipt')
    expect(await page.locator('[data-tg=brand]').innerText()).toMatch(/^NT\s+Northwind Traders$/)
    expect(await page.locator('[data-tg=gate]').count()).toBe(0)
    expect(text).toMatch(/(?:GMT|UTC)/)
    expect(await axeFaults(page)).toEqual([])
    expect(visitor.takeFaults()).toEqual([])
  })
})

test('a declined card shows the reason at its field, keeps the input, and another card pays', async () => {
  await using visitor = await openVisitor(browser, { expected: refused })
  const { page } = visitor
  const hand = withMouse(page)
  const checkout = await open(page, 'book')
  const email = await fillIn(hand, 'Insufficient funds')

  await hand.press('Pay $19.00')
  await page.getByText('The card has insufficient funds. Try another one.').waitFor()

  const number = page.getByLabel('Card number')
  expect(await number.getAttribute('aria-invalid')).toBe('true')
  expect(await number.evaluate((element) => element === document.activeElement)).toBe(true)
  expect(await page.getByLabel('Email').inputValue()).toBe(email)
  expect(await statusOf(checkout.id)).toBe('open')
  expect(await axeFaults(page)).toEqual([])

  // A reload knows it, too.
  await page.reload()
  await settled(page)
  await page.getByText('The card has insufficient funds. Try another one.').waitFor()
  expect(await page.getByLabel('Email').inputValue()).toBe(email)

  await hand.press('Fill in a test card')
  await hand.press('Pay $19.00')
  await arriveAt(page, 'Payment received')
  expect(await statusOf(checkout.id)).toBe('succeeded')
  expect(visitor.takeFaults()).toEqual([])
})

describe('a payment that its buyer has to confirm', () => {
  test('is paid once they have', async () => {
    await using visitor = await openVisitor(browser)
    const { page } = visitor
    const hand = withKeyboard(page)
    const checkout = await open(page, 'book')
    await fillIn(hand, 'Asks to confirm')

    await hand.press('Pay $19.00')
    const dialog = page.getByRole('dialog', { name: 'Confirm the payment' })
    await dialog.waitFor()
    expect(await axeFaults(page)).toEqual([])
    expect(await statusOf(checkout.id)).toBe('confirmed')
    // A reload asks the buyer again.
    await page.reload()
    await dialog.waitFor()
    await hand.press('Complete')

    await arriveAt(page, 'Payment received')
    expect(visitor.takeFaults()).toEqual([])
  })

  test('can be tried again where they have not', async () => {
    await using visitor = await openVisitor(browser)
    const { page } = visitor
    const hand = withMouse(page)
    const checkout = await open(page, 'book')
    await fillIn(hand, 'Asks to confirm')

    await hand.press('Pay $19.00')
    await hand.press('Fail')
    await page.getByText('The payment was not confirmed. Try again, or use another card.').waitFor()
    expect(await statusOf(checkout.id)).toBe('open')

    await hand.press('Succeeds')
    await hand.press('Pay $19.00')
    await arriveAt(page, 'Payment received')
    expect(visitor.takeFaults()).toEqual([])
  })
})

test('a discount code changes the total in place, is read out once, and can be taken away', async () => {
  await using visitor = await openVisitor(browser, { timezoneId: 'Europe/Berlin', expected: refused })
  const { page } = visitor
  const hand = withMouse(page)
  await watchShifts(page)
  const checkout = await open(page, 'book')
  await page.evaluate(() => {
    const heard: string[] = []
    Object.assign(window, { heard })
    for (const region of document.querySelectorAll('[aria-live]'))
      new MutationObserver(() => heard.push(region.textContent ?? '')).observe(region, {
        characterData: true,
        childList: true,
        subtree: true,
      })
  })

  await hand.press('Add a discount code')
  await hand.fill('Discount code', 'NOTHING')
  await hand.press('Apply')
  await page.getByText('This code isn’t valid for this purchase.').waitFor()
  await hand.fill('Discount code', 'spring20')
  await page.keyboard.press('Enter')
  await page.getByText('20% off').waitFor()
  await page.getByRole('button', { name: 'Pay $15.20' }).waitFor()
  await page.getByText('Total $15.20').waitFor({ state: 'attached' })

  expect(await page.evaluate<string[]>('heard')).toEqual(['Total $15.20'])
  await hand.choose('Country', 'France')
  await page.waitForFunction(() => document.querySelector('[aria-busy]') === null)
  expect(await shiftFaults(page)).toEqual([])

  await hand.press('Remove SPRING20')
  await page.getByRole('button', { name: 'Pay $19.00' }).waitFor()
  await hand.press('Add a discount code')
  await hand.fill('Discount code', 'SPRING20')
  await hand.press('Apply')
  await fillIn(hand, 'Succeeds')
  await hand.press('Pay $15.20')
  await arriveAt(page, 'Payment received')
  expect(await receipt(page).innerText()).toContain('SPRING20')
  expect((await shop.orderOf(checkout.id)).discountAmount).toBe(380)
  expect(visitor.takeFaults()).toEqual([])
})

test('the cards that show later events stand out of the way, and fit on a phone', async () => {
  await using visitor = await openVisitor(browser, { viewport: { width: 320, height: 640 } })
  const { page } = visitor
  const hand = withKeyboard(page)
  const checkout = await open(page, 'book')
  expect(await page.getByRole('button', { name: 'Is disputed' }).isVisible()).toBe(false)

  await fillIn(hand, undefined)
  await hand.press('Other test cards')
  await page.getByRole('button', { name: 'Refund fails later' }).waitFor()
  expect(await overflowFaults(page)).toEqual([])
  expect(await axeFaults(page)).toEqual([])
  await hand.press('Is disputed')
  await hand.press('Pay $19.00')
  await arriveAt(page, 'Payment received')

  const { id } = await shop.orderOf(checkout.id)
  const disputes = async () => (await answered(shop.billing.listDisputes({ orderId: [id] }))).items
  await expect.poll(disputes).toMatchObject([{ amount: 1900, status: 'needs_response' }])
  expect(visitor.takeFaults()).toEqual([])
})

test('the page checks the answers to the seller’s questions, and the order keeps them', async () => {
  await using visitor = await openVisitor(browser)
  const { page } = visitor
  const hand = withMouse(page)
  const checkout = await open(page, 'passage')
  await fillIn(hand, 'Succeeds')
  await hand.fill('Crew', '41')

  await hand.press('Pay $40.00')
  await page.getByText('At most 40.').waitFor()
  await page.getByText('Select this to continue.').waitFor()
  expect(await page.getByLabel('Vessel').evaluate((element) => element === document.activeElement)).toBe(true)
  expect(await axeFaults(page)).toEqual([])

  await hand.fill('Vessel', 'Aurora')
  await hand.fill('Crew', '12')
  await page.getByLabel('Departure').fill('2027-05-17')
  await hand.choose('Home port', 'Trondheim')
  await hand.tick('I have read the terms')
  await hand.press('Pay $40.00')
  await arriveAt(page, 'Payment received')

  expect((await shop.orderOf(checkout.id)).customFieldData).toEqual({
    vessel: 'Aurora',
    crew: 12,
    departure: '2027-05-17',
    port: 'trd',
    terms: true,
  })
  expect(visitor.takeFaults()).toEqual([])
})

test('a company buys with its name, its tax ID and its whole address', async () => {
  await using visitor = await openVisitor(browser, { expected: refused })
  const { page } = visitor
  const hand = withMouse(page)
  const checkout = await open(page, 'book')
  await fillIn(hand, 'Succeeds')

  await hand.tick('I’m buying for a company')
  await hand.fill('Company name', 'Analytical Engines GmbH')
  await hand.fill('Tax ID', 'DE123')
  await hand.fill('Street and number', 'Deichstraße 12')
  await page.getByText('This is not a tax ID of that country.').waitFor()
  await hand.press('Pay $19.00')
  await page.getByText('Fill this in.').first().waitFor()
  expect(await page.getByLabel('Tax ID').evaluate((input) => input === document.activeElement)).toBe(true)
  await hand.fill('Tax ID', 'DE136695976')
  await hand.fill('Postal code', '20459')
  await hand.fill('City', 'Hamburg')
  await hand.press('Pay $19.00')
  await arriveAt(page, 'Payment received')

  const text = await receipt(page).innerText()
  for (const part of ['Analytical Engines GmbH', 'Deichstraße 12', '20459 Hamburg', '136695976'])
    expect(text).toContain(part)
  expect((await shop.orderOf(checkout.id)).billingName).toBe('Analytical Engines GmbH')
  expect(visitor.takeFaults()).toEqual([])
})

test('an American gives their state', async () => {
  await using visitor = await openVisitor(browser)
  const { page } = visitor
  const hand = withMouse(page)
  const checkout = await open(page, 'book')
  await hand.fill('Email', newAddress())
  await hand.fill('Full name', 'Grace Hopper')
  await hand.choose('Country', 'United States')
  await hand.press('Fill in a test card')

  await hand.fill('Street and number', '1 Harbor Street')
  await hand.fill('Postal code', '94111')
  await hand.fill('City', 'San Francisco')
  await hand.press('Pay $19.00')
  await page.getByText('Choose one.').waitFor()
  await hand.choose('State', 'California')
  await hand.press('Pay $19.00')
  await arriveAt(page, 'Payment received')

  expect((await shop.orderOf(checkout.id)).billingAddress).toMatchObject({ state: 'US-CA', postalCode: '94111' })
  expect(visitor.takeFaults()).toEqual([])
})

test('a free order takes an address and no card', async () => {
  await using visitor = await openVisitor(browser)
  const { page } = visitor
  const hand = withMouse(page)
  const checkout = await open(page, 'free')
  expect(await page.getByLabel('Card number').count()).toBe(0)

  await hand.press('Get for free')
  await page.getByText('Fill this in.').waitFor()
  await hand.fill('Email', newAddress())
  await hand.press('Get for free')
  await arriveAt(page, 'Your order is complete')

  expect(await statusOf(checkout.id)).toBe('succeeded')
  expect(visitor.takeFaults()).toEqual([])
})

test('a buyer who chooses the price is held to the seller’s limits', async () => {
  await using visitor = await openVisitor(browser, { expected: refused })
  const { page } = visitor
  const hand = withMouse(page)
  const checkout = await open(page, 'gift', { returnUrl: 'https://lighthouse.example/gifts' })
  expect(await page.getByRole('link', { name: 'Back to Northwind Traders' }).getAttribute('href')).toBe(
    'https://lighthouse.example/gifts',
  )

  await hand.fill('Your amount', '4')
  await page.getByText('The minimum is $5.00.').waitFor()
  await fillIn(hand, 'Succeeds')
  for (const [wrong, why] of [
    ['4', 'The minimum is $5.00.'],
    ['600', 'The maximum is $500.00.'],
    ['', 'Enter an amount such as 12.50.'],
    ['3.999', 'Enter an amount such as 12.50.'],
  ] as const) {
    await hand.fill('Your amount', wrong)
    await hand.press('Pay $25.00')
    await page.getByText(why).waitFor()
    const field = page.getByLabel('Your amount')
    expect(await field.evaluate((input) => [input === document.activeElement, input.ariaInvalid])).toEqual([
      true,
      'true',
    ])
  }
  expect(await statusOf(checkout.id)).toBe('open')
  await hand.fill('Your amount', '12.50')
  await page.getByRole('button', { name: 'Pay $12.50' }).waitFor()
  await hand.fill('Your amount', '12.40')
  await hand.press('Pay $12.50') // before the page has said the new one: what is in the field is paid
  await arriveAt(page, 'Payment received')

  expect((await shop.orderOf(checkout.id)).totalAmount).toBe(1240)
  expect(await page.getByRole('link', { name: 'Back to Northwind Traders' }).getAttribute('href')).toBe(
    'https://lighthouse.example/gifts',
  )
  expect(visitor.takeFaults()).toEqual([])
})

test('a late refusal of an amount says nothing about the one typed since', async () => {
  await using visitor = await openVisitor(browser, { expected: refused })
  const { page } = visitor
  const hand = withMouse(page)
  await open(page, 'gift')
  const held = Promise.withResolvers<void>()
  await page.route('**/checkouts/client/*', async (route) => {
    if (route.request().method() === 'PATCH') await held.promise
    await route.continue()
  })

  const sent = page.waitForRequest((request) => request.method() === 'PATCH')
  await hand.fill('Your amount', '600')
  await sent
  await hand.fill('Your amount', '3.999')
  await hand.press('Pay $25.00')
  await page.getByText('Enter an amount such as 12.50.').waitFor()
  held.resolve()
  await page.locator('[data-tg=ledger][aria-busy]').waitFor({ state: 'detached' })

  await page.getByText('Enter an amount such as 12.50.').waitFor()
  expect(visitor.takeFaults()).toEqual([])
})

test('a buyer can switch a subscription to yearly before buying, and its receipt shows the renewal date', async () => {
  await using visitor = await openVisitor(browser)
  const { page } = visitor
  const hand = withMouse(page)
  const checkout = await answered(shop.billing.createCheckout({ products: [products.monthly, products.yearly] }))
  await page.goto(checkout.url)
  await settled(page)
  await page.getByText('then $19.00 / month').waitFor()

  await page.getByRole('radio', { name: /\$190\.00 \/ year/ }).click()
  await page.getByText('then $190.00 / year').waitFor()
  await fillIn(hand, 'Succeeds')
  await hand.press('Subscribe for $190.00')
  await arriveAt(page, 'Payment received')

  expect(await receipt(page).innerText()).toMatch(/Renews on .+ for \$190\.00 \/ year\./)
  const { items } = await answered(shop.billing.listSubscriptions({ productId: [products.yearly] }))
  expect(items).toMatchObject([{ status: 'active', amount: 19_000, checkoutId: checkout.id }])
  expect(visitor.takeFaults()).toEqual([])
})

test('after the payment the browser goes where the seller wants it, with the id of the checkout', async () => {
  await using visitor = await openVisitor(browser)
  const { page } = visitor
  const hand = withMouse(page)
  const checkout = await open(page, 'book', { successUrl: `${site.origin}/error?error={CHECKOUT_ID}` })

  await fillIn(hand, 'Succeeds')
  await hand.press('Pay $19.00')

  await page.waitForURL(`${site.origin}/error?error=${checkout.id}`)
  // Opening the checkout again shows the receipt and the next step.
  await page.goto(checkout.url)
  await arriveAt(page, 'Payment received')
  expect(await page.getByRole('link', { name: 'Continue to Northwind Traders' }).getAttribute('href')).toBe(
    `${site.origin}/error?error=${checkout.id}`,
  )
  expect(visitor.takeFaults()).toEqual([])
})

test('a checkout that was paid in another window becomes the receipt here', async () => {
  await using visitor = await openVisitor(browser, { expected: refused })
  const { page } = visitor
  const hand = withMouse(page)
  const checkout = await open(page, 'book')
  await fillIn(hand, 'Succeeds')
  await saved(page, checkout.id)
  await answered(
    shop.billing.confirmClientCheckout({
      clientSecret: checkout.clientSecret,
      customerEmail: newAddress(),
      customerName: 'Grace Hopper',
      customerBillingAddress: { country: 'DE' },
      confirmationTokenId: 'ctoken_sandbox_success',
    }),
  )

  await hand.press('Pay $19.00')
  await arriveAt(page, 'Payment received')

  const { items } = await answered(shop.billing.listPayments({ checkoutId: [checkout.id] }))
  expect(items).toHaveLength(1)
  expect(visitor.takeFaults()).toEqual([])
})

test.each([
  { becomes: 'is lost', answer: (route: Route) => route.abort() },
  { becomes: 'is a proxy’s that has waited long enough', answer: (route: Route) => route.fulfill({ status: 504 }) },
])('a payment whose answer $becomes is made once, and its receipt found by itself', async ({ answer }) => {
  await using visitor = await openVisitor(browser, { expected: /ERR_FAILED|status of 504/ })
  const { page } = visitor
  const hand = withMouse(page)
  const checkout = await open(page, 'book')
  await page.route('**/confirm', async (route) => {
    await route.fetch()
    await answer(route)
  })
  await fillIn(hand, 'Succeeds')
  await hand.press('Pay $19.00')
  await arriveAt(page, 'Payment received')

  const { items } = await answered(shop.billing.listPayments({ checkoutId: [checkout.id] }))
  expect(items).toHaveLength(1)
  expect(visitor.takeFaults()).toEqual([])
})

test.each([
  [
    'the seller has changed the amount',
    'gift',
    '25.00',
    (id: string) => answered(shop.billing.updateCheckout({ id, amount: 9900 })),
  ],
  [
    'its price was replaced',
    'growing',
    '30.00',
    () =>
      answered(
        shop.billing.updateProduct({ id: products.growing, prices: [{ amountType: 'fixed', priceAmount: 9900 }] }),
      ),
  ],
] as const)(
  'no buyer pays a price that they have not seen: where %s it is shown before they pay',
  async (_, product, seen, change) => {
    await using visitor = await openVisitor(browser, { expected: refused })
    const { page } = visitor
    const hand = withMouse(page)
    const { id } = await open(page, product)
    await fillIn(hand, 'Succeeds')
    await saved(page, id)
    await change(id)

    await hand.press(`Pay $${seen}`)
    await page.getByText('The amount has changed.').waitFor()
    expect(await statusOf(id)).toBe('open')
    await hand.press('Pay $99.00')
    await arriveAt(page, 'Payment received')

    const { items } = await answered(shop.billing.listPayments({ checkoutId: [id] }))
    expect(items.map(({ amount }) => amount)).toEqual([9900])
    expect(visitor.takeFaults()).toEqual([])
  },
)

test.each(['monthly', 'gift'] as const)(
  'the preview in the editor of a %s is the ticket of its checkout',
  async (name) => {
    await using visitor = await openVisitor(browser)
    const { page } = visitor
    await signIn(visitor, site, ada)
    await visit(page, site, `/dashboard/northwind/products/${products[name]}`)
    const preview = page.getByRole('region', { name: 'Checkout preview' }).locator('[data-tg=ticket-preview]')
    const button = await preview.locator('[data-tg=button]').last().innerText()
    const ticket = await preview.locator('[data-tg=ticket]').innerText()
    const faults = await axeFaults(page)

    await open(page, name)

    expect(ticket).toBe(await page.locator('[data-tg=ticket]').innerText())
    expect(button).toBe(await page.locator('[data-tg=pay]').innerText())
    expect(faults).toEqual([])
    expect(visitor.takeFaults()).toEqual([])
  },
)

test('an expired checkout states that nothing was charged', async () => {
  await using visitor = await openVisitor(browser, { expected: /status of 410/ })
  const { page } = visitor
  const checkout = await open(page, 'book')

  await site.advance('P2D')
  await withMouse(page).fill('Email', newAddress())
  await page.getByLabel('Full name').click()
  await arriveAt(page, 'This checkout has expired')
  await page.reload()
  await arriveAt(page, 'This checkout has expired')

  expect(checkout.status).toBe('open')
  expect(await page.locator('[data-tg=brand]').innerText()).toMatch(/^NT\s+Northwind Traders$/)
  expect(await axeFaults(page)).toEqual([])
  expect(visitor.takeFaults()).toEqual([])
})

test('the page greets a signed-in user by name, and they can change the account', async () => {
  await using visitor = await openVisitor(browser)
  const { page } = visitor
  await signIn(visitor, site, ada)
  await open(page, 'book')

  await page.getByText('Signed in as Ada Lovelace.').waitFor()
  expect(await page.getByLabel('Email').inputValue()).toBe(ada.email)
  await withMouse(page).press('Not you?')
  await page.waitForURL(/\/sign-in\?switch=1&callbackURL=%2Fcheckout%2F/)
  expect(visitor.takeFaults()).toEqual([])
})

describe('the pricing page', () => {
  test('leads from a product to its checkout', async () => {
    await using visitor = await openVisitor(browser)
    const { page } = visitor
    await visit(page, site, '/pricing/northwind')
    const cards = page.getByRole('article').filter({ visible: true })
    expect(await cards.filter({ hasText: '/ year' }).count()).toBe(0)

    await page.getByRole('radio', { name: /Yearly/ }).click()
    await cards.filter({ hasText: '$190.00 / year' }).getByText('Save 16%').waitFor()
    expect(await cards.filter({ hasText: '/ month' }).count()).toBe(0)
    await cards.filter({ hasText: '$190.00 / year' }).getByRole('button', { name: 'Subscribe Harbor' }).click()

    await page.waitForURL(/\/checkout\/tollgate_co_/)
    await arriveAt(page, 'Checkout')
    await page.getByRole('button', { name: 'Subscribe for $190.00' }).waitFor()
    expect(visitor.takeFaults()).toEqual([])
  })

  test('of a seller without products has the seller’s mark', async () => {
    await using visitor = await openVisitor(browser)
    const { page } = visitor
    const id = await site.account({ ...ada, email: 'empty@example.com' })
    await openShop(site, { ...ada, email: 'empty@example.com', id }, { name: 'Empty Shelves', slug: 'empty' })
    await visit(page, site, '/pricing/empty')

    await arriveAt(page, 'Nothing is on sale at the moment')
    expect(await page.locator('[data-tg=brand]').innerText()).toMatch(/^ES\s+Empty Shelves$/)
    expect(await page.locator('[data-tg=gate]').count()).toBe(0)
    expect(visitor.takeFaults()).toEqual([])
  })

  test('marks what the visitor, whose address is proven, already has', async () => {
    await using visitor = await openVisitor(browser)
    const { page } = visitor
    await signIn(visitor, site, ada)
    await open(page, 'monthly')
    const hand = withMouse(page)
    await hand.fill('Full name', 'Ada Lovelace')
    await hand.choose('Country', 'Germany')
    await hand.press('Fill in a test card')
    await hand.press('Subscribe for $19.00')
    await arriveAt(page, 'Payment received')

    await visit(page, site, '/pricing/northwind')

    await page.getByRole('article').filter({ hasText: '$19.00 / month' }).getByText('Your plan').waitFor()
    expect(visitor.takeFaults()).toEqual([])
  })
})

test('without JavaScript prices lead on, a checkout can be read, and a receipt is whole', async () => {
  const expected = /assets\/.*\.js failed: csp/
  await using visitor = await openVisitor(browser, { javaScriptEnabled: false, expected })
  const { page } = visitor
  await page.goto(`${site.origin}/pricing/northwind`)
  await page.getByRole('button', { name: 'Buy Atlas of the north' }).click()
  await page.getByRole('heading', { name: 'Checkout' }).waitFor()

  await page.getByText('Payment needs JavaScript.').waitFor()
  expect(await page.getByRole('button', { name: /^Pay/ }).count()).toBe(0)
  const { clientSecret } = await answered(shop.billing.createCheckout({ products: [products.free] }))
  await answered(shop.billing.confirmClientCheckout({ clientSecret, customerEmail: newAddress() }))
  await page.goto(`${site.origin}/checkout/${clientSecret}`)
  await page.getByRole('heading', { name: 'Your order is complete' }).waitFor()
  expect(await receipt(page).innerText()).toContain('Tide tables')
  expect(await page.getByRole('button', { name: 'Print' }).count()).toBe(0)
  expect(visitor.takeFaults()).toEqual([])
})

describe('a checkout in a frame', () => {
  /** A seller's page on its own origin, which frames what its query names and records the messages. */
  async function openSellersPage() {
    const server = createServer((request, response) => {
      const framed = new URL(request.url ?? '', 'http://seller').searchParams.get('framed') ?? ''
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end(`<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,">
<script>window.told = []; addEventListener('message', ({ origin, data }) => told.push({ origin, ...data }))</script>
<iframe title="Checkout" width="1000" height="1600" src="${framed.replace(/["<&]/g, '')}"></iframe>`)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const origin = `http://localhost:${(server.address() as AddressInfo).port}` // listening on a port, so not a pipe
    return { origin, [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())) }
  }

  test('reports its progress to the seller’s page, and to no other', async () => {
    await using seller = await openSellersPage()
    await using visitor = await openVisitor(browser)
    const { page } = visitor
    const { url, id } = await answered(
      shop.billing.createCheckout({ products: [products.free], embedOrigin: seller.origin }),
    )
    await page.goto(`${seller.origin}/?framed=${encodeURIComponent(`${url}?embed=1`)}`)
    const frame = page.frameLocator('iframe')

    await frame.getByRole('button', { name: 'Close' }).click()
    await frame.getByLabel('Email').fill(newAddress())
    await frame.getByRole('button', { name: 'Get for free' }).click()
    await frame.getByRole('heading', { name: 'Your order is complete' }).waitFor()

    const told = await page.evaluate<object[]>('told')
    expect(told).toMatchObject(
      ['loaded', 'close', 'confirmed', 'success'].map((event) => ({
        origin: site.origin,
        type: 'TOLLGATE_CHECKOUT',
        event,
      })),
    )
    expect(told.at(-1)).toMatchObject({ checkoutId: id })
    expect(visitor.takeFaults()).toEqual([])
  })

  test('is shown on no other page', async () => {
    await using seller = await openSellersPage()
    await using visitor = await openVisitor(browser, { expected: /frame-ancestors|ERR_BLOCKED_BY_RESPONSE/ })
    const { page } = visitor
    const { url } = await answered(
      shop.billing.createCheckout({ products: [products.free], embedOrigin: 'https://shop.example' }),
    )

    await page.goto(`${seller.origin}/?framed=${encodeURIComponent(`${url}?embed=1`)}`)

    expect(await page.frameLocator('iframe').getByRole('heading', { name: 'Checkout' }).count()).toBe(0)
    expect(await page.evaluate<object[]>('told')).toEqual([])
  })
})

test('the text about wrong fields goes when the last of them is changed', async () => {
  await using visitor = await openVisitor(browser)
  const { page } = visitor
  const hand = withMouse(page)
  await open(page, 'book')
  await hand.press('Pay $19.00')
  const alert = page.getByText('Something needs a correction.')
  await alert.waitFor()

  await fillIn(hand, undefined)
  expect(await alert.count()).toBe(1)
  await hand.press('Fill in a test card')

  expect(await alert.count()).toBe(0)
  expect(visitor.takeFaults()).toEqual([])
})

test('a wrong discount code is refused at its field, and nowhere else', async () => {
  await using visitor = await openVisitor(browser, { expected: refused })
  const { page } = visitor
  const hand = withMouse(page)
  await open(page, 'book')
  const wrong = page.getByText('This code isn’t valid for this purchase.')
  const alert = page.getByText('Something needs a correction.')
  await hand.press('Pay $19.00')
  await alert.waitFor()
  await fillIn(hand, 'Succeeds')
  expect(await alert.count()).toBe(0)

  await hand.press('Add a discount code')
  await hand.fill('Discount code', 'NOTHING')
  await hand.press('Apply')
  await wrong.waitFor()
  expect(await page.getByRole('alert').allInnerTexts()).toEqual([''])

  // A payment that fails for something else leaves it where it is, and leads to what is wrong.
  await hand.fill('Email', '')
  await hand.press('Pay $19.00')
  await page.getByText('Fill this in.').waitFor()
  expect(await page.getByLabel('Email').evaluate((input) => input === document.activeElement)).toBe(true)
  expect(await wrong.count()).toBe(1)
  expect(await page.getByRole('alert').allInnerTexts()).toEqual([''])

  await page.getByLabel('Discount code').press('x')
  expect(await wrong.count()).toBe(0)
  expect(visitor.takeFaults()).toEqual([])
})

test('the text about wrong fields goes with fields that another country does not ask for', async () => {
  await using visitor = await openVisitor(browser, { timezoneId: 'America/New_York' })
  const { page } = visitor
  const hand = withMouse(page)
  await open(page, 'book')
  await hand.fill('Email', newAddress())
  await hand.fill('Full name', 'Grace Hopper')
  await hand.press('Fill in a test card')
  await hand.press('Pay $19.00')
  await page.getByText('Something needs a correction.').waitFor()

  await hand.choose('Country', 'Germany')

  expect(await page.getByText('Something needs a correction.').count()).toBe(0)
  expect(visitor.takeFaults()).toEqual([])
})

test('the folded ticket of a subscription says how often its total is due', async () => {
  await using visitor = await openVisitor(browser, { viewport: { width: 360, height: 740 } })
  const { page } = visitor
  const hand = withMouse(page)
  await open(page, 'monthly')
  const fold = page.getByRole('complementary').getByRole('button').first()
  expect(await fold.innerText()).toMatch(/Harbor\s+Show details\s+\$19\.00\s+\/ month$/)

  await hand.press(/Show details/)
  await hand.press('Add a discount code')
  await hand.fill('Discount code', 'SPRING20')
  await hand.press('Apply')
  await page.getByText('20% off').waitFor()

  expect(await fold.innerText()).toMatch(/Harbor\s+Hide details\s+\$15\.20\s+then \$19\.00 \/ month$/)
  expect(await overflowFaults(page)).toEqual([])
})

test('on a phone the ticket is one line with the total, unfolds, and shows a wrong code by itself', async () => {
  await using visitor = await openVisitor(browser, { viewport: { width: 360, height: 740 }, expected: refused })
  const { page } = visitor
  const hand = withKeyboard(page)
  await open(page, 'book')
  const ticket = page.getByRole('complementary')
  const code = ticket.getByRole('button', { name: 'Add a discount code' })
  expect(await ticket.innerText()).toMatch(/Atlas of the north\s+Show details\s+\$19\.00/)
  expect(await code.isVisible()).toBe(false)

  await hand.press(/Show details/)
  await hand.press('Add a discount code')
  await hand.fill('Discount code', 'NOTHING')
  await hand.press('Apply')
  await page.getByText('This code isn’t valid for this purchase.').waitFor()
  await hand.press(/Hide details/)

  expect(await page.getByText('This code isn’t valid for this purchase.').isVisible()).toBe(true)
  expect(await axeFaults(page)).toEqual([])
  expect(await overflowFaults(page)).toEqual([])
  expect(visitor.takeFaults()).toEqual([])
})

test('no word is said of a tax where the server charges none', async () => {
  await using visitor = await openVisitor(browser)
  const { page } = visitor
  await open(page, 'book')
  await withMouse(page).choose('Country', 'Germany')
  await page.waitForFunction(() => document.querySelector('[aria-busy]') === null)

  const lines = await page.getByRole('region', { name: 'Summary' }).getByRole('term').allInnerTexts()
  expect(lines).toEqual(['Atlas of the north × 1', 'Add a discount code', 'Total'])
})

test.each([
  ['book', 'Pay $19.00'],
  ['monthly', 'Subscribe for $19.00'],
] as const)(
  'the button to pay a %s is in sight at once, also where a whole address is asked for',
  async (name, label) => {
    await using visitor = await openVisitor(browser, { locale: 'en-US', timezoneId: 'America/New_York' })
    const { page } = visitor
    await signIn(visitor, site, ada)
    await open(page, name)

    await page.getByLabel('Street and number').waitFor()
    await page.getByText('Signed in as Ada Lovelace').waitFor()
    const box = await page.getByRole('button', { name: label }).boundingBox()
    expect((box?.y ?? Number.NaN) + (box?.height ?? 0)).toBeLessThanOrEqual(800 - 16)
    expect((await page.getByRole('heading', { level: 2 }).allInnerTexts()).slice(1)).toEqual([
      'Summary',
      'Contact',
      'Payment',
      'Billing address',
    ])
  },
)

describe('the lines of an address appear with the preselected country, and move nothing', () => {
  const inAmerica = ['Street and number', 'City', 'State', 'Postal code']

  test.each([
    ['en-US', 'America/New_York', 'US', inAmerica],
    ['en-US', 'Europe/Berlin', 'DE', []],
    ['en-GB', 'America/Chicago', 'US', inAmerica],
    ['de-DE', 'America/Toronto', 'CA', ['Province']],
  ])('of a browser in %s and %s', async (locale, timezoneId, country, lines) => {
    await using visitor = await openVisitor(browser, { locale, timezoneId })
    const { page } = visitor
    await watchShifts(page)
    const { url } = await answered(shop.billing.createCheckout({ products: [products.book] }))

    await page.goto(`${url}?lang=en`)
    await settled(page)
    await expect.poll(() => page.getByLabel('Country').inputValue()).toBe(country)

    expect(await page.locator('[data-tg=address-lines] label').allInnerTexts()).toEqual(lines)
    expect(await page.getByRole('button', { name: 'Pay $19.00' }).isVisible()).toBe(true)
    expect(await shiftFaults(page)).toEqual([])
    expect(visitor.takeFaults()).toEqual([])
  })
})

test('nothing is cut off on a phone during a purchase', async () => {
  await using visitor = await openVisitor(browser, { viewport: { width: 360, height: 740 } })
  const { page } = visitor
  const hand = withMouse(page)
  await open(page, 'passage')

  await hand.press('Pay $40.00')
  await page.getByText('Something needs a correction.').waitFor()
  expect(await overflowFaults(page)).toEqual([])
  await hand.tick('I’m buying for a company')
  await page.getByLabel('Company name').waitFor()

  expect(await overflowFaults(page)).toEqual([])
  expect(await axeFaults(page)).toEqual([])
  expect(visitor.takeFaults()).toEqual([])
})
