import type { PageReceipt } from '@tollgate/contract/pages'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createShop, fixedPrice, freePrice, type Shop } from '../features/billing/testing/shop.ts'
import { days } from '../foundation/clock.ts'
import { createTestServer, type TestAnswer, type TestServer } from '../testing.ts'
import { givenBack } from './checkout-pages.ts'
import { dataOf, location, page, send } from './testing/forms.ts'

let server: TestServer
let shop: Shop
let book: string

beforeAll(async () => {
  server = await createTestServer()
  shop = await createShop(server)
  book = await shop.product([fixedPrice(1900)], null, 'Atlas of the north')
})

afterAll(() => server[Symbol.asyncDispose]())

const open = (path: string, visitor = server.visitor()) => page(visitor, path)
const framing = ({ headers }: TestAnswer) =>
  /frame-ancestors ([^;]+)/.exec(headers.get('content-security-policy') ?? '')?.[1]

describe('a checkout', () => {
  test('is written by the server, with everything that it goes on with', async () => {
    const { client_secret } = await shop.checkout(book)

    const answer = await open(`/checkout/${client_secret}`)

    expect(answer.status).toBe(200)
    expect(answer.text).toContain('Atlas of the north')
    expect(answer.text).toContain('Pay $19.00')
    expect(dataOf(answer)).toMatchObject({
      page: 'checkout',
      clientSecret: client_secret,
      checkout: { status: 'open', totalAmount: 1900 },
    })
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('referrer-policy')).toBe('strict-origin')
  })

  test('posts no card number to us, not even before its script is there', async () => {
    const { client_secret } = await shop.checkout(book)

    const { text } = await open(`/checkout/${client_secret}`)

    expect(text.match(/<form[^>]*>/g)).toEqual([expect.stringContaining('method="dialog"')])
  })

  test('is sent uncompressed: its length would reveal its content', async () => {
    const { client_secret } = await shop.checkout(book)

    const answer = await server
      .visitor()
      .request('GET', `/checkout/${client_secret}`, { headers: { 'accept-encoding': 'gzip' } })

    expect(answer.headers.get('content-encoding')).toBeNull()
  })

  test('an unknown secret is not found', async () => {
    for (const secret of ['nothing', `tollgate_co_${'a'.repeat(43)}`, 'x'.repeat(500)]) {
      expect((await open(`/checkout/${secret}`)).status).toBe(404)
      expect((await open(`/checkout/${secret}/confirmation`)).status).toBe(404)
    }
  })

  test('greets a signed-in visitor', async () => {
    const ada = await server.signedUp('Ada')
    const { client_secret } = await shop.checkout(book)

    expect(dataOf(await open(`/checkout/${client_secret}`, ada)).signedInAs).toEqual({ name: 'Ada', email: ada.email })
    expect(dataOf(await open(`/checkout/${client_secret}`))).not.toHaveProperty('signedInAs')
  })

  test('shows why the last payment was declined', async () => {
    const checkout = await shop.checkout(book)
    await shop.confirm(checkout, { confirmation_token_id: 'ctoken_sandbox_insufficient_funds' })

    const answer = await open(`/checkout/${checkout.client_secret}`)

    expect(dataOf(answer).declined).toBe('insufficient_funds')
    expect(answer.text).toContain('The card has insufficient funds.')
  })

  test('that waits for its buyer shows how it continues', async () => {
    const checkout = await shop.checkout(book)
    await shop.confirm(checkout, { confirmation_token_id: 'ctoken_sandbox_requires_action' })

    const shown = dataOf(await open(`/checkout/${checkout.client_secret}`)).checkout

    expect(shown).toMatchObject({ status: 'confirmed', paymentProcessorMetadata: { intent_status: 'requires_action' } })
  })

  test('that has expired shows it', async () => {
    await using other = await createTestServer()
    const { client_secret } = await createShop(other).then(async (each) =>
      each.checkout(await each.product([fixedPrice(1900)])),
    )
    other.clock.advance(days(2))

    for (const path of [`/checkout/${client_secret}`, `/checkout/${client_secret}/confirmation`]) {
      const answer = await page(other.visitor(), path)
      expect(answer.status).toBe(410)
      expect(answer.text).toContain('This checkout has expired')
    }
  })

  test('that has expired leads back to the buyer’s origin, else to the seller, else to the seller’s offers', async () => {
    await using other = await createTestServer()
    const each = await createShop(other)
    const sold = await each.product([fixedPrice(1900)])
    const returning = await each.checkout(sold, { return_url: 'https://shop.example/cart' })
    const plain = await each.checkout(sold)
    other.clock.advance(days(2))
    const closed = async ({ client_secret }: { client_secret: string }) =>
      (await page(other.visitor(), `/checkout/${client_secret}`)).text
    const { slug } = (await each.get(`/organizations/${each.organizationId}`)).body

    expect(await closed(returning)).toContain('href="https://shop.example/cart"')
    expect(await closed(returning)).toContain('A product')
    expect(await closed(plain)).toContain(`href="/pricing/${slug}"`)
    await each.patch(`/organizations/${each.organizationId}`, { website: 'https://shop.example/home' })
    expect(await closed(plain)).toContain('href="https://shop.example/home"')
  })

  test('that is paid leads to its receipt, and one that is not leads from there', async () => {
    const { checkout } = await shop.buy(book)
    const unpaid = await shop.checkout(book)

    const paid = await open(`/checkout/${checkout.client_secret}?lang=de`)
    const back = await open(`/checkout/${unpaid.client_secret}/confirmation`)

    expect(location(paid)).toEqual([302, `/checkout/${checkout.client_secret}/confirmation?lang=de`])
    expect(location(back)).toEqual([302, `/checkout/${unpaid.client_secret}`])
  })

  test('may be framed by the page that it was made for, and by no other', async () => {
    const framed = await shop.checkout(book, { embed_origin: 'https://shop.example' })
    const usual = await shop.checkout(book)

    const answer = await open(`/checkout/${framed.client_secret}?embed=1`)

    expect(framing(answer)).toBe('https://shop.example')
    expect(dataOf(answer).embedded).toBe(true)
    expect(dataOf(await open(`/checkout/${framed.client_secret}`))).not.toHaveProperty('embedded')
    expect(framing(await open(`/checkout/${usual.client_secret}?embed=1`))).toBe("'none'")
    expect(dataOf(await open(`/checkout/${usual.client_secret}?embed=1`))).not.toHaveProperty('embedded')
  })

  test.each(['https://a;sandbox', 'https://*', 'https://a,https://b'])(
    'no site may frame it where an older version stored %s',
    async (embedOrigin) => {
      const { id, client_secret } = await shop.checkout(book, { embed_origin: 'https://shop.example' })
      const { db } = server.tollgate.internals.ctx
      await db.updateTable('checkout').set({ embedOrigin }).where('id', '=', id).execute()

      const answer = await open(`/checkout/${client_secret}?embed=1`)

      expect(framing(answer)).toBe("'none'")
      expect(answer.headers.get('content-security-policy')).not.toContain('sandbox')
    },
  )
})

describe('a receipt', () => {
  test('has the buyer’s data, and nothing of the seller’s own notes', async () => {
    const { code } = await shop.discount({})
    const { order, checkout } = await shop.buy(book, {
      discount_code: code,
      customer_name: 'Grace Hopper',
      customer_billing_address: { country: 'DE', city: 'Hamburg', postal_code: '20459', line1: 'Deichstraße 12' },
    })
    await shop.patch(`/customers/${order.customer_id}`, { metadata: { note: 'secret note' }, external_id: 'secret id' })

    const { status, text } = await open(`/checkout/${checkout.client_secret}/confirmation`)

    expect(status).toBe(200)
    for (const part of [
      order.invoice_number,
      'Grace Hopper',
      'Deichstraße 12',
      '20459 Hamburg',
      code,
      '$17.10',
      '4242',
    ])
      expect(text).toContain(part)
    expect(text).toContain('Test receipt')
    expect(text).not.toMatch(/secret (?:note|id)/)
  })

  test('leads to its own documents for as long as it exists, and to no others', async () => {
    const address = { country: 'DE', city: 'Hamburg', postal_code: '20459', line1: 'Deichstraße 12' }
    const { checkout } = await shop.buy(book, { customer_name: 'Grace Hopper', customer_billing_address: address })
    const { checkout: another } = await shop.buy(book)
    const at = (secret: string, id: string) => `/checkout/${secret}/documents/${id}`

    const shown = await open(`/checkout/${checkout.client_secret}/confirmation`)
    const { documents } = dataOf(shown).receipt as { documents: { id: string; kind: string }[] }
    server.clock.advance(days(1))
    const unpaid = await shop.checkout(book)

    expect(documents.map(({ kind }) => kind)).toEqual(['invoice', 'receipt'])
    for (const { id } of documents) {
      expect(shown.text).toContain(`href="${at(checkout.client_secret, id)}"`)
      const [status, to = ''] = location(await open(at(checkout.client_secret, id)))
      expect([status, to]).toEqual([302, expect.stringContaining(`/documents/${id}/`)])
      const file = await server.tollgate.handler(new Request(to!), { remoteAddress: '192.0.2.7' })
      expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/pdf'])
      for (const secret of [another.client_secret, unpaid.client_secret, 'nothing'])
        expect((await open(at(secret, id))).status).toBe(404)
    }
    expect((await open(at(checkout.client_secret, 'nothing'))).status).toBe(404)
  })

  test('shows the refunds, and their credit notes', async () => {
    const { order, checkout } = await shop.buy(book)
    const path = `/checkout/${checkout.client_secret}/confirmation`
    const giveBack = (amount: number) =>
      shop.post('/refunds', { order_id: order.id, reason: 'customer_request', amount })

    await giveBack(400)
    const partly = await open(path)
    await giveBack(1500)
    const all = await open(`${path}?lang=fr`)

    expect(partly.text).toContain('Payment received, partly refunded')
    expect(partly.text).toContain('−$4.00')
    expect(all.text).toContain('Paiement remboursé')
    const { refunds, documents } = dataOf(all).receipt as {
      refunds: { amount: number }[]
      documents: { kind: string }[]
    }
    expect(refunds.map(({ amount }) => amount).sort()).toEqual([1500, 400])
    expect(documents.filter(({ kind }) => kind === 'credit_note')).toHaveLength(2)
  })

  test('lists each of a dozen refunds, and their total', async () => {
    const { order, checkout } = await shop.buy(book)
    for (let amount = 1; amount <= 12; amount++)
      await shop.post('/refunds', { order_id: order.id, reason: 'customer_request', amount })

    const after = await open(`/checkout/${checkout.client_secret}/confirmation`)

    const { refunds, refundedBefore } = dataOf(after).receipt as PageReceipt
    expect(refunds.map(({ amount }) => amount).sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
    expect(refundedBefore).toBe(0)
  })

  test('states in one line the refunded total before the refunds that it names', async () => {
    const named = await open('/checkout/fixture/confirmation?fixture=refunded')
    expect(named.text).toMatch(/<dt>Refunded before that<\/dt><dd[^>]*>−\$1\.00</)
    const paid = await open('/checkout/fixture/confirmation?fixture=paid')
    expect(paid.text).not.toContain('<dt>Refunded before that')
  })

  test.each([
    { shown: [], total: 0, back: 0, before: 0 },
    { shown: [300, 200], total: 2, back: 500, before: 0 },
    { shown: [300, 200], total: 3, back: 540, before: 40 },
    // A refund was created between the two reads.
    { shown: [300, 200], total: 2, back: 200, before: 0 },
  ])('of $total refunds those that are not named are one sum: $before', ({ shown, total, back, before }) => {
    const items = shown.map((amount) => ({ createdAt: '2026-03-01T12:00:00.000Z', amount, taxAmount: 0 }))
    const read = { items, pagination: { totalCount: total } }
    const { refunds, refundedBefore } = givenBack({ refundedAmount: back, refundedTaxAmount: 0 }, read)
    expect(refunds.map(({ amount }) => amount)).toEqual(shown)
    expect(refundedBefore).toBe(before)
  })

  test('names the seller as its documents do, whatever the seller changes later', async () => {
    const settings = `/organizations/${shop.organizationId}/tax`
    const address = { line1: 'Kai 3', postal_code: '20457', city: 'Hamburg', country: 'DE' }
    await shop.patch(settings, { legal_name: 'Northwind GmbH', address, tax_id: 'DE136695976' })
    const { checkout } = await shop.buy(book)
    await shop.patch(settings, { legal_name: 'Somebody else' })

    const { text } = await open(`/checkout/${checkout.client_secret}/confirmation?lang=fr`)
    await shop.patch(settings, { legal_name: null, address: null, tax_id: null })

    for (const part of ['Northwind GmbH', 'Kai 3', '20457 Hamburg', 'Numéro fiscal : DE136695976'])
      expect(text).toContain(part)
    expect(text).not.toContain('Somebody else')
  })

  test('of a free order has no card, and one of a subscription shows the renewal date', async () => {
    const free = await shop.buy(await shop.product([freePrice]), { confirmation_token_id: null })
    const monthly = await shop.buy(await shop.product([fixedPrice(1900)], 'month'))

    const [first, second] = await Promise.all(
      [free, monthly].map(({ checkout }) => open(`/checkout/${checkout.client_secret}/confirmation`)),
    )

    expect(dataOf(first!).receipt).not.toHaveProperty('card')
    expect(first!.text).toContain('Your order is complete')
    expect(dataOf(second!).receipt.renewal).toMatchObject({
      interval: 'month',
      charges: { next: 1900, later: 1900 },
      hasUsage: false,
    })
  })

  test.each([
    [{ duration: 'once' }, { next: 1900, later: 1900 }, ['$19.00 / month'], ['$15.20 / month']],
    [
      { duration: 'repeating', duration_in_months: 3 },
      { next: 1520, months: 2, later: 1900 },
      ['$15.20 / month', 'for 2 months, then $19.00 / month'],
      [],
    ],
    [{ duration: 'forever' }, { next: 1520, later: 1520 }, ['$15.20 / month'], ['$19.00 / month']],
  ])('with a discount %j shows the next charge', async (terms, charges, said, unsaid) => {
    const { code } = await shop.discount({ basis_points: 2000, ...terms })
    const { checkout } = await shop.buy(await shop.product([fixedPrice(1900)], 'month'), { discount_code: code })

    const page = await open(`/checkout/${checkout.client_secret}/confirmation`)

    expect(dataOf(page).receipt.renewal.charges).toEqual(charges)
    const [shown = ''] = /<p data-tg="later".*<\/section>/s.exec(page.text) ?? []
    for (const part of said) expect(shown).toContain(part)
    for (const part of unsaid) expect(shown).not.toContain(part)
  })

  test('of a free plan omits renewals, and leads back to the seller', async () => {
    const { checkout } = await shop.buy(await shop.product([freePrice], 'month'), { confirmation_token_id: null })
    const page = await open(`/checkout/${checkout.client_secret}/confirmation`)

    expect(dataOf(page).receipt).not.toHaveProperty('renewal')
    expect(page.text).toMatch(/href="\/pricing\/[^"]+"[^>]*>Back to /)
  })

  test('stays its buyer’s when the seller may no longer sell', async () => {
    const closed = await createShop(server)
    const { checkout, order } = await closed.buy(await closed.product([fixedPrice(700)]))
    const { ctx } = server.tollgate.internals
    await ctx.transaction((tx) =>
      tx
        .updateTable('merchant')
        .set({ approvedAt: null })
        .where('organizationId', '=', closed.organizationId)
        .execute(),
    )

    const { status, text } = await open(`/checkout/${checkout.client_secret}/confirmation`)

    expect([status, text.includes(order.invoice_number)]).toEqual([200, true])
  })

  test('is not there while the payment is under way', async () => {
    const checkout = await shop.checkout(book)
    await shop.confirm(checkout, { confirmation_token_id: 'ctoken_sandbox_requires_action' })

    const answer = await open(`/checkout/${checkout.client_secret}/confirmation`)

    expect(answer.text).toContain('Your payment is being processed')
    expect(dataOf(answer)).not.toHaveProperty('receipt')
  })
})

describe('a pricing page', () => {
  test('shows the products on sale and leads to their checkout, without a script', async () => {
    const visitor = server.visitor()
    const shown = await page(visitor, `/pricing/${shop.slug}`)
    expect(shown.status).toBe(200)
    expect(shown.text).toContain('Atlas of the north')
    expect(shown.text).not.toContain('<script')

    const chosen = await send(visitor, `/pricing/${shop.slug}`, { form: 'pricing-choose', productId: book })

    const [status, to] = location(chosen)
    expect(status).toBe(303)
    expect(dataOf(await page(visitor, to ?? '')).checkout).toMatchObject({ productId: book, status: 'open' })
  })

  test('offers a choice among currencies, and leads to a checkout in the chosen one, without a script', async () => {
    const inEuro = await createShop(server)
    const product = await inEuro.product([fixedPrice(2000), { ...fixedPrice(1800), price_currency: 'eur' }])
    const visitor = server.visitor()
    const path = `/pricing/${inEuro.slug}`

    const usual = await page(visitor, path)
    const chosen = await page(visitor, `${path}?currency=EUR&lang=en`)
    const unknown = await page(visitor, `${path}?currency=none`)

    expect(usual.text).toContain('<select id="currency" name="currency"')
    expect(usual.text).toContain('$20.00')
    expect(chosen.text).toContain('€18.00')
    expect(chosen.text).toContain('name="currency" value="eur"')
    expect(unknown.text).toContain('$20.00')
    const answer = await send(visitor, path, { form: 'pricing-choose', productId: product, currency: 'eur' })
    const checkout = await page(visitor, location(answer)[1] ?? '')
    expect(dataOf(checkout).checkout).toMatchObject({ currency: 'eur', amount: 1800, currencies: ['usd', 'eur'] })
    expect(checkout.text).toMatch(/<select [^>]*name="currency"/)
  })

  test('comes back where the product is no longer sold', async () => {
    const product = await shop.product([fixedPrice(1900)], null, 'Short-lived')
    await shop.patch(`/products/${product}`, { is_archived: true })
    const visitor = server.visitor()

    const answer = await send(visitor, `/pricing/${shop.slug}`, { form: 'pricing-choose', productId: product })
    const nothing = await send(visitor, `/pricing/${shop.slug}`, { form: 'pricing-choose' })

    expect(answer.status).toBe(404)
    expect(answer.text).toContain('This is no longer available.')
    expect(answer.text).toContain('Atlas of the north')
    expect(nothing.status).toBe(422)
  })

  test('an unknown seller or a form of another site gets none', async () => {
    expect((await open('/pricing/nobody')).status).toBe(404)
    const foreign = await server.visitor().request('POST', `/pricing/${shop.slug}`, {
      raw: new URLSearchParams({ form: 'pricing-choose', productId: book }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://evil.example' },
    })
    expect(foreign.status).toBe(403)
    expect(location(foreign)[1]).toBeNull()
  })
})

test('where nothing is sold there are no such pages', async () => {
  await using other = await createTestServer({ billing: false })

  for (const path of ['/pricing/nobody', '/checkout/nothing', '/checkout/nothing/confirmation'])
    expect((await page(other.visitor(), path)).status).toBe(404)
})
