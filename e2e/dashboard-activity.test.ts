import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeFaults, controlFaults, lookAround, overflowFaults, watchShifts } from './browser/inspection.ts'
import { ada, arriveAt, hear, signIn, visit } from './browser/people.ts'
import { answered, openShop, type Shop } from './browser/seller.ts'
import { openSite, type Person, type Site } from './browser/site.ts'
import { desktop, openChromium, openVisitor, type Visitor } from './browser/visitor.ts'

let browser: Browser
let site: Site
/** Has sold a course to Alan, and has more customers than one page of activity. */
let shop: Shop
/** Has nothing at all. */
let empty: Shop
/** Whether mails to marked addresses can be delivered. */
let mailerWorks = false

const grace: Person = { name: 'Grace Hopper', email: 'grace@example.com', password: 'correct horse battery' }
const alan = { name: 'Alan Turing', email: 'alan@example.com' }
/** May look at orders, and at nothing else. */
const edsger: Person = { name: 'Edsger Dijkstra', email: 'edsger@example.com', password: grace.password }

beforeAll(async () => {
  browser = await openChromium()
  site = await openSite({
    appName: 'Tolls',
    billing: { whoMaySell: 'everyone' },
    organization: { roles: { packer: { order: ['read'] } } },
    hooks: {
      sendEmail: ({ to }) => {
        if (to.startsWith('broken') && !mailerWorks)
          throw new Error('The mailbox cannot be reached: 452 4.3.1 Its server has no room left')
      },
    },
  })
  await site.administrator(grace)
  const owner = { ...ada, id: await site.account(ada) }
  const members = { [await site.account(edsger)]: 'packer' }
  shop = await openShop(site, owner, { name: 'Northwind Traders', slug: 'northwind' }, members)
  empty = await openShop(site, owner, { name: 'Fabrikam', slug: 'fabrikam' })
  for (let count = 10; count < 70; count++)
    await answered(shop.billing.createCustomer({ name: `Customer ${count}`, email: `c${count}@example.com` }))
  const fixed = { amountType: 'fixed', priceAmount: 4900, priceCurrency: 'usd' } as const
  const course = await answered(
    shop.billing.createProduct({ name: 'Course on tolls', recurringInterval: null, prices: [fixed] }),
  )
  await shop.sell(course.id, alan)
})

afterAll(async () => {
  await browser?.close()
  await site?.[Symbol.asyncDispose]()
})

async function openDashboard(person: Person, expected?: RegExp): Promise<{ visitor: Visitor; page: Page }> {
  const visitor = await openVisitor(browser, { ...(expected && { expected }) })
  await signIn(visitor, site, person)
  return { visitor, page: visitor.page }
}

const line = (page: Page, sentence: string | RegExp) =>
  page.getByRole('main').getByRole('listitem').filter({ hasText: sentence })

test('events are shown as sentences, by days and kinds, and link to their objects', async () => {
  const { visitor, page } = await openDashboard(ada)
  await using _ = visitor
  await visit(page, site, '/dashboard/northwind')
  await page.getByRole('link', { name: 'Activity', exact: true }).click()
  await arriveAt(page, 'Activity')
  const paid = line(page, 'Alan Turing paid for Course on tolls: $49.00')
  await paid.waitFor()
  // One day, however much has happened in it.
  expect(await page.getByRole('main').getByRole('heading', { level: 2 }).count()).toBe(1)
  expect(await line(page, 'Customer 10 became a customer').count()).toBe(0)
  const lines = page.getByRole('main').getByRole('listitem')
  while ((await line(page, 'Customer 10 became a customer').count()) === 0) {
    const before = await lines.count()
    await page.getByRole('button', { name: 'Show older' }).click()
    await lines.nth(before).waitFor()
  }
  expect(await page.getByRole('main').getByRole('heading', { level: 2 }).count()).toBe(1)

  await page.getByLabel('Kind').selectOption('Orders and payments')
  await page.waitForURL(/kind=orders/)
  await line(page, 'Customer 60 became a customer').waitFor({ state: 'detached' })
  await page.getByLabel('Kind').selectOption('Refunds and disputes')
  await page.getByText('No events of this kind').waitFor()
  await page.getByRole('button', { name: 'Show everything' }).click()
  await paid.waitFor()

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: /CSV|Export/ }).click(),
  ])
  expect(download.suggestedFilename()).toBe('timeline.csv')
  await paid.getByRole('link', { name: /^Order: / }).click()
  await arriveAt(page, 'Order NORTHWIND-000001')
  await page.goBack()
  await line(page, 'Alan Turing paid for')
    .getByRole('link', { name: /^Customer: / })
    .click()
  await arriveAt(page, alan.name)
  const panel = page.getByRole('region', { name: 'Activity' })
  await panel.getByText('Alan Turing paid for Course on tolls').waitFor()
  expect(await panel.getByText('Customer 60').count()).toBe(0)
  await panel.getByLabel('Kind').selectOption('Customers')
  await panel.getByText('Alan Turing became a customer').waitFor()
  expect(await panel.getByText('Alan Turing paid for').count()).toBe(0)
  expect(visitor.takeFaults()).toEqual([])
})

test('a member who may not read customers sees no activity, and the permission that it needs', async () => {
  const { visitor, page } = await openDashboard(edsger, /status of 403/)
  await using _ = visitor
  await visit(page, site, '/dashboard/northwind/orders')
  expect(await page.getByRole('link', { name: 'Activity', exact: true }).count()).toBe(0)

  await page.goto(`${site.origin}/dashboard/northwind/activity`)
  await page.getByText('This requires the permission customer:read').waitFor()
  expect(visitor.takeFaults()).toEqual([])
})

test('every page of activity is accessible, wide and narrow, light and dark', {
  timeout: 600_000,
}, async () => {
  const { visitor, page } = await openDashboard(ada)
  await using _ = visitor
  const [customer] = (await answered(shop.billing.listCustomers({ email: alan.email }))).items
  await watchShifts(page)
  for (const path of [
    'northwind/activity',
    'northwind/activity?kind=refunds',
    'fabrikam/activity?kind=orders',
    `northwind/customers/${customer!.id}`,
  ])
    expect(await lookAround(page, `${site.origin}/dashboard/${path}`), path).toEqual([])
  expect(empty.slug).toBe('fabrikam')
  expect(visitor.takeFaults()).toEqual([])
})

test('jobs that have failed for good are retried, one or all of a kind, and removed after a question', {
  timeout: 600_000,
}, async () => {
  const { visitor, page } = await openDashboard(grace)
  await using _ = visitor
  await visit(page, site, '/admin/users')
  await page.getByRole('link', { name: 'Jobs', exact: true }).click()
  await arriveAt(page, 'Jobs')
  await page.getByText('No failed jobs').waitFor()
  for (const number of [1, 2, 3])
    await site.account({ name: `Broken ${number}`, email: `broken${number}@example.com`, password: ada.password })
  // Eight attempts, the last of them ten hours after the one before.
  for (let attempt = 0; attempt < 8; attempt++) await site.advance('PT11H')

  await page.reload()
  const rows = page.getByRole('table', { name: 'Dead jobs' }).locator('tbody').getByRole('row')
  await rows.nth(2).waitFor()
  expect(await rows.count()).toBe(3)
  expect(await rows.first().innerText()).toContain('The mailbox cannot be reached')
  expect(await rows.first().innerText()).toContain('8 attempts')
  expect(await rows.first().innerText()).toMatch(/Mail\s+Confirm the address\s+To broken\d@example\.com/)
  const cut = await rows
    .getByRole('cell')
    .evaluateAll((cells) => cells.flatMap((cell) => (cell.scrollWidth > cell.clientWidth ? [cell.textContent] : [])))
  expect(cut).toEqual([])
  await page.getByRole('link', { name: 'Jobs 3 (3 failing jobs)', exact: true }).waitFor()
  await watchShifts(page)
  for (const path of ['/admin/jobs', '/admin/jobs?kind=mail', '/admin/jobs?kind=sweep'])
    expect(await lookAround(page, site.origin + path), path).toEqual([])

  await page.setViewportSize(desktop)
  await visit(page, site, '/admin/jobs')
  await rows.first().getByRole('button', { name: 'Remove: Mail' }).click()
  const dialog = page.getByRole('dialog', { name: 'Remove this job (Mail)?' })
  await dialog.waitFor()
  expect([...(await axeFaults(page)), ...(await overflowFaults(page)), ...(await controlFaults(page))]).toEqual([])
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await hear(page, 'alert', 'Removed')
  await rows.nth(2).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Jobs 2 (2 failing jobs)', exact: true }).waitFor()
  expect(await rows.first().evaluate((row) => row.contains(document.activeElement))).toBe(true)

  mailerWorks = true
  await rows.first().getByRole('button', { name: 'Retry: Mail' }).click()
  await hear(page, 'alert', 'The job is being retried.')
  await rows.nth(1).waitFor({ state: 'detached' })
  expect(await rows.first().evaluate((row) => row.contains(document.activeElement))).toBe(true)
  await page.getByLabel('Kind').selectOption({ label: 'Mail (1)' })
  await page.getByRole('button', { name: 'Retry all: Mail' }).click()
  await hear(page, 'alert', '1 job is being retried.')
  await page.getByText('No jobs of this kind').waitFor()
  await page.getByRole('button', { name: 'Show every kind' }).click()
  await page.getByText('No failed jobs').waitFor()

  await visit(page, site, '/admin/audit')
  await page.getByRole('cell', { name: 'Dead job removed' }).waitFor()
  expect(await page.getByRole('cell', { name: 'Dead job retried' }).count()).toBe(2)
  expect(visitor.takeFaults()).toEqual([])
})

test('buyers’ disputes wait for the server’s administrators, with the deadline for an answer', async () => {
  const { visitor, page } = await openDashboard(grace)
  await using _ = visitor
  await visit(page, site, '/admin/users')
  await page.getByRole('link', { name: 'Disputes', exact: true }).click()
  await arriveAt(page, 'Disputes')
  await page.getByText('No open disputes').waitFor()
  const { items } = await answered(shop.billing.listProducts())
  await shop.sell(items[0]!.id, { name: 'Angry Young', email: 'angry@example.com' }, 'disputed')
  await expect.poll(async () => (await answered(shop.billing.listDisputes())).items).toHaveLength(1)

  await page.reload()
  const row = page.getByRole('table', { name: 'Open disputes' }).locator('tbody').getByRole('row')
  await row.getByText('Needs response').waitFor()
  expect(await row.innerText()).toMatch(/\$49\.00[\s\S]*Test money[\s\S]*Northwind Traders[\s\S]*Sandbox/)
  await page.getByRole('link', { name: 'Disputes 1 (1 dispute needs a response)', exact: true }).waitFor()
  await watchShifts(page)
  expect(await lookAround(page, `${site.origin}/admin/disputes`)).toEqual([])

  await site.advance('P8D')
  await page.setViewportSize(desktop)
  await signIn(visitor, site, grace)
  await visit(page, site, '/admin/disputes')
  await row.getByText('overdue').waitFor()
  await row.getByRole('link', { name: 'Northwind Traders' }).click()
  await arriveAt(page, 'Northwind Traders')
  expect(visitor.takeFaults()).toEqual([])
})
