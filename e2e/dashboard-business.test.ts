import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { orderName } from '@tollgate/contract/billing'
import type { Browser, Page } from 'playwright-core'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  axeFaults,
  controlFaults,
  lookAround,
  overflowFaults,
  shiftsInTurns,
  watchShifts,
} from './browser/inspection.ts'
import { press, typeInto } from './browser/keyboard.ts'
import { ada, arriveAt, hear, signIn, visit } from './browser/people.ts'
import { answered, openShop, type Shop } from './browser/seller.ts'
import { openSite, type Person, type Site } from './browser/site.ts'
import { desktop, openChromium, openVisitor, phone, settled, type Visitor } from './browser/visitor.ts'

let browser: Browser
let site: Site
/** Has sold a course to Grace, and at the second attempt to Alan; Barbara got a lesson without saying where she lives. */
let shop: Shop
let receiver: Receiver
let course: string

/** May look at orders, and at nothing else. */
const edsger: Person = { name: 'Edsger Dijkstra', email: 'edsger@example.com', password: ada.password }
const grace = { name: 'Grace Hopper', email: 'grace@example.com' }
const alan = { name: 'Alan Turing', email: 'alan@example.com' }
const barbara = { name: 'Barbara Liskov', email: 'barbara@example.com' }
const address = { country: 'DE', line1: 'Torstraße 1', city: 'Berlin', postalCode: '10119' }

type Message = { readonly path: string; readonly headers: Record<string, string>; readonly body: string }
type Receiver = { readonly server: Server; readonly origin: string; readonly got: Message[] }

/**
 * The seller's receiver: it accepts every message except at `/broken`, and at `/choosy` except messages about people.
 */
async function openReceiver(): Promise<Receiver> {
  const got: Message[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer) // a stream without an encoding gives buffers
    const headers = request.headers as Record<string, string> // of those that are looked at there is one each
    const body = Buffer.concat(chunks).toString()
    got.push({ path: request.url ?? '', headers, body })
    const isRefused = request.url === '/broken' || (request.url === '/choosy' && body.includes('refused@'))
    response.writeHead(isRefused ? 500 : 200, { 'content-type': 'application/json' })
    response.end('{"received":true}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, got } // it listens at a port
}

beforeAll(async () => {
  browser = await openChromium()
  receiver = await openReceiver()
  const roles = { support: { order: ['read'] } }
  site = await openSite({
    appName: 'Tolls',
    billing: { whoMaySell: 'everyone', tax: { provider: 'table', registrations: [{ country: 'DE' }] } },
    organization: { roles },
  })
  const owner = { ...ada, id: await site.account(ada) }
  const members = { [await site.account(edsger)]: 'support' }
  shop = await openShop(site, owner, { name: 'Northwind Traders', slug: 'northwind' }, members)
  // It has nothing at all.
  await openShop(site, owner, { name: 'Fabrikam', slug: 'fabrikam' })
  await seed(shop)
})

afterAll(async () => {
  receiver?.server.close()
  await browser?.close()
  await site?.[Symbol.asyncDispose]()
})

async function seed({ billing, sell }: Shop): Promise<void> {
  const price = { amountType: 'fixed', priceAmount: 10_000, priceCurrency: 'eur' } as const
  course = (
    await answered(billing.createProduct({ name: 'Course on tolls', recurringInterval: null, prices: [price] }))
  ).id
  await sell(course, { ...grace, customerBillingAddress: address })
  await sell(course, alan, 'decline')
  await sell(course, { ...alan, customerBillingAddress: address })
  const sample = { name: 'Sample lesson', recurringInterval: null, prices: [{ amountType: 'free' } as const] }
  const free = await answered(billing.createProduct(sample))
  const { clientSecret } = await answered(billing.createCheckout({ products: [free.id] }))
  const buyer = { customerName: barbara.name, customerEmail: barbara.email }
  await answered(billing.confirmClientCheckout({ clientSecret, ...buyer }))
}

const orderOf = async ({ email }: { email: string }) =>
  (await answered(shop.billing.listOrders({ query: email }))).items[0]!

async function openDashboard(expected?: RegExp, person = ada): Promise<{ visitor: Visitor; page: Page }> {
  const visitor = await openVisitor(browser, { ...(expected && { expected }) })
  await signIn(visitor, site, person)
  return { visitor, page: visitor.page }
}

/** A panel by its heading, which may end with how many there are. */
const region = (page: Page, name: string) => page.getByRole('region', { name: new RegExp(`^${name}\\s*\\d*$`) })

/** Waits until a dialog has the focus, as a typing user does. */
async function inDialog(page: Page, name: string): Promise<void> {
  await page.getByRole('dialog', { name }).waitFor()
  await page.waitForFunction(() => document.activeElement?.closest('[role=dialog]'))
}

/** Waits until what is called so has the focus. */
const hasFocus = (page: Page, name: string) =>
  page.waitForFunction((text) => document.activeElement?.textContent === text, name)

const noDialog = (page: Page) => page.getByRole('dialog').waitFor({ state: 'detached' })

test('an order is given back in parts by the keyboard alone, and never more than is left', async () => {
  const { visitor, page } = await openDashboard()
  await using _ = visitor
  const { id, invoiceNumber } = await orderOf(grace)
  await visit(page, site, `/dashboard/northwind/orders/${id}`)
  await press(page, 'Refund…')
  await inDialog(page, `Refund order ${invoiceNumber}`)
  const effect = region(page, 'What happens')
  expect(await effect.innerText()).toMatch(/€100\.00[\s\S]*€19\.00[\s\S]*€119\.00[\s\S]*Refunded/)
  await typeInto(page, 'Amount before tax', '100.01')
  await press(page, 'Refund')
  await page.getByText('At most €100.00 is refundable.').waitFor()
  await typeInto(page, 'Amount before tax', '33.33')
  expect(await effect.innerText()).toMatch(/€33\.33[\s\S]*€6\.33[\s\S]*€39\.66[\s\S]*Partly refunded/)
  const tooHigh = page.getByText('At most €100.00 is refundable.')
  expect(await tooHigh.count()).toBe(1)
  await page.keyboard.press('Tab')
  await tooHigh.waitFor({ state: 'detached' })
  await press(page, 'Refund €39.66')
  await hear(page, 'alert', '€39.66 is on its way back to the buyer')
  await noDialog(page)
  await hasFocus(page, 'Refund…')

  const refunds = region(page, 'Refunds')
  await refunds.getByText('€66.67').waitFor()
  expect(await refunds.innerText()).toMatch(
    /€39\.66 · including €6\.33 tax[\s\S]*Succeeded[\s\S]*€66\.67[\s\S]*€12\.67/,
  )
  await region(page, 'About').getByText('Partly refunded').waitFor()
  expect(await region(page, 'Amounts').innerText()).toMatch(/VAT 19%\s+€19\.00[\s\S]*Refunded\s+-€33\.33/)
  await region(page, 'Documents').getByText('Credit note').waitFor()

  await page.reload()
  await settled(page)
  await press(page, 'Refund…')
  await inDialog(page, `Refund order ${invoiceNumber}`)
  await press(page, 'Refund €79.34')
  await hear(page, 'alert', '€79.34 is on its way back to the buyer')
  await region(page, 'About').getByText('Refunded', { exact: true }).waitFor()
  expect(await page.getByRole('button', { name: 'Refund…' }).count()).toBe(0)
  await hasFocus(page, `Order ${invoiceNumber}`)
  expect(await orderOf(grace)).toMatchObject({ status: 'refunded', refundedAmount: 10_000, refundedTaxAmount: 1900 })
  expect(visitor.takeFaults()).toEqual([])
})

/**
 * Comes between a page and the refunds that it asks for: `outcomes` are what becomes of one after the other, of later ones
 * nothing. A lost one is made, and its answer never comes. `keys` are what the requests bring.
 */
async function interruptRefunds(page: Page, ...outcomes: ('lost' | 'under way')[]): Promise<{ keys: string[] }> {
  const keys: string[] = []
  await page.route('**/v1/refunds?*', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    keys.push(route.request().headers()['idempotency-key'] ?? 'none')
    const outcome = outcomes.shift()
    if (outcome === 'lost') {
      await route.fetch()
      return route.abort()
    }
    if (outcome === undefined) return route.continue()
    const refusal = { error: 'IdempotencyKeyInUse', detail: 'A request with this idempotency key is under way.' }
    return route.fulfill({ status: 409, json: refusal })
  })
  return { keys }
}

test('money goes back once where the answer was lost, however often that is tried again', async () => {
  const { visitor, page } = await openDashboard(/ERR_FAILED|409/)
  await using _ = visitor
  const kathleen = { name: 'Kathleen Booth', email: 'kathleen@example.com', customerBillingAddress: address }
  await shop.sell(course, kathleen)
  const { id, invoiceNumber } = await orderOf(kathleen)
  await visit(page, site, `/dashboard/northwind/orders/${id}`)
  const refunds = region(page, 'Refunds')
  const ask = async (amount: string) => {
    await press(page, 'Refund…')
    await inDialog(page, `Refund order ${invoiceNumber}`)
    await typeInto(page, 'Amount before tax', amount)
  }
  const unsure = page.getByRole('alert').filter({ hasText: 'did not confirm the refund' })
  const { keys } = await interruptRefunds(page, 'lost', 'under way')

  await ask('10')
  await press(page, 'Refund €11.90')
  await unsure.waitFor()
  // What has become of it stands in the list already, and what is left below it.
  await refunds.getByText('€90.00').waitFor()
  await press(page, 'Refund €11.90')
  await expect.poll(() => keys.length).toBe(2)
  await unsure.waitFor()
  await press(page, 'Refund €11.90')
  await hear(page, 'alert', '€11.90 is on its way back to the buyer')
  await noDialog(page)
  expect(await orderOf(kathleen)).toMatchObject({ refundedAmount: 1000 })

  // The same again is another wish, once it is known what came of the first.
  await page.unrouteAll()
  await visit(page, site, `/dashboard/northwind/orders/${id}`)
  const { keys: later } = await interruptRefunds(page, 'lost')
  await ask('10')
  await press(page, 'Refund €11.90')
  await unsure.waitFor()
  await page.keyboard.press('Escape')
  await noDialog(page)
  await refunds.getByText('€80.00').waitFor()
  await ask('10')
  await press(page, 'Refund €11.90')
  await hear(page, 'alert', '€11.90 is on its way back to the buyer')
  expect(await orderOf(kathleen)).toMatchObject({ refundedAmount: 2000 })

  const [first, second] = [keys[0], later[0]]
  expect([keys, later]).toEqual([
    [first, first, first],
    [second, second],
  ])
  expect(first).not.toBe(second)
  await answered(shop.billing.createRefund({ orderId: id, amount: 8000, reason: 'other' }))
  expect(visitor.takeFaults()).toEqual([])
})

test('refunds are listed with their orders, and disputes beside them', async () => {
  const { visitor, page } = await openDashboard()
  await using _ = visitor
  const { id } = await orderOf(alan)
  await answered(shop.billing.createRefund({ orderId: id, amount: 1000, reason: 'duplicate' }))
  await visit(page, site, `/dashboard/northwind/refunds?order=${id}`)
  await hear(page, 'status', '1–1 of 1 refund')
  expect(await page.getByRole('row').last().innerText()).toMatch(
    /€11\.90[\s\S]*including €1\.90 tax[\s\S]*Duplicate payment/,
  )
  await page.getByLabel('Status').selectOption({ label: 'Failed' })
  await page.getByText('No refunds match').waitFor()
  await page.getByLabel('Status').selectOption({ label: 'Any status' })
  const orderNumber = orderName(await orderOf(alan))
  const row = page.getByRole('row').filter({ hasText: orderNumber })
  expect(await row.getByRole('link').allInnerTexts()).toEqual([orderNumber, alan.name])
  await row.getByRole('link', { name: orderNumber }).click()
  await arriveAt(page, `Order ${orderNumber}`)
  await visit(page, site, '/dashboard/northwind/refunds')
  await page.getByRole('link', { name: 'Disputes' }).click()
  await arriveAt(page, 'Disputes')
  await page.getByText('No disputes').waitFor()

  await visit(page, site, `/dashboard/northwind/orders?status=partially_refunded&q=${alan.email}`)
  await hear(page, 'status', '1–1 of 1 order')
  await page.getByText('€10.00 refunded').waitFor()
  expect(visitor.takeFaults()).toEqual([])
})

test('pending and disputed orders show their outcome by themselves', async () => {
  const { visitor, page } = await openDashboard()
  await using _ = visitor
  const slow = { name: 'Tony Hoare', email: 'tony@example.com' }
  const angry = { name: 'Niklaus Wirth', email: 'niklaus@example.com' }
  await shop.sell(course, slow, 'refund_pending')
  await shop.sell(course, angry, 'disputed')
  const { id } = await orderOf(slow)
  await answered(shop.billing.createRefund({ orderId: id, amount: 10_000, reason: 'other' }))
  await visit(page, site, `/dashboard/northwind/orders/${id}`)
  await region(page, 'Refunds').getByText('Pending', { exact: true }).waitFor()
  expect(await page.getByRole('button', { name: 'Refund…' }).count()).toBe(0)
  await site.advance('PT2M')
  await region(page, 'About').getByText('Refunded', { exact: true }).waitFor()
  await region(page, 'Documents').getByText('Credit note').waitFor()

  await expect.poll(async () => (await answered(shop.billing.listDisputes())).items).toHaveLength(1)
  await visit(page, site, '/dashboard/northwind/refunds/disputes')
  const orderNumber = orderName(await orderOf(angry))
  await page.getByRole('row').getByText('The cardholder says they did not make this payment').waitFor()
  await page.getByRole('link', { name: orderNumber }).click()
  await arriveAt(page, `Order ${orderNumber}`)
  await page
    .getByText('The buyer disputed this payment. Your administrator must respond through the payment processor by')
    .waitFor()
  await region(page, 'About').getByText('Disputed').waitFor()
  const button = page.getByRole('button', { name: 'Refund…' })
  expect(await button.getAttribute('aria-disabled')).toBe('true')
  await region(page, 'Refunds').getByText('You can’t refund it while the dispute is open').waitFor()
  await button.click({ force: true })
  expect(await page.getByRole('dialog').count()).toBe(0)
  await visit(page, site, '/dashboard/northwind/orders')
  await page.getByRole('row').filter({ hasText: orderNumber }).getByText('Disputed').waitFor()
  expect(await page.getByRole('row').getByText('Disputed').count()).toBe(1)
  await page.getByRole('navigation').getByTitle('1 disputed payment').waitFor()
  await visit(page, site, '/dashboard/northwind')
  await page.getByText('1 payment is disputed.').waitFor()
  await page.getByRole('link', { name: 'Show disputes' }).click()
  await page.getByRole('link', { name: orderNumber }).click()
  await arriveAt(page, `Order ${orderNumber}`)
  const disputes = region(page, 'Disputes')
  await disputes.getByText('Needs response').waitFor()
  await disputes.getByRole('button', { name: 'Decide in your favor' }).click()
  await disputes.getByText('Won').waitFor()
  expect(await button.getAttribute('aria-disabled')).toBeNull()
  expect(visitor.takeFaults()).toEqual([])
})

test('an invoice is issued once it is known whom to, and opens as a PDF beside the page', async () => {
  const { visitor, page } = await openDashboard()
  await using _ = visitor
  const { id } = await orderOf(barbara)
  await visit(page, site, `/dashboard/northwind/orders/${id}`)
  const documents = region(page, 'Documents')
  await documents.getByRole('button', { name: 'Edit billing details' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name on the invoice').fill('Liskov Ltd')
  await dialog.getByLabel('Country').selectOption('DE')
  await dialog.getByLabel('Street and number', { exact: true }).fill('Ringbahnstraße 2')
  await dialog.getByLabel('City').fill('Berlin')
  await dialog.getByLabel('Postal code').fill('12099')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await region(page, 'Buyer').getByText('Liskov Ltd').waitFor()
  await documents.getByRole('button', { name: 'Issue invoice' }).click()

  const link = documents.getByRole('link', { name: /^Open PDF: Invoice/ })
  expect(await link.getAttribute('target')).toBe('_blank')
  const answer = await fetch(new URL((await link.getAttribute('href')) ?? '', site.origin))
  expect(answer.headers.get('content-type')).toBe('application/pdf')
  expect((await answer.text()).startsWith('%PDF')).toBe(true)
  expect(await documents.getByRole('button', { name: 'Edit billing details' }).count()).toBe(0)
  expect(visitor.takeFaults()).toEqual([])
})

test('a payment shows the decline reason and the processor’s id; lists can be saved as files', async () => {
  const { visitor, page } = await openDashboard()
  await using _ = visitor
  await visit(page, site, '/dashboard/northwind/payments?status=failed')
  await page
    .getByRole('row')
    .filter({ hasText: alan.email })
    .getByRole('link', { name: '€119.00', exact: true })
    .click()
  await arriveAt(page, 'Payment of €119.00')
  const [payment] = (await answered(shop.billing.listPayments({ status: ['failed'] }))).items
  const attempt = await region(page, 'Attempt').innerText()
  // In the reader's words, by the code.
  expect(payment?.declineReason).toBe('card_declined')
  expect(attempt).toContain('The bank declined the card.')
  expect(attempt).toMatch(/Failed[\s\S]*Visa ending in[\s\S]*Sandbox/)
  expect(attempt).toContain(payment?.processorReference)

  for (const [path, columns] of [
    ['orders', /invoice/i],
    ['payments?status=failed&method=card', /status/i],
    ['refunds', /reason/i],
    ['refunds/disputes?status=needs_response', /decided_at/],
  ] as const) {
    await visit(page, site, `/dashboard/northwind/${path}`)
    const href = await page.getByRole('link', { name: 'Export CSV' }).getAttribute('href')
    const file = await visitor.context.request.get(site.origin + href)
    expect([file.status(), file.headers()['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
    expect((await file.text()).split('\n')[0]).toMatch(columns)
    expect(href).toContain(path.split('?')[1] ?? '')
  }

  await visit(page, site, '/dashboard/northwind/processors')
  expect(await region(page, 'Sandbox').innerText()).toMatch(/Takes payments[\s\S]*no money moves/)
  expect(await region(page, 'Stripe').innerText()).toContain(`${site.origin}/v1/stripe/events`)
  await region(page, 'Turn on Stripe').getByText('STRIPE_WEBHOOK_SECRET').waitFor()
  expect(visitor.takeFaults()).toEqual([])
})

test('further legal notes on invoices are set once, on the page of taxes', async () => {
  const { visitor, page } = await openDashboard()
  await using _ = visitor
  await visit(page, site, '/dashboard/northwind/tax')
  const note = 'Gemäß § 19 UStG wird keine Umsatzsteuer berechnet.\nHRB 12345'

  await page.getByLabel('Additional information').fill(note)
  await press(page, 'Save tax settings')
  await page.getByText('Tax settings saved').waitFor()

  await page.reload()
  await expect.poll(() => page.getByLabel('Additional information').inputValue()).toBe(note)
  expect(visitor.takeFaults()).toEqual([])
})

test('an endpoint is made by the keyboard alone, gets a signed test event, and gets it again with the same id', async () => {
  const { visitor, page } = await openDashboard()
  await using _ = visitor
  await visit(page, site, '/dashboard/fabrikam/webhooks')
  await page.getByText('No webhook endpoints yet').waitFor()
  await press(page, 'New endpoint')
  await arriveAt(page, 'New webhook endpoint')
  await press(page, 'Create endpoint')
  await page.getByText('Enter a URL that begins with').waitFor()
  await typeInto(page, 'URL', `${receiver.origin}/taken`)
  await typeInto(page, 'Name', 'Fulfilment')
  await press(page, 'All billing events')
  await press(page, 'Create endpoint')
  await inDialog(page, 'The endpoint’s signing secret')
  const secret = await page.getByRole('dialog').getByLabel('Signing secret').inputValue()
  expect(secret).toMatch(/^whsec_/)
  await press(page, 'Done')
  await arriveAt(page, 'Fulfilment')

  await press(page, 'Send test event')
  await inDialog(page, 'Send a test event')
  await press(page, 'Send')
  const deliveries = page.getByRole('table', { name: 'Deliveries' })
  await deliveries.getByText('Succeeded, 200').waitFor()
  const [first] = receiver.got
  expect(first?.path).toBe('/taken')
  expect(() => new Webhook(secret).verify(first!.body, first!.headers)).not.toThrow()
  await noDialog(page)
  await press(page, /^Resend .+ of /)
  await hear(page, 'alert', 'is on its way again')
  await page.waitForFunction(() => document.querySelectorAll('table tbody tr').length === 2)
  expect(receiver.got.map(({ headers }) => headers['webhook-id'])).toEqual([
    first?.headers['webhook-id'],
    first?.headers['webhook-id'],
  ])
  await region(page, 'Health').getByText('2 of the last 2 attempts succeeded.').waitFor()

  await deliveries.getByRole('link').first().press('Enter')
  await page.getByRole('heading', { level: 1, name: /, attempt / }).waitFor()
  await settled(page)
  const sent = await region(page, 'Request').innerText()
  expect(sent).toContain(`${receiver.origin}/taken`)
  expect(sent).toContain(first?.headers['webhook-id'])
  expect(await region(page, 'Response').innerText()).toMatch(/200[\s\S]*"received": true/)
  expect(await region(page, 'Check the signature').innerText()).toContain(first?.headers['webhook-id'])

  await visit(page, site, '/dashboard/fabrikam')
  expect(await page.getByRole('listitem').filter({ hasText: 'Receive a webhook' }).innerText()).toContain('Done')
  expect(visitor.takeFaults()).toEqual([])
})

test('a mostly healthy endpoint shows that an event is stuck, and since when', async () => {
  const { visitor, page } = await openDashboard()
  await using _ = visitor
  await watchShifts(page)
  const asked = { url: `${receiver.origin}/choosy`, events: ['customer.created' as const] }
  const { id } = await answered(shop.billing.createWebhookEndpoint(asked))
  await answered(shop.billing.createCustomer({ email: 'refused@example.com' }))
  const deliveries = async () => (await answered(shop.billing.listWebhookDeliveries({ endpointId: [id] }))).items
  await expect.poll(async () => (await deliveries()).length).toBe(1)
  await site.advance('PT2M')
  await answered(shop.billing.createCustomer({ email: 'taken@example.com' }))
  await expect.poll(async () => (await deliveries()).some(({ succeeded }) => succeeded)).toBe(true)

  await visit(page, site, '/dashboard/northwind/webhooks')
  await page.getByText('1 event stuck since').waitFor()
  await page.getByRole('link', { name: asked.url }).click()
  await page.getByText('1 event has not been delivered since').waitFor()
  await page.getByRole('table', { name: 'Deliveries' }).getByText('Failing since').first().waitFor()
  const path = `/dashboard/northwind/webhooks/${id}`
  expect(await lookAround(page, site.origin + path)).toEqual([])
  await visit(page, site, path)
  await page.getByRole('link', { name: 'Failed, 500' }).first().click()
  await page.getByText('Failing since').waitFor()
  await answered(shop.billing.deleteWebhookEndpoint({ id }))
  expect(visitor.takeFaults()).toEqual([])
})

test('an endpoint that fails shows it, is switched off and on, gets another secret, and is deleted', async () => {
  const { visitor, page } = await openDashboard()
  await using _ = visitor
  const events = ['customer.created', 'order.paid'] as const
  const { id } = await answered(
    shop.billing.createWebhookEndpoint({ url: `${receiver.origin}/broken`, events: [...events] }),
  )
  await answered(shop.billing.createCustomer({ email: 'katherine@example.com' }))
  await visit(page, site, `/dashboard/northwind/webhooks/${id}`)
  await page.getByRole('table', { name: 'Deliveries' }).getByText('Failed, 500').first().waitFor()
  await page.getByText('Every delivery has failed since').waitFor()
  await page.getByLabel('Status').selectOption({ label: 'Succeeded' })
  await page.getByText('No attempts match').waitFor()
  await page.getByLabel('Status').selectOption({ label: 'Any status' })

  const dialog = page.getByRole('dialog')
  const before = receiver.got.length
  // The moment is proposed from which on nothing has come through.
  await visit(page, site, '/dashboard/northwind')
  await page.getByText('Deliveries to the webhook endpoint').waitFor()
  await page.getByRole('navigation').getByTitle('1 endpoint with failing deliveries').waitFor()
  await page.getByRole('link', { name: /^Show endpoint/ }).click()
  await arriveAt(page, `${receiver.origin}/broken`)
  await page.getByRole('button', { name: 'Resend failed' }).click()
  const { failingSince } = await answered(shop.billing.getWebhookEndpoint({ id }))
  const since = new Date(await dialog.getByLabel('Since').inputValue()).getTime()
  expect(Date.parse(failingSince ?? '') - since).toBeLessThan(60_000)
  await dialog.getByText(/There are no events to send|will be sent/).waitFor()
  await dialog.getByRole('button', { name: 'Resend' }).click()
  await hear(page, 'alert', /on the way|no events to resend/)
  await expect.poll(() => receiver.got.length).toBeGreaterThan(before)

  await page.getByRole('button', { name: 'Disable' }).click()
  await page.getByText('This endpoint is disabled and receives no events.').waitFor()
  await page.getByRole('button', { name: 'Enable' }).click()
  await page.getByRole('button', { name: 'Disable' }).waitFor()
  const { missedSince } = await answered(shop.billing.getWebhookEndpoint({ id }))
  await page.getByText('could not be delivered and is no longer retried').waitFor()
  await page.getByRole('button', { name: 'Resend…' }).click()
  await dialog.getByText(/\d events? will be sent/).waitFor()
  expect(new Date(await dialog.getByLabel('Since').inputValue()).getTime()).toBeLessThanOrEqual(
    Date.parse(missedSince ?? ''),
  )
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await noDialog(page)
  await hasFocus(page, 'Resend…')

  await page.getByRole('button', { name: 'Rotate secret' }).click()
  await dialog.getByRole('button', { name: 'Rotate secret' }).click()
  const secret = await dialog.getByLabel('Signing secret').inputValue()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await hasFocus(page, 'Rotate secret')
  await page.getByText('Messages are also signed with the previous secret').waitFor()
  await page.getByRole('button', { name: 'Show secret' }).click()
  await region(page, 'Signing secret').getByText(secret).waitFor()

  await page.getByRole('link', { name: 'Edit' }).click()
  await arriveAt(page, 'Edit endpoint')
  await page.getByLabel('Search events').fill('refunded')
  await page.getByLabel('order.refunded').check()
  await page.getByRole('button', { name: 'Save' }).click()
  await region(page, 'About').getByText('order.refunded').waitFor()

  await page.getByRole('button', { name: 'Delete endpoint' }).click()
  await dialog.getByRole('button', { name: 'Delete endpoint' }).click()
  await arriveAt(page, 'Webhooks')
  await page.getByText('No webhook endpoints yet').waitFor()
  expect(visitor.takeFaults()).toEqual([])
})

test('a member who may only read orders sees no refund, and the permission that webhooks need', async () => {
  const { visitor, page } = await openDashboard(/status of 403/, edsger)
  await using _ = visitor
  const { id } = await orderOf(alan)
  await visit(page, site, `/dashboard/northwind/orders/${id}`)
  await region(page, 'Refunds').getByText('Refundable', { exact: true }).waitFor()
  expect(await page.getByRole('button', { name: /^(Refund|Edit|Issue)/ }).count()).toBe(0)
  const navigation = page.getByRole('navigation')
  expect(await navigation.getByRole('link', { name: 'Members' }).count()).toBe(1)
  for (const name of ['Webhooks', 'Roles', 'Organization profile', 'Audit log'])
    expect(await navigation.getByRole('link', { name }).count(), name).toBe(0)
  await visit(page, site, '/dashboard/northwind/webhooks')
  await page.getByText('This requires the permission webhook:read').waitFor()
  expect(visitor.takeFaults()).toEqual([])
})

test('nothing on a page moves when its parts come one after another', async () => {
  const { visitor, page } = await openDashboard()
  await using _ = visitor
  const angry = { name: 'Donald Knuth', email: 'donald@example.com' }
  await shop.sell(course, angry, 'disputed')
  const { id, customerId } = await orderOf(angry)
  const disputes = async () => (await answered(shop.billing.listDisputes({ orderId: [id] }))).items
  await expect.poll(disputes).toHaveLength(1)
  const url = `${receiver.origin}/taken`
  const endpoint = await answered(shop.billing.createWebhookEndpoint({ url, events: ['customer.created'] }))

  await watchShifts(page)
  for (const path of [
    `orders/${id}`,
    `orders/${(await orderOf(grace)).id}`,
    `customers/${customerId}`,
    `webhooks/${endpoint.id}`,
  ]) {
    const load = () => shiftsInTurns(page, `${site.origin}/dashboard/northwind/${path}`)
    // On a busy machine a font may come after the first picture, once; a fault of the page moves it each time.
    expect((await load()).length > 0 ? await load() : [], path).toEqual([])
  }
  await answered(shop.billing.deleteWebhookEndpoint({ id: endpoint.id }))
  expect(visitor.takeFaults()).toEqual([])
})

test('every page is accessible, wide and narrow, light and dark', { timeout: 600_000 }, async () => {
  const { visitor, page } = await openDashboard()
  await using _ = visitor
  await watchShifts(page)
  const url = `${receiver.origin}/${'long'.repeat(40)}`
  const endpoint = await answered(shop.billing.createWebhookEndpoint({ url, events: ['customer.created'] }))
  await answered(shop.billing.testWebhookEndpoint({ id: endpoint.id }))
  const deliveries = async () =>
    (await answered(shop.billing.listWebhookDeliveries({ endpointId: [endpoint.id] }))).items[0]
  await expect.poll(deliveries).toBeTruthy()
  const [payment] = (await answered(shop.billing.listPayments({ status: ['failed'] }))).items
  const paths = [
    `northwind/orders/${(await orderOf(alan)).id}`,
    'northwind/refunds',
    `northwind/payments/${payment?.id}`,
    'northwind/processors',
    'northwind/tax',
    'northwind/webhooks',
    'northwind/webhooks/new',
    `northwind/webhooks/${endpoint.id}`,
    `northwind/webhooks/${endpoint.id}/deliveries/${(await deliveries())?.id}`,
    'fabrikam/refunds/disputes',
  ]
  for (const path of paths) expect(await lookAround(page, `${site.origin}/dashboard/${path}`), path).toEqual([])

  for (const [path, button] of [
    [paths[0], 'Refund…'],
    [paths[7], 'Resend failed'],
  ] as const) {
    await page.setViewportSize(desktop)
    await visit(page, site, `/dashboard/${path}`)
    await page.getByRole('button', { name: button, exact: true }).click()
    await page.getByRole('dialog').waitFor()
    for (const viewport of [desktop, phone]) {
      await page.setViewportSize(viewport)
      const found = [...(await axeFaults(page)), ...(await overflowFaults(page)), ...(await controlFaults(page))]
      expect(found, `${button}, ${viewport.width} px`).toEqual([])
    }
  }
  expect(visitor.takeFaults()).toEqual([])
})
