import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeFaults, controlFaults, overflowFaults } from './browser/inspection.ts'
import { ada, hear, signIn, visit } from './browser/people.ts'
import { answered, openShop, type Shop } from './browser/seller.ts'
import { openSite, type Site } from './browser/site.ts'
import { desktop, openChromium, openVisitor, phone, settled, type Visitor } from './browser/visitor.ts'

/* What a seller sees of their subscriptions, and does with them. */

let browser: Browser
let site: Site
/** Two subscribers pay; the card of one declines since the first renewal. */
let shop: Shop
const [grace, alan] = [
  { name: 'Grace Hopper', email: 'grace@example.com' },
  { name: 'Alan Turing', email: 'alan@example.com' },
]
const plan = async (name: string, priceAmount: number, recurringInterval: 'month' | 'year') => {
  const prices = [{ amountType: 'fixed' as const, priceAmount }]
  return (await answered(shop.billing.createProduct({ name, recurringInterval, prices }))).id
}

beforeAll(async () => {
  browser = await openChromium()
  site = await openSite({ appName: 'Tolls', billing: { whoMaySell: 'everyone' } })
  shop = await openShop(site, { ...ada, id: await site.account(ada) }, { name: 'Northwind', slug: 'northwind' })
  const basic = await plan('Basic plan', 1900, 'month')
  await plan('Team plan', 2900, 'month')
  await shop.sell(basic, grace, 'renewal_decline')
  await shop.sell(basic, alan)
  await site.advance('P32D')
  const workbench = await plan('Workbench for distributed engineering teams, with everything included', 19_000, 'year')
  await shop.sell(workbench, { name: 'Barbara Wolfeschlegelsteinhausenbergerdorff', email: 'barbara@example.com' })
})

afterAll(async () => {
  await browser?.close()
  await site?.[Symbol.asyncDispose]()
})

async function open(path: string, given: Parameters<typeof openVisitor>[1] = {}) {
  const visitor = await openVisitor(browser, given)
  await signIn(visitor, site, ada)
  await visit(visitor.page, site, `/dashboard/northwind${path}`)
  return { visitor, page: visitor.page }
}

const customers = (page: Page) => page.locator('tbody [data-cell=customer]').allInnerTexts()
const revenue = (page: Page, sum: string) => page.locator('dl', { hasText: 'recurring revenue' }).getByText(sum)
const subscriptionOf = async (name: string): Promise<string> => {
  const { items } = await answered(shop.billing.listSubscriptions())
  return items.find(({ customer }) => customer.name === name)?.id ?? ''
}

/** The page as it is found on a desk and in a hand. */
async function fits({ page, takeFaults }: Visitor): Promise<void> {
  expect(await axeFaults(page)).toEqual([])
  for (const size of [phone, desktop]) {
    await page.setViewportSize(size)
    await settled(page)
    expect([...(await overflowFaults(page)), ...(await controlFaults(page))]).toEqual([])
  }
  expect(takeFaults()).toEqual([])
}

test('views and filters narrow the list and the revenue above it', async () => {
  const { visitor, page } = await open('/subscriptions')
  await using _ = visitor
  await hear(page, 'status', '1–3 of 3 subscriptions')
  await revenue(page, '$53.83').waitFor()

  await page.getByLabel('Status', { exact: true }).selectOption('Active')
  await hear(page, 'status', '1–2 of 2 subscriptions')
  await revenue(page, '$34.83').waitFor()
  await page.getByLabel('Status', { exact: true }).selectOption('Past due')
  await hear(page, 'status', '1–3 of 3 subscriptions')
  await page.waitForURL('**status=active%2Cpast_due')
  await fits(visitor)
  await page.getByRole('button', { name: 'Remove filter: Status Active' }).click()
  await hear(page, 'status', '1–1 of 1 subscription')

  await page.getByRole('link', { name: 'Past due 1' }).click()
  await page.waitForURL('**stage=past_due**')
  await page.getByRole('button', { name: 'Overdue since' }).waitFor()
  await revenue(page, '$19.00').waitFor()
  expect(await customers(page)).toEqual([grace.name])
  expect(await page.locator('nav [aria-current=page]', { hasText: 'Past due' }).count()).toBe(1)
  await page.getByRole('link', { name: 'Ending' }).click()
  await page.getByText('No subscriptions match').waitFor()
  await page.getByText('None of these is charged now.').waitFor()
  await fits(visitor)
})

test('on a phone the view that is shown is in sight, and long texts leave room for each other', async () => {
  const { visitor, page } = await open('/subscriptions', { viewport: phone })
  await using _ = visitor
  await hear(page, 'status', '1–3 of 3 subscriptions')
  for (const row of await page.locator('tbody tr').all()) expect((await row.boundingBox())?.height).toBeLessThan(250)

  await visit(page, site, '/dashboard/northwind/subscriptions?stage=over')
  await page.getByText('No subscriptions match').waitFor()
  const shown = await page.locator('nav [aria-current=page]', { hasText: 'Ended' }).boundingBox()
  expect((shown?.x ?? phone.width) + (shown?.width ?? 0)).toBeLessThanOrEqual(phone.width)
  expect(await page.getByLabel('Status', { exact: true }).count()).toBe(0)
})

test('a page says what is billed next, as the invoice will look, and what has happened', async () => {
  const { visitor, page } = await open(`/subscriptions/${await subscriptionOf(alan.name)}`)
  await using _ = visitor
  const next = page.getByRole('region', { name: 'Next charge' })
  expect(await next.innerText()).toMatch(/On\s+Jan[\s\S]*Basic plan\s+\$19\.00\s+Total\s+\$19\.00/)
  expect(await page.getByRole('region', { name: 'Payment attempts' }).getByRole('listitem').count()).toBe(2)
  const activity = page.getByRole('region', { name: 'Activity' })
  await activity.getByText('Alan Turing paid for Basic plan').first().waitFor()
  expect(await activity.getByText(grace.name).count()).toBe(0)
  await fits(visitor)

  await page.getByRole('button', { name: 'Change plan' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change plan' })
  await dialog.getByLabel('Product').selectOption('Team plan')
  const invoice = dialog.getByRole('table', { name: 'Invoice for the change' })
  await invoice.getByText('Total', { exact: true }).waitFor()
  await dialog.getByLabel('Quantity').fill('0')
  await dialog.getByRole('button', { name: 'Change plan' }).click()
  await dialog.getByText('Enter a whole number from 1 to 10,000.').waitFor()
  await dialog.getByLabel('Quantity').fill('3')
  await invoice.getByText('3 × Remaining time on Team plan').waitFor()
  await fits(visitor)
})

test('a schedule is shown with its phases, and can be removed', async () => {
  const id = await subscriptionOf(alan.name)
  const phases = [{ quantity: 2, periods: 3 }, { quantity: 5 }]
  await answered(shop.billing.setSubscriptionSchedule({ id, phases }))
  const { visitor, page } = await open(`/subscriptions/${id}`)
  await using _ = visitor
  const schedule = page.getByRole('region', { name: 'Schedule' })
  expect(await schedule.getByRole('listitem').allInnerTexts()).toEqual([
    expect.stringMatching(/2 × Basic plan\s+for 3 periods, same discount\s+\$38\.00 \/ month\s+From Jan/),
    expect.stringMatching(/5 × Basic plan\s+no end date, same discount\s+\$95\.00 \/ month\s+From Apr/),
  ])
  await page.getByRole('region', { name: 'Next charge' }).getByText('2 × Basic plan').waitFor()
  await page.getByText('planned phases: 2').first().waitFor()
  expect(await page.getByRole('button', { name: 'Change plan' }).count()).toBe(0)
  await fits(visitor)

  await schedule.getByRole('button', { name: 'Remove schedule' }).click()
  await page
    .getByRole('dialog', { name: 'Remove the schedule' })
    .getByRole('button', { name: 'Remove schedule' })
    .click()
  await page.getByText('The schedule is removed.').waitFor()
  await page.getByRole('button', { name: 'Change plan' }).waitFor()
  expect(await schedule.count()).toBe(0)
})

test('the price of existing subscribers is changed with a preview, and the change is canceled', async () => {
  const { items } = await answered(shop.billing.listProducts({ query: 'Basic plan' }))
  const id = items[0]?.id ?? ''
  const prices = [{ amountType: 'fixed' as const, priceAmount: 2500 }]
  await answered(shop.billing.updateProduct({ id, prices }))
  const { visitor, page } = await open(`/products/${id}`)
  await using _ = visitor

  await page.getByRole('button', { name: 'Change price for subscribers' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change the price for existing subscribers' })
  await dialog.getByRole('button', { name: 'Change price' }).click()
  await dialog.getByText('Choose a day.').waitFor()
  const subscriber = await answered(shop.billing.getSubscription({ id: await subscriptionOf(alan.name) }))
  const end = new Date(subscriber.currentPeriodEnd ?? '')
  const day = new Date(end.getTime() + 60 * 86_400_000).toISOString().slice(0, 10)
  await dialog.getByLabel('From').fill(day)
  await dialog.getByLabel('Days of notice').fill('14')
  await dialog.getByText('2 subscriptions').waitFor()
  await dialog.getByText('$38.00 → $50.00').waitFor()
  await fits(visitor)
  await dialog.getByRole('button', { name: 'Change price' }).click()
  await page.getByText('The change is planned.').waitFor()

  const changes = page.getByRole('region', { name: 'Price changes for subscribers' })
  await changes.getByText('Planned').waitFor()
  await fits(visitor)
  await changes.getByRole('button', { name: 'Cancel the change' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel the change' }).click()
  await changes.getByText('Canceled').waitFor()
})

test('a customer is given credit with a reason, and the next charge uses it', async () => {
  const { items } = await answered(shop.billing.listCustomers({ email: alan.email }))
  const { visitor, page } = await open(`/customers/${items[0]?.id}`)
  await using _ = visitor
  const balance = page.getByRole('region', { name: 'Balance' })
  await balance.getByText('No credit and no debt.').waitFor()

  await balance.getByRole('button', { name: 'Add credit or debt' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add credit or debt' })
  await dialog.getByLabel('Amount').fill('5')
  await dialog.getByRole('button', { name: 'Add to balance' }).click()
  await dialog.getByText('Enter a reason.').waitFor()
  await dialog.getByLabel('Reason').fill('The outage of March')
  await fits(visitor)
  await dialog.getByRole('button', { name: 'Add to balance' }).click()
  await page.getByText('$5.00 credit added').waitFor()
  await balance.getByText('$5.00 credit', { exact: true }).waitFor()
  await balance.getByText('The outage of March').waitFor()
  await fits(visitor)

  await visit(page, site, `/dashboard/northwind/subscriptions/${await subscriptionOf(alan.name)}`)
  await page.getByRole('region', { name: 'Next charge' }).getByText('-$5.00').waitFor()
})

test('the link of an overdue order is copied where the order is listed', async () => {
  const permissions = ['clipboard-read', 'clipboard-write']
  const { visitor, page } = await open(`/subscriptions/${await subscriptionOf(grace.name)}`, { permissions })
  await using _ = visitor
  await page.getByText('The overdue order comes first.').waitFor()
  await fits(visitor)
  await page.getByRole('button', { name: /^Copy payment link of/ }).click()
  await page.getByText('The payment link is copied.').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`${site.origin}/pay/`)
})

test('a seller begins a subscription, gives it a discount, and sees what an end at once credits', async () => {
  await answered(
    shop.billing.createDiscount({ name: 'Half', type: 'percentage', basisPoints: 5000, duration: 'forever' }),
  )
  const seller = { name: 'Edsger Dijkstra', email: 'edsger@example.com' }
  await shop.sell(await plan('Former plan', 100, 'month'), seller)
  await answered(shop.billing.updateSubscription({ id: await subscriptionOf(seller.name), revoke: true }))
  const { visitor, page } = await open('/subscriptions')
  await using _ = visitor
  await page.getByRole('button', { name: 'New subscription' }).click()
  const dialog = page.getByRole('dialog', { name: 'New subscription' })
  await dialog.getByLabel('Search customers').fill('edsger')
  await dialog.getByLabel('Customer', { exact: true }).selectOption({ label: `${seller.name} (${seller.email})` })
  await dialog.getByLabel('Product').selectOption({ label: 'Team plan' })
  await dialog.getByText('Due now').waitFor()
  await dialog.getByRole('region', { name: 'Preview' }).getByText('$29.00').first().waitFor()
  await fits(visitor)
  await dialog.getByRole('button', { name: 'Start subscription' }).click()
  await page.getByRole('heading', { name: /Team plan/ }).waitFor()

  const discounts = page.getByRole('region', { name: 'Discount' })
  await discounts.getByRole('button', { name: 'Add' }).click()
  const discounting = page.getByRole('dialog', { name: 'Change the discount' })
  await discounting.getByLabel('Discount').selectOption({ label: 'Half' })
  await discounting.getByText('$14.50').first().waitFor()
  await fits(visitor)
  await discounting.getByRole('button', { name: 'Change discount' }).click()
  await page.getByRole('link', { name: 'Half' }).waitFor()

  await page.getByRole('button', { name: 'Pause' }).click()
  const pausing = page.getByRole('dialog', { name: 'Pause the subscription' })
  await pausing.getByLabel('When').selectOption({ label: 'Now' })
  await pausing.getByLabel('Credit for the rest of the period').selectOption({ label: 'For the whole period' })
  await pausing.getByText('To the customer’s balance', { exact: true }).waitFor()
  await pausing.getByText('$29.00').first().waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Cancel subscription' }).click()
  const canceling = page.getByRole('dialog', { name: 'Cancel subscription' })
  await canceling.getByLabel('When').selectOption({ label: 'Now' })
  await canceling.getByLabel('Credit for the rest of the period').selectOption({ label: 'For the whole period' })
  await canceling.getByText('To the customer’s balance', { exact: true }).waitFor()
  await fits(visitor)
  await canceling.getByRole('button', { name: 'Cancel subscription' }).click()
  await page.getByText('Ended on').waitFor()
  const { items } = await answered(shop.billing.listCustomers({ email: seller.email }))
  const { balances } = await answered(shop.billing.listCustomerBalance({ id: items[0]?.id ?? '' }))
  expect(balances).toEqual([{ currency: 'usd', amount: 2900 }])
})

test('the development clock moves ahead, keeps the seller signed in, and says what happened', async () => {
  const { visitor, page } = await open('/subscriptions')
  await using _ = visitor
  await page.getByRole('button', { name: 'Development clock' }).click()
  const clock = page.getByRole('region', { name: 'Development clock' })
  await clock.getByRole('button', { name: '+1 day' }).click()
  await clock.getByText('Nothing happened on the way.').waitFor()
  await clock.getByRole('button', { name: '+1 month' }).click()
  await clock.getByText('Alan Turing paid for Basic plan: $19.00').first().waitFor()
  const before = await clock.locator('strong').innerText()
  await clock.getByRole('button', { name: 'To the next event' }).click()
  await page.waitForFunction((text) => document.querySelector('[popover] strong')?.textContent !== text, before)
  await fits(visitor)
})
