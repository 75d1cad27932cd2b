import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { minutes } from '../../../foundation/clock.ts'
import { createTestServer, type TestServer } from '../../../testing.ts'
import { provenAccount } from '../testing/account.ts'
import { createShop, fixedPrice, freePrice, type Shop } from '../testing/shop.ts'

let server: TestServer
let shop: Shop
let product: string

beforeAll(async () => {
  server = await createTestServer({ billing: { processors: { sandbox: { events: 'twice' } } } })
  shop = await createShop(server)
  product = await shop.product([fixedPrice(1900)], null, 'Pro')
})
afterAll(() => server[Symbol.asyncDispose]())

test('a caller who has bought something is mailed the receipt, once, in their language', async () => {
  const discount = await shop.discount({ name: 'Half', basis_points: 5000 })
  const checkout = await shop.checkout(product)
  await shop.confirm(
    checkout,
    { customer_email: 'ada@example.com', customer_name: 'Ada Lovelace', discount_code: discount.code },
    { 'accept-language': 'de-AT,de;q=0.9' },
  )
  const [order] = await shop.ordersOf(checkout)
  const mails = await server.mailsTo('ada@example.com')

  expect(mails).toHaveLength(1)
  expect(mails[0]!.subject).toContain('Ihr Beleg')
  expect(mails[0]!.links).toEqual([`${server.baseURL}/checkout/${checkout.client_secret}/confirmation`])
  const text = mails[0]!.text.replace(/\u00a0/g, ' ')
  for (const part of ['Ada Lovelace', order!.invoice_number, 'Pro: 19,00 $', 'Rabatt: −9,50 $', 'Gesamt: 9,50 $ USD'])
    expect(text).toContain(part)
  expect(text).toContain('Testmodus')
})

test('also for free orders, and in English where the language is unknown', async () => {
  const free = await shop.product([freePrice], null, 'Sample')
  await shop.buy(free, { customer_email: 'bob@example.com' })

  const [mail, ...more] = await server.mailsTo('bob@example.com')
  expect(more).toEqual([])
  expect(mail!.subject).toContain('Your receipt')
  expect(mail!.text).toContain('Total: $0.00 USD')
})

test('a payment that was declined is no purchase: nothing is mailed', async () => {
  const declined = { customer_email: 'carol@example.com', confirmation_token_id: 'ctoken_sandbox_decline' }
  await shop.confirm(await shop.checkout(product), declined)

  expect(await server.mailsTo('carol@example.com')).toEqual([])
})

test('the mail to an address that a user typed reveals nothing of its customer', async () => {
  await shop.post('/customers', { email: 'dora@example.com', name: 'Dora of the North' })
  const free = await shop.product([freePrice], null, 'Sample')
  const { order } = await shop.buy(free, { customer_email: 'dora@example.com', customer_name: null })

  expect(order.customer.name).toBe('Dora of the North')
  const [mail] = await server.mailsTo('dora@example.com')
  expect(mail!.text).toMatch(/^Hello,/)
  expect(mail!.text).not.toContain('North')
})

describe('of receipts to one mailbox within ten minutes', () => {
  const limited = async () => {
    const server = await createTestServer({ rateLimit: { enabled: true, max: 1000 } })
    const shop = await createShop(server)
    const sample = await shop.product([freePrice], null, 'Sample')
    return { server, shop, sample, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
  }

  test('five are mailed, however many strangers name it, and the others are dropped', async () => {
    await using each = await limited()
    const { server, shop, sample } = each
    const spellings = ['victim@example.com', 'Victim@Example.com', 'victim+shop@example.com']
    for (let round = 0; round < 9; round += 1)
      await shop.buy(sample, { customer_email: spellings[round % 3]!, customer_name: 'Mallory' })
    await shop.buy(sample, { customer_email: 'other@example.com' })

    const mailed = async () => {
      const { db, jobs } = server.tollgate.internals.ctx
      await jobs.runDue()
      return db.selectFrom('inboxMessage').select('id').where('recipient', 'in', spellings).execute()
    }
    expect(await mailed()).toHaveLength(5)
    expect(await server.mailsTo('other@example.com')).toHaveLength(1)
    expect(server.logs.filter((line) => line.includes('Mailbox limit reached'))).toHaveLength(4)
    expect(server.logs.join('')).not.toContain('victim')
    server.clock.advance(minutes(30))
    expect(await mailed()).toHaveLength(5)
  })

  test('those of a signed-in buyer, and of one who pays, wait for the next ten minutes', async () => {
    await using each = await limited()
    const { server, shop, sample } = each
    const ada = await provenAccount(server, 'Ada')
    for (let round = 0; round < 7; round += 1) {
      const { client_secret } = await shop.checkout(sample)
      await ada.request('POST', `/v1/checkouts/client/${client_secret}/confirm`, { body: {} })
    }
    const receipts = async () => (await server.mailsTo(ada.email)).filter(({ subject }) => subject.includes('receipt'))

    expect(await receipts()).toHaveLength(5)
    server.clock.advance(minutes(10))
    expect(await receipts()).toHaveLength(7)
  })
})
