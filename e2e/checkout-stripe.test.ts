import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createStripeServer,
  type StripeServer,
  stripeTestKeys,
} from '../packages/server/src/features/billing/testing/stripe-server.ts'
import { axeFaults } from './browser/inspection.ts'
import { ada, arriveAt, withMouse } from './browser/people.ts'
import { answered, openShop, type Shop } from './browser/seller.ts'
import { openSite, type Site } from './browser/site.ts'
import { openChromium, openVisitor, settled, type Visitor, type VisitorOptions } from './browser/visitor.ts'

/** A checkout that is paid by Stripe: its script and its API are stand-ins, everything else is real. */
let stripe: StripeServer
let site: Site
let browser: Browser
let shop: Shop
let book: string

beforeAll(async () => {
  stripe = createStripeServer()
  const opened = openSite(
    { billing: { whoMaySell: 'everyone' } },
    { fetch: stripe.fetch, env: { ...stripeTestKeys, STRIPE_LINK: 'on' } },
  )
  ;[site, browser] = await Promise.all([opened, openChromium()])
  const id = await site.account(ada)
  await site.confirm(ada.email)
  shop = await openShop(site, { ...ada, id }, { name: 'Northwind Traders', slug: 'northwind' })
  const prices = [{ amountType: 'fixed' as const, priceAmount: 1900 }]
  book = (await answered(shop.billing.createProduct({ name: 'Atlas', recurringInterval: null, prices }))).id
})

afterAll(async () => {
  await browser.close()
  await site[Symbol.asyncDispose]()
})

/** What Stripe's script does for the page, as far as the page asks for it: a field for a card, tokens, and the bank's question. */
const script = `
  // The Express Checkout Element: a button where the browser has a wallet, which names its buyer.
  function express(elements, options, own) {
    const listeners = {}
    const button = document.createElement('button')
    button.type = 'button'
    const { isLink } = window.walletBuyer ?? {}
    button.textContent = isLink ? 'Pay with Link' : 'Buy with Google Pay'
    window.expressOptions = options
    return {
      on: (name, listener) => { listeners[name] = listener },
      mount: (place) => {
        const wallet = window.walletBuyer
        if (wallet) place.append(button)
        elements.update = (changes) => Object.assign(options, changes)
        elements.submit = async () => ({})
        elements.card = () => isLink ? 'link' : 'success'
        button.addEventListener('click', () => listeners.click({
          elementType: 'expressCheckout',
          expressPaymentType: 'google_pay',
          reject: () => { window.walletSaid = 'rejected' },
          resolve: () => listeners.confirm({
            expressPaymentType: 'google_pay',
            billingDetails: wallet,
            paymentFailed: ({ reason }) => { window.walletSaid = reason },
          }),
        }))
        listeners.ready({
          elementType: 'expressCheckout',
          availablePaymentMethods: wallet && { applePay: false, googlePay: !isLink, link: isLink && own.paymentMethods.link === 'auto' },
        })
      },
      destroy: () => button.remove(),
    }
  }
  window.Stripe = (key, { locale }) => ({
    key,
    elements: (options) => {
      const listeners = {}
      const field = document.createElement('input')
      field.setAttribute('aria-label', 'Card')
      window.stripeOptions = { ...options, key }
      const form = {}
      return Object.assign(form, {
        create: (kind, own) => kind === 'expressCheckout' ? express(form, options, own) : ({
          on: (name, listener) => { listeners[name] = listener },
          mount: (place) => {
            place.append(field)
            field.addEventListener('input', () => listeners.change())
            listeners.ready()
          },
          destroy: () => field.remove(),
        }),
        update: (changes) => Object.assign(window.stripeOptions, changes),
        submit: async () => field.value ? {} : { error: { type: 'validation_error', message: 'Incomplete' } },
        card: () => field.value,
      })
    },
    createConfirmationToken: async ({ elements }) => {
      const answer = await fetch('https://api.stripe.com/stand-in/tokens?card=' + elements.card())
      return { confirmationToken: await answer.json() }
    },
    handleNextAction: async ({ clientSecret }) => {
      await fetch('https://api.stripe.com/stand-in/actions?secret=' + clientSecret)
      return {}
    },
    registerAppInfo: () => {},
    _registerWrapper: () => {},
  })
  window.Stripe.version = 'endive'
`

/** A visitor whose browser reaches the stand-ins instead of Stripe. */
async function openBuyer(options: VisitorOptions = {}, bank: 'succeed' | 'fail' = 'succeed'): Promise<Visitor> {
  const visitor = await openVisitor(browser, options)
  const cors = { 'access-control-allow-origin': '*' }
  await visitor.context.route('https://js.stripe.com/**', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: script }),
  )
  await visitor.context.route('https://api.stripe.com/stand-in/**', async (route) => {
    const { pathname, searchParams } = new URL(route.request().url())
    if (pathname.endsWith('/tokens')) {
      const id = stripe.token(searchParams.get('card') as 'success') // one of its cards, typed by the test
      return route.fulfill({ json: { id }, headers: cors })
    }
    const secret = searchParams.get('secret') ?? ''
    await tell(() => void stripe.answerAction(secret, bank))
    return route.fulfill({ json: {}, headers: cors })
  })
  return visitor
}

/** Has something happen at Stripe, and its events sent to the site. */
async function tell(happens: () => void): Promise<void> {
  const before = stripe.events.length
  happens()
  for (const event of stripe.events.slice(before)) {
    const { body, signature } = stripe.signed(event)
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
    const answer = await fetch(`${site.origin}/v1/stripe/events`, { method: 'POST', body, headers })
    expect(answer.status).toBe(200)
  }
}

async function open(page: Page) {
  const checkout = await answered(shop.billing.createCheckout({ products: [book] }))
  await page.goto(checkout.url)
  await settled(page)
  const hand = withMouse(page)
  await page.getByLabel('Card', { exact: true }).waitFor()
  await hand.fill('Email', `${checkout.id.slice(0, 8)}@example.com`)
  await hand.fill('Full name', 'Grace Hopper')
  await hand.choose('Country', 'Germany')
  return { checkout, hand }
}

const statusOf = async (id: string) => (await answered(shop.billing.getCheckout({ id }))).status
const refused = /status of (?:400|422)/

test('a card is typed into Stripe’s field and pays', async () => {
  await using visitor = await openBuyer()
  const { page } = visitor
  const { checkout, hand } = await open(page)
  const options = await page.evaluate(() => Reflect.get(window, 'stripeOptions'))
  expect(options).toMatchObject({
    key: stripeTestKeys.STRIPE_PUBLISHABLE_KEY,
    mode: 'payment',
    amount: 1900,
    currency: 'usd',
    locale: 'en',
    appearance: { variables: { colorText: expect.stringMatching(/^(?:rgb|oklch|color)/) } },
  })
  expect(await axeFaults(page)).toEqual([])

  await hand.fill('Card', 'success')
  await hand.press('Pay $19.00')
  await arriveAt(page, 'Payment received')

  expect(await statusOf(checkout.id)).toBe('succeeded')
  expect(visitor.takeFaults()).toEqual([])
})

test('an empty field and a declined card show our messages, and another card pays with the kept input', async () => {
  await using visitor = await openBuyer({ expected: refused })
  const { page } = visitor
  const { checkout, hand } = await open(page)

  await hand.press('Pay $19.00')
  await page.getByText('Check the details of your card.').waitFor()
  await hand.fill('Card', 'funds')
  expect(await page.getByText('Check the details of your card.').count()).toBe(0)
  await hand.press('Pay $19.00')
  await page.getByText('The card has insufficient funds. Try another one.').waitFor()

  expect(await page.getByLabel('Full name').inputValue()).toBe('Grace Hopper')
  expect(await page.getByLabel('Country').inputValue()).toBe('DE')
  await hand.fill('Card', 'success')
  await hand.press('Pay $19.00')
  await arriveAt(page, 'Payment received')
  expect(await statusOf(checkout.id)).toBe('succeeded')
  expect(visitor.takeFaults()).toEqual([])
})

test.each([
  ['succeed', 'Payment received'],
  ['fail', 'Checkout'],
] as const)('a bank that asks the buyer: %s', async (outcome, title) => {
  await using visitor = await openBuyer({ expected: refused }, outcome)
  const { page } = visitor
  const { checkout, hand } = await open(page)

  await hand.fill('Card', 'action')
  await hand.press('Pay $19.00')
  if (outcome === 'fail')
    await page.getByText('The payment was not confirmed. Try again, or use another card.').waitFor()
  else await arriveAt(page, title)

  expect(await statusOf(checkout.id)).toBe(outcome === 'fail' ? 'open' : 'succeeded')
  expect(visitor.takeFaults()).toEqual([])
})

test('where Stripe’s script is blocked the page shows it, and continues once it is not', async () => {
  await using visitor = await openBuyer({ expected: /js\.stripe\.com|ERR_FAILED/ })
  const { page, context } = visitor
  await context.route('https://js.stripe.com/**', (route) => route.abort('failed'))
  const { url } = await answered(shop.billing.createCheckout({ products: [book] }))
  await page.goto(url)
  await page.getByText('The payment form could not be loaded.').waitFor()

  await context.unroute('https://js.stripe.com/**')
  await context.route('https://js.stripe.com/**', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: script }),
  )
  await page.getByRole('button', { name: 'Try again' }).click()

  await page.getByLabel('Card', { exact: true }).waitFor()
  expect(visitor.takeFaults()).toEqual([])
})

const walletBuyer = {
  name: 'Grace Hopper',
  email: 'grace@example.com',
  phone: '',
  address: { line1: '1 Main St', line2: '', city: 'Hamburg', state: '', postal_code: '20095', country: 'DE' },
}

/** A buyer whose browser has a wallet. */
async function openWithWallet(product: string, wallet = 'Buy with Google Pay') {
  const visitor = await openBuyer()
  const buyer = { ...walletBuyer, isLink: wallet === 'Pay with Link' }
  await visitor.page.addInitScript((given) => Reflect.set(window, 'walletBuyer', given), buyer)
  const checkout = await answered(shop.billing.createCheckout({ products: [product] }))
  await visitor.page.goto(checkout.url)
  await settled(visitor.page)
  const button = visitor.page.getByRole('button', { name: wallet })
  await button.waitFor()
  return { visitor, checkout, button }
}

test('a wallet pays with its buyer’s name and address, and without the form', async () => {
  const { visitor, checkout, button } = await openWithWallet(book)
  await using _ = visitor
  const { page } = visitor
  expect(await page.evaluate(() => Reflect.get(window, 'expressOptions'))).toMatchObject({
    mode: 'payment',
    amount: 1900,
    currency: 'usd',
    paymentMethodTypes: ['card', 'link'],
  })
  expect(await page.getByText(/Google Pay.*Northwind Traders|Northwind Traders.*Google Pay/).count()).toBe(1)
  expect(await axeFaults(page)).toEqual([])

  await button.click()
  await arriveAt(page, 'Payment received')

  expect(await answered(shop.billing.getCheckout({ id: checkout.id }))).toMatchObject({
    status: 'succeeded',
    customerEmail: 'grace@example.com',
    customerName: 'Grace Hopper',
    customerBillingAddress: { line1: '1 Main St', city: 'Hamburg', postalCode: '20095', country: 'DE' },
  })
  expect(visitor.takeFaults()).toEqual([])
})

test('Link pays with a button of its own, and its payment says so', async () => {
  const { visitor, checkout, button } = await openWithWallet(book, 'Pay with Link')
  await using _ = visitor
  const { page } = visitor
  expect(await page.getByText(/Link.*Northwind Traders|Northwind Traders.*Link/).count()).toBe(1)

  await button.click()
  await arriveAt(page, 'Payment received')

  const [payment] = (await answered(shop.billing.listPayments({ checkoutId: [checkout.id] }))).items
  expect([payment?.method, payment?.methodMetadata]).toEqual(['link', undefined])
  expect(visitor.takeFaults()).toEqual([])
})

test('before a wallet opens, the seller’s questions are answered', async () => {
  const field = await answered(
    shop.billing.createCustomField({ type: 'text', slug: 'engraving', name: 'Engraving', properties: {} }),
  )
  const prices = [{ amountType: 'fixed' as const, priceAmount: 1900 }]
  const attachedCustomFields = [{ customFieldId: field.id, required: true }]
  const asking = await answered(
    shop.billing.createProduct({ name: 'Ring', recurringInterval: null, prices, attachedCustomFields }),
  )
  const { visitor, checkout, button } = await openWithWallet(asking.id)
  await using _ = visitor
  const { page } = visitor

  await button.click()
  expect(await page.evaluate(() => Reflect.get(window, 'walletSaid'))).toBe('rejected')
  expect(await statusOf(checkout.id)).toBe('open')
  await page.getByLabel('Engraving').fill('Ada')
  await button.click()
  await arriveAt(page, 'Payment received')

  expect((await answered(shop.billing.getCheckout({ id: checkout.id }))).customFieldData).toEqual({ engraving: 'Ada' })
  expect(visitor.takeFaults()).toEqual([])
})

test('a wallet pays no total that its buyer has not seen', async () => {
  const terms = {
    name: 'Less',
    code: 'LESS',
    type: 'percentage' as const,
    basisPoints: 2000,
    duration: 'once' as const,
  }
  await answered(shop.billing.createDiscount(terms))
  const { visitor, checkout, button } = await openWithWallet(book)
  await using _ = visitor
  const { page } = visitor
  // In another tab, as a tax that comes with the wallet's address would.
  await answered(shop.billing.updateClientCheckout({ clientSecret: checkout.clientSecret, discountCode: 'LESS' }))

  await button.click()
  await page.getByText('The amount has changed').waitFor()
  expect(await page.evaluate(() => Reflect.get(window, 'walletSaid'))).toBe('fail')
  expect(await statusOf(checkout.id)).toBe('open')
  await button.click()
  await arriveAt(page, 'Payment received')

  const [order] = (await answered(shop.billing.listOrders({ checkoutId: [checkout.id] }))).items
  expect(order).toMatchObject({ totalAmount: 1520 })
  expect(visitor.takeFaults()).toEqual([])
})

test('where the browser has no wallet, nothing of it is shown', async () => {
  await using visitor = await openBuyer()
  const { page } = visitor
  await open(page)

  expect(await page.locator('[data-tg="wallets"]').isVisible()).toBe(false)
  expect(visitor.takeFaults()).toEqual([])
})

test('only the page that pays by Stripe may load anything of Stripe', async () => {
  const policyOf = async (address: string) => (await fetch(address)).headers.get('content-security-policy') ?? ''
  const { url } = await answered(shop.billing.createCheckout({ products: [book] }))

  const policy = await policyOf(url)
  expect(policy).toMatch(/script-src 'self' https:\/\/js\.stripe\.com/)
  expect(policy).toMatch(/connect-src 'self' https:\/\/api\.stripe\.com/)
  expect(policy).toMatch(/frame-src https:\/\/js\.stripe\.com/)
  const openerOf = async (address: string) => (await fetch(address)).headers.get('cross-origin-opener-policy')
  expect(await openerOf(url)).toBe('same-origin-allow-popups')
  for (const other of ['/sign-in', '/pricing/northwind']) {
    expect(await policyOf(site.origin + other)).not.toContain('stripe')
    expect(await openerOf(site.origin + other)).toBe('same-origin')
  }
})
