import { afterAll, beforeAll, expect, test } from 'vitest'
import { days, hours, minutes } from '../../../foundation/clock.ts'
import { bodyOfEvent } from '../../../foundation/db/event-body.ts'
import type { OutgoingMail } from '../../../index.ts'
import { createTestServer, type TestAnswer, type TestServer } from '../../../testing.ts'
import { pdfText } from '../testing/pdf.ts'
import { wrongAt } from '../testing/refusal.ts'
import { createShop, fixedPrice, freePrice, type Shop } from '../testing/shop.ts'

let server: TestServer
let shop: Shop
let pro: string
let sample: string

beforeAll(async () => {
  server = await createTestServer({
    billing: {
      processors: { sandbox: { events: 'twice' } },
      tax: { provider: 'table', registrations: [{ country: 'DE' }] },
    },
  })
  shop = await createShop(server)
  pro = await shop.product([fixedPrice(10_000)], null, 'Pro')
  sample = await shop.product([freePrice], null, 'Sample')
  const address = { line1: 'Hauptstraße 12', postal_code: '10115', city: 'Berlin', country: 'DE' }
  const { status } = await shop.patch(`/organizations/${shop.organizationId}/tax`, {
    legal_name: 'Seller Werkzeuge GmbH',
    address,
    tax_id: 'DE136695976',
  })
  expect(status).toBe(200)
})
afterAll(() => server[Symbol.asyncDispose]())

/** Fetches a file by its URL, as a browser without cookies does. */
async function read(url: string, method = 'GET') {
  const response = await server.tollgate.handler(new Request(url, { method }), { remoteAddress: '192.0.2.7' })
  const bytes = Buffer.from(await response.arrayBuffer())
  return { status: response.status, headers: response.headers, bytes, text: () => pdfText(bytes).join('\n') }
}

type Listed = { kind: string; number: string; locale: string; refund_id: string | null; url: string; id: string }
const documentsOf = async (order: { id: string }): Promise<Listed[]> =>
  (await shop.get(`/orders/${order.id}/documents`)).body.items
const invoiceOf = (order: { id: string }) => shop.get(`/orders/${order.id}/invoice`)
const german = { line1: 'Am Ring 1', line2: null, postal_code: '20095', city: 'Hamburg', state: null, country: 'DE' }
const buyPro = (given: object = {}) => shop.buy(pro, { customer_billing_address: german, ...given })
/** An order with only an email address: its invoice cannot be issued yet. */
const nameless = () => shop.buy(sample, { customer_name: null, customer_billing_address: null })
const dayOf = (at: Date) => new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }).format(at)
const updatesOf = async (id: string) => {
  const rows = await server.tollgate.internals.ctx.db
    .selectFrom('event')
    .select(bodyOfEvent().as('payload'))
    .where('type', '=', 'order.updated')
    .where('subjectId', '=', id)
    .orderBy('id')
    .execute()
  return rows.map(({ payload }) => JSON.parse(payload!))
}

test('a paid order has its receipt and its invoice at once, with all their details', async () => {
  const { order } = await buyPro({ customer_name: 'Ada Lovelace', customer_email: 'ada@example.com' })

  expect(order).toMatchObject({ is_invoice_generated: true, receipt_number: `${order.invoice_number}-R` })
  const documents = await documentsOf(order)
  expect(documents.map(({ kind, number, locale, refund_id }) => [kind, number, locale, refund_id])).toEqual([
    ['invoice', order.invoice_number, 'en', null],
    ['receipt', order.receipt_number, 'en', null],
  ])
  const invoice = await read((await invoiceOf(order)).body.url)
  expect(invoice.status).toBe(200)
  for (const part of [
    'Seller Werkzeuge GmbH',
    'Hauptstraße 12',
    'Tax ID: DE136695976',
    'Ada Lovelace',
    '20095 Hamburg',
  ])
    expect(invoice.text()).toContain(part)
  for (const part of [
    'Pro\n$100.00',
    'DE 19% on $100.00\n$19.00',
    'Total\n$119.00 USD',
    'Visa ending in 4242',
    'Test mode',
  ])
    expect(invoice.text()).toContain(part)
  const receipt = await read((await shop.get(`/orders/${order.id}/receipt`)).body.url)
  expect(receipt.text()).toContain(`Receipt\nNumber\n${order.receipt_number}\nInvoice\n${order.invoice_number}`)
})

test('the seller’s notes appear on documents that are issued from then on, credit notes included', async () => {
  const settings = `/organizations/${shop.organizationId}/tax`
  const { order: before } = await buyPro()
  await shop.patch(settings, { document_note: 'Gemäß § 19 UStG wird keine Umsatzsteuer berechnet.\nHRB 12345' })
  const { order } = await buyPro()
  await shop.post('/refunds', { order_id: order.id, reason: 'other', amount: 100 })
  await shop.patch(settings, { document_note: null })

  const texts = await Promise.all((await documentsOf(order)).map(async ({ url }) => (await read(url)).text()))

  expect(texts).toHaveLength(3)
  for (const text of texts) expect(text).toContain('Gemäß § 19 UStG wird keine Umsatzsteuer berechnet.\nHRB 12345\n')
  expect((await read((await invoiceOf(before)).body.url)).text()).not.toContain('HRB')
})

test('the invoice of a subscription shows its paid period', async () => {
  const monthly = await shop.product([fixedPrice(1900)], 'month', 'Harbor')
  const { order } = await shop.buy(monthly, { customer_billing_address: german })
  const { current_period_start: start, current_period_end: end } = order.subscription

  const invoice = await read((await invoiceOf(order)).body.url)

  expect(invoice.text()).not.toContain('Date of supply')
  expect(invoice.text()).toContain(`Harbor\nService period: ${dayOf(new Date(start))} – ${dayOf(new Date(end))}\n`)
})

test('a document has its media type, allows no shared cache, and no log holds its link', async () => {
  const { order } = await buyPro()
  const { url } = (await invoiceOf(order)).body

  const { headers, bytes } = await read(url)
  const head = await read(url, 'HEAD')

  expect(url).toMatch(new RegExp(`^${server.baseURL}/documents/[0-9a-f-]{36}/[\\w.-]+\\.pdf$`))
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': `inline; filename="${order.invoice_number}.pdf"`,
    'content-length': String(bytes.length),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  expect([head.status, head.bytes.length]).toEqual([200, 0])
  const token = url.split('/').at(-1).replace('.pdf', '')
  expect(server.logs.join('')).not.toContain(token)
  expect(server.logs.join('')).toContain('[redacted]')
})

test('a link opens its own document, for an hour, as it is, and nothing else', async () => {
  const [{ order }, { order: other }] = [await buyPro(), await buyPro()]
  const { url } = (await invoiceOf(order)).body as { url: string }
  const [invoice, receipt] = await documentsOf(order)
  const [foreign] = await documentsOf(other)
  const token = url.split('/').at(-1)!
  // Not the last letter: some of its bits are padding.
  const flipped = token.replace(/^./, (letter) => (letter === 'A' ? 'B' : 'A'))
  const at = (id: string, name: string) => read(`${server.baseURL}/documents/${id}/${name}`)

  expect((await at(receipt!.id, token)).status).toBe(404)
  expect((await at(foreign!.id, token)).status).toBe(404)
  expect((await at(invoice!.id, flipped)).status).toBe(404)
  expect((await at(invoice!.id, 'a.b.pdf')).status).toBe(404)
  expect((await at(invoice!.id, '.pdf')).status).toBe(404)
  expect((await at('00000000-0000-4000-8000-000000000000', token)).status).toBe(404)
  server.clock.advance(hours(1) - 1)
  expect((await read(url)).status).toBe(200)
  server.clock.advance(1)
  expect((await read(url)).status).toBe(404)
})

test('a text that was sealed for something else is no link', async () => {
  const { order } = await buyPro()
  const [{ id }] = (await documentsOf(order)) as [Listed]
  const { secrets } = server.tollgate.internals.ctx
  const content = JSON.stringify([id, '2099-01-01T00:00:00.000Z'])

  const [forged, true_] = [secrets.seal(content), secrets.seal(content, 'document link')]

  expect((await read(`${server.baseURL}/documents/${id}/${forged}.pdf`)).status).toBe(404)
  expect((await read(`${server.baseURL}/documents/${id}/${true_}.pdf`)).status).toBe(200)
})

test('an issued document stays the same to the byte, whatever changes about the seller, the buyer or the order', async () => {
  const { order } = await buyPro({ customer_email: 'eve@example.com', customer_name: 'Eve' })
  const bytes = async () => Promise.all((await documentsOf(order)).map(async ({ url }) => (await read(url)).bytes))
  const before = await bytes()
  const settings = (await shop.get(`/organizations/${shop.organizationId}/tax`)).body

  server.clock.advance(hours(30))
  await shop.patch(`/organizations/${shop.organizationId}`, { name: 'Renamed', email: 'new@example.com' })
  await shop.patch(`/organizations/${shop.organizationId}/tax`, { legal_name: 'Another GmbH' })
  await shop.patch(`/customers/${order.customer_id}`, { billing_name: 'Changed', name: 'Changed' })
  await shop.patch(`/products/${pro}`, { name: 'Pro, renamed' })
  await server.tollgate.internals.ctx.transaction((tx) =>
    tx.updateTable('order').set({ billingName: 'Changed', currency: 'eur' }).where('id', '=', order.id).execute(),
  )

  const after = await bytes()
  expect(after.map((pdf, at) => Buffer.compare(pdf, before[at]!))).toEqual([0, 0])
  await shop.patch(`/products/${pro}`, { name: 'Pro' })
  await shop.patch(`/organizations/${shop.organizationId}/tax`, { legal_name: settings.legal_name })
})

test('without a name and an address there is no invoice; with both it is issued on request', async () => {
  const { order } = await nameless()
  expect(order).toMatchObject({
    is_invoice_generated: false,
    invoice_number: null,
    receipt_number: expect.stringMatching(/^R-[0-9A-F]{10}$/),
  })
  expect((await documentsOf(order)).map(({ kind }) => kind)).toEqual(['receipt'])

  const missing = await invoiceOf(order)
  const posted = await shop.post(`/orders/${order.id}/invoice`)
  const named = await shop.patch(`/orders/${order.id}`, { billing_name: 'Dora GmbH' })
  const halfway = await invoiceOf(order)
  const placed = await shop.patch(`/orders/${order.id}`, { billing_address: german })
  const stillNone = (await documentsOf(order)).length
  server.clock.advance(days(3))
  const issued = await shop.post(`/orders/${order.id}/invoice`)

  expect([missing, posted].map(wrongAt)).toEqual(Array(2).fill('422 billing_name billing_address'))
  expect(named.body).toMatchObject({ billing_name: 'Dora GmbH', is_invoice_generated: false })
  expect(wrongAt(halfway)).toBe('422 billing_address')
  expect(placed.body.billing_address).toMatchObject({ city: 'Hamburg' })
  expect(stillNone).toBe(1)
  expect([issued.status, issued.body]).toEqual([202, {}])
  expect((await shop.get(`/orders/${order.id}`)).body.is_invoice_generated).toBe(true)
  const { text } = await read((await invoiceOf(order)).body.url)
  expect(text()).toContain('Billed to\nDora GmbH\nAm Ring 1\n20095 Hamburg')
  const [from, now] = [new Date(order.created_at), server.clock.now()].map(dayOf)
  expect(from).not.toBe(now)
  expect(text()).toContain(`Date of issue\n${now}\nDate of supply\n${from}\n`)
  const told = await updatesOf(order.id)
  expect(told.slice(1).map(({ billing_name, is_invoice_generated }) => [billing_name, is_invoice_generated])).toEqual([
    ['Dora GmbH', false],
    ['Dora GmbH', false],
    ['Dora GmbH', true],
  ])
})

test('after its invoice was issued an order is made out to no other user', async () => {
  const { order } = await buyPro()

  const refused = await shop.patch(`/orders/${order.id}`, { billing_name: 'Another', billing_address: german })
  const untouched = await shop.patch(`/orders/${order.id}`, {})

  expect([wrongAt(refused), refused.body.detail[0].type]).toEqual([
    '422 billing_name billing_address',
    'invoice_issued',
  ])
  expect([untouched.status, untouched.body.billing_name]).toEqual([200, order.billing_name])
  expect(await updatesOf(order.id)).toHaveLength(1)
})

test.each([
  ['a country that there is not', { billing_address: { country: 'XX' } }, '422 billing_address.country'],
  ['a state of another country', { billing_address: { country: 'US', state: 'ON' } }, '422 billing_address.state'],
  ['a name without an end', { billing_name: 'x'.repeat(257) }, '422 billing_name'],
])('%s is refused', async (_, body, where) => {
  const { order } = await nameless()

  expect(wrongAt(await shop.patch(`/orders/${order.id}`, body))).toBe(where)
})

test('an empty value removes the billing name', async () => {
  const { order } = await nameless()
  await shop.patch(`/orders/${order.id}`, { billing_name: 'Dora', billing_address: german })

  const { body } = await shop.patch(`/orders/${order.id}`, { billing_name: '', billing_address: null })

  expect([body.billing_name, body.billing_address]).toEqual([null, null])
})

test('concurrent requests issue one invoice, which the order then shows', async () => {
  const { order } = await nameless()
  await shop.patch(`/orders/${order.id}`, { billing_name: 'Before', billing_address: german })

  const answers = await Promise.all([
    ...Array.from({ length: 6 }, () => invoiceOf(order)),
    shop.patch(`/orders/${order.id}`, { billing_name: 'After' }),
  ])

  const changed = answers.pop()!
  expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200))
  const documents = await documentsOf(order)
  expect(documents.map(({ kind }) => kind).sort()).toEqual(['invoice', 'receipt'])
  const urls = answers.map(({ body }) => new URL(body.url).pathname.split('/')[2])
  expect(new Set(urls).size).toBe(1)
  const { billing_name } = (await shop.get(`/orders/${order.id}`)).body
  expect(billing_name).toBe(changed.status === 200 ? 'After' : 'Before')
  expect((await read(answers[0]!.body.url)).text()).toContain(`Billed to\n${billing_name}\n`)
})

test('of an order from before there were documents they are issued on request, once', async () => {
  const { order } = await buyPro()
  const { ctx } = server.tollgate.internals
  await ctx.transaction(async (tx) => {
    await tx.deleteFrom('document').where('orderId', '=', order.id).execute()
    await tx.updateTable('order').set({ invoiceIssuedAt: null }).where('id', '=', order.id).execute()
  })

  const receipts = await Promise.all([0, 1, 2].map(() => shop.get(`/orders/${order.id}/receipt`)))
  const invoice = await invoiceOf(order)

  expect(receipts.map(({ status }) => status)).toEqual([200, 200, 200])
  expect((await read(receipts[2]!.body.url)).text()).toContain('Total\n$119.00 USD')
  expect((await read(invoice.body.url)).text()).toContain('20095 Hamburg')
  expect((await documentsOf(order)).map(({ kind }) => kind).sort()).toEqual(['invoice', 'receipt'])
})

test('an unpaid order has neither invoice nor receipt', async () => {
  const { order } = await nameless()
  await server.tollgate.internals.ctx.transaction((tx) =>
    tx.updateTable('order').set({ paidAt: null, status: 'pending' }).where('id', '=', order.id).execute(),
  )

  const answers = [
    await invoiceOf(order),
    await shop.post(`/orders/${order.id}/invoice`),
    await shop.get(`/orders/${order.id}/receipt`),
  ]

  expect(answers.map(({ status, body }) => [status, body.detail[0].type])).toEqual(
    Array(3).fill([422, 'order_not_paid']),
  )
})

type Mail = { attachments: { name: string; size: number; url: string }[]; subject: string; text: string; id: string }
const attached = async (mail: Mail) => {
  const [{ url, name, size }] = mail.attachments as [Mail['attachments'][number]]
  const file = await read(server.baseURL + url)
  expect([file.status, file.headers.get('content-type'), file.bytes.length]).toEqual([200, 'application/pdf', size])
  return { name, ...file }
}
const mailsTo = async (email: string) => (await server.mailsTo(email)) as unknown as Mail[]

test('the mail after a purchase brings the invoice, or the receipt where there is none, in the language of the buyer', async () => {
  const checkout = await shop.checkout(pro)
  const given = { customer_email: 'greta@example.com', customer_name: 'Greta', customer_billing_address: german }
  await shop.confirm(checkout, given, { 'accept-language': 'de' })
  const [order] = await shop.ordersOf(checkout)
  const { order: unnamed } = await shop.buy(sample, {
    customer_email: 'noname@example.com',
    customer_name: null,
    customer_billing_address: null,
  })

  const [mail, ...more] = await mailsTo('greta@example.com')
  const [other] = await mailsTo('noname@example.com')

  expect(more).toEqual([])
  const invoice = await attached(mail!)
  expect(invoice.name).toBe(`${order!.invoice_number}.pdf`)
  for (const part of ['Rechnung', 'Gesamt\n119,00 $ USD', 'Bezahlt am 5. März 2026'])
    expect(invoice.text()).toContain(part)
  const url = (await documentsOf(order!)).find(({ kind }) => kind === 'invoice')!.url
  expect(Buffer.compare(invoice.bytes, (await read(url)).bytes)).toBe(0)
  expect((await attached(other!)).name).toBe(`${unnamed.receipt_number}.pdf`)
  const page = await server.visitor().request('GET', `/dev/inbox?id=${encodeURIComponent(mail!.id)}`)
  expect(page.text).toContain(`>${order!.invoice_number}.pdf</a>`)
  expect((await read(`${server.baseURL}/dev/inbox/attachments/${encodeURIComponent(mail!.id)}/1`)).status).toBe(404)
})

test('the document of a user who typed another’s address does not reveal its owner', async () => {
  await shop.post('/customers', { email: 'dora@example.com', name: 'Dora of the North', billing_name: 'North Ltd' })
  const { order } = await shop.buy(pro, {
    customer_email: 'dora@example.com',
    customer_name: 'Typed Name',
    customer_billing_address: german,
  })

  for (const { url } of await documentsOf(order)) {
    const text = (await read(url)).text()
    expect(text).toContain('Billed to\nTyped Name')
    expect(text).not.toContain('North')
  }
})

test('a refund has its own credit note, with its share of the tax, and a mail that brings it', async () => {
  const { order } = await buyPro({ customer_email: 'rita@example.com', customer_name: 'Rita' })
  const refund = (amount: number): Promise<TestAnswer> =>
    shop.post('/refunds', { order_id: order.id, reason: 'customer_request', amount })
  await mailsTo('rita@example.com')

  server.clock.advance(hours(24))
  const first = await refund(2500)
  const second = await refund(7500)

  expect([first.status, second.status]).toEqual([200, 200])
  const notes = (await documentsOf(order)).filter(({ kind }) => kind === 'credit_note')
  const byRefund = new Map(notes.map((note) => [note.refund_id, note]))
  expect(notes).toHaveLength(2)
  const note = byRefund.get(first.body.id)!
  expect(note.number).toBe(first.body.credit_note_number)
  const text = (await read(note.url)).text()
  for (const part of [
    `For invoice\n${order.invoice_number}`,
    'Pro\n$25.00',
    'DE 19% on $25.00\n$4.75',
    'Rita',
    'Hamburg',
  ])
    expect(text).toContain(part)
  expect(text).toContain('Total refunded\n$29.75 USD')
  expect(text).toContain('Refunded on March')
  expect((await read(byRefund.get(second.body.id)!.url)).text()).toContain('Total refunded\n$89.25 USD')

  const mails = (await mailsTo('rita@example.com')).filter(({ subject }) => subject.includes('refund'))
  expect(mails).toHaveLength(2)
  const sent = await Promise.all(mails.map(attached))
  expect(sent.map(({ name }) => name).sort()).toEqual(notes.map(({ number }) => `${number}.pdf`).sort())
  expect(mails.map(({ text }) => /has refunded (\S+) of the \$119.00/.exec(text)?.[1]).sort()).toEqual([
    '$29.75',
    '$89.25',
  ])
  expect(mails.map(({ text }) => /Refunded: (\S+)/.exec(text)?.[1]).sort()).toEqual(['$29.75', '$89.25'])
  const again = (await documentsOf(order)).find(({ kind }) => kind === 'invoice')!
  expect((await read(again.url)).text()).toContain('Total\n$119.00 USD')
})

test('a credit note whose refund came back is void, shows it, and its buyer gets a mail', async () => {
  const { order } = await buyPro({
    customer_email: 'ines@example.com',
    confirmation_token_id: 'ctoken_sandbox_refund_fails_later',
  })
  const give = () => shop.post('/refunds', { order_id: order.id, reason: 'customer_request', amount: 10_000 })
  const { body: first } = await give()
  const noteOf = async (refundId: string) => (await documentsOf(order)).find(({ refund_id }) => refund_id === refundId)!
  expect(await noteOf(first.id)).toMatchObject({ voided_at: null })
  expect((await read((await noteOf(first.id)).url)).text()).toContain('Refunded on')

  server.clock.advance(minutes(1))
  const mails = await mailsTo('ines@example.com')
  const { body: second } = await give()

  const note = await noteOf(first.id)
  expect(note).toMatchObject({ number: first.credit_note_number, voided_at: server.clock.now().toISOString() })
  const text = (await read(note.url)).text()
  expect(text).toContain('Void since')
  expect(text).toContain('This credit note is void')
  expect(text).not.toContain('Refunded on')
  expect(await noteOf(second.id)).toMatchObject({ voided_at: null })
  expect((await read((await noteOf(second.id)).url)).text()).not.toContain('void')

  const told = mails.filter(({ subject }) => subject.includes('did not arrive'))
  expect(told).toHaveLength(1)
  expect(told[0]!.text).toContain(`Credit note: ${note.number}`)
  expect((await attached(told[0]!)).text()).toContain('Void since')
  const table = (await shop.get(`/refunds/export?order_id=${order.id}`)).text
  expect(table).toContain(`"${note.number}","true",`)
  expect(table).toContain(`"${second.credit_note_number}","false",`)
})

test('the sender receives the file with the mail', async () => {
  const sent: OutgoingMail[] = []
  await using other = await createTestServer({ hooks: { sendEmail: (mail) => void sent.push(mail) } })
  const seller = await createShop(other)
  const { order } = await seller.buy(await seller.product([fixedPrice(700)]), { customer_email: 'zoe@example.com' })
  await other.tollgate.internals.ctx.jobs.runDue()

  const [mail, ...more] = sent.filter(({ to }) => to === 'zoe@example.com')
  expect(more).toEqual([])
  expect(mail!.attachments.map(({ name, type }) => [name, type])).toEqual([
    [`${order.invoice_number}.pdf`, 'application/pdf'],
  ])
  expect(pdfText(mail!.attachments[0]!.content).join()).toContain('Total\n$7.00 USD')
})

test('where the optional package is missing, the list and the log say which documents lack letters', async () => {
  const { press, jobs } = server.tollgate.internals.ctx
  // As `createPress` finds it where the package is not installed.
  Object.assign(press, { hasScriptFonts: false })
  const listed = async (customer_name: string): Promise<(Listed & { lacks_fonts: boolean })[]> => {
    const { order } = await buyPro({ customer_name })
    return (await shop.get(`/orders/${order.id}/documents`)).body.items
  }
  const latin = await listed('Ірина Žižka')
  const further = await listed('株式会社')
  const latest = server.logs.length
  // Draws the documents of the mails.
  await jobs.runDue()
  for (const { url } of further) await read(url)
  Object.assign(press, { hasScriptFonts: true })

  expect(latin.map(({ lacks_fonts }) => lacks_fonts)).toEqual(latin.map(() => false))
  expect(further.map(({ lacks_fonts }) => lacks_fonts)).toEqual(further.map(() => true))
  const warned = server.logs
    .slice(latest)
    .map((line): { msg: string; document: string } => JSON.parse(line))
    .filter(({ msg }) => msg.includes('@tollgate/documents-fonts'))
  expect(new Set(warned.map(({ document }) => document))).toEqual(new Set(further.map(({ id }) => id)))
})
