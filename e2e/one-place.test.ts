import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeFaults } from './browser/inspection.ts'
import { ada, arriveAt, identifier, signIn, visit, withMouse } from './browser/people.ts'
import { answered, openShop } from './browser/seller.ts'
import { openSite, type Site } from './browser/site.ts'
import { openChromium, openVisitor, phone } from './browser/visitor.ts'

let browser: Browser
/** Everyone may sell there. */
let market: Site
/** Its administrator decides who may sell. */
let guarded: Site

beforeAll(async () => {
  browser = await openChromium()
  market = await openSite({ appName: 'Market', billing: { whoMaySell: 'everyone' } })
  guarded = await openSite({ appName: 'Guarded', billing: { whoMaySell: 'approved' } })
  for (const site of [market, guarded]) {
    const owner = await site.account(ada)
    await site.organization({ name: 'Northwind', slug: 'northwind' }, owner)
  }
})

afterAll(async () => {
  await browser?.close()
  await market?.[Symbol.asyncDispose]()
  await guarded?.[Symbol.asyncDispose]()
})

/** The pages that the navigation offers, with what stands behind their names. */
const navigation = (page: Page) =>
  page
    .locator('.side nav a')
    .evaluateAll((links) => links.map((link) => `${link.textContent?.trim()} ${link.getAttribute('href')}`))

/** Where the parts of the frame are, in whole pixels. */
const frame = async (page: Page) => {
  const parts = {
    switcher: page.locator('.side button').first(),
    user: page.locator('.side-foot button').first(),
    search: page.locator('.bar button').filter({ hasText: 'K' }),
    bar: page.locator('.bar'),
    title: page.locator('h1'),
  }
  const places: [string, number[]][] = []
  for (const [name, part] of Object.entries(parts)) {
    const box = await part.boundingBox()
    const ends = name === 'switcher' || name === 'bar' ? [box?.width, box?.height] : []
    places.push([name, [box?.x, box?.y, ...ends].map((value) => Math.round(value ?? -1))])
  }
  return Object.fromEntries(places)
}

test.each(['market', 'guarded'])('the pages of selling and of people have one frame: %s', async (name) => {
  const site = name === 'market' ? market : guarded
  await using visitor = await openVisitor(browser, { colorScheme: 'light' })
  const { page } = visitor
  await signIn(visitor, site, ada)

  await visit(page, site, '/dashboard/northwind')
  await page.locator('h1').waitFor()
  const selling = { navigation: await navigation(page), bar: await page.locator('.bar').innerText() }
  const { title: ofSelling, ...sellingFrame } = await frame(page)
  await visit(page, site, '/org/northwind')
  const people = { navigation: await navigation(page), bar: await page.locator('.bar').innerText() }
  const { title: ofPeople, ...peopleFrame } = await frame(page)

  expect(people.navigation).toEqual(selling.navigation)
  expect(people.navigation).toContain('Members 1 /org/northwind/members')
  expect(peopleFrame).toEqual(sellingFrame)
  expect(Math.abs((ofPeople?.[1] ?? 0) - (ofSelling?.[1] ?? 99))).toBeLessThanOrEqual(8)
  for (const bar of [people.bar, selling.bar]) expect(bar).toContain('Sandbox: no money moves')
  expect(visitor.takeFaults()).toEqual([])
})

test.each([undefined, phone])('Ctrl K opens the search in the middle of the window: %o', async (viewport) => {
  await using visitor = await openVisitor(browser, viewport && { viewport })
  const { page } = visitor
  await signIn(visitor, market, ada)
  await visit(page, market, '/org/northwind/members')

  await page.keyboard.press('Control+k')
  const box = await page.getByRole('group', { name: 'Go to page…' }).boundingBox()
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }

  expect(Math.abs((box?.x ?? 0) + (box?.width ?? 0) / 2 - width / 2)).toBeLessThanOrEqual(8)
  expect(Math.abs((box?.y ?? 0) + (box?.height ?? 0) / 2 - height / 2)).toBeLessThanOrEqual(8)
})

test('a seller who signs in lands in the dashboard', async () => {
  await using visitor = await openVisitor(browser)
  const { page } = visitor
  const hand = withMouse(page)
  await visit(page, market, '/sign-in')
  await hand.fill(identifier, ada.email)
  await hand.fill('Password', ada.password)
  await hand.press('Sign in')

  await arriveAt(page, 'Overview')
  expect(new URL(page.url()).pathname).toBe('/dashboard/northwind')
})

test('a new organization that sells ends in its first product', async () => {
  await using visitor = await openVisitor(browser)
  const { page } = visitor
  const hand = withMouse(page)
  await signIn(visitor, market, ada)
  await visit(page, market, '/organizations/new')
  await hand.fill('Name', 'Contoso')
  await page.getByText('contoso is available.').waitFor()
  await hand.press('Create organization')
  await arriveAt(page, 'Contoso is ready')
  expect(await axeFaults(page)).toEqual([])
  expect(await page.locator('#content [data-look=primary]').allInnerTexts()).toEqual(['Create your first product'])

  await hand.press('Create your first product')
  await arriveAt(page, 'New product')
  expect(new URL(page.url()).pathname).toBe('/dashboard/contoso/products/new')
})

test('an organization that waits for its approval says what is missing, who decides, and where to go on', async () => {
  await using visitor = await openVisitor(browser)
  const { page } = visitor
  await signIn(visitor, guarded, ada)
  await visit(page, guarded, '/dashboard/northwind/orders')
  await arriveAt(page, 'Northwind can’t sell yet')
  await page.getByText('An administrator of Guarded decides which organizations can sell.').waitFor()
  expect(await axeFaults(page)).toEqual([])

  const target = (name: string) => page.locator('#content').getByRole('link', { name }).getAttribute('href')
  expect(await target('Describe it')).toBe('/dashboard/northwind/settings')
  expect(await target('Open members')).toBe('/org/northwind/members')
  await page.getByRole('link', { name: 'Describe it' }).click()
  await arriveAt(page, 'Settings')
  await page.getByRole('link', { name: 'Members', exact: false }).first().click()
  await arriveAt(page, 'Members')
  await page.getByRole('link', { name: 'Overview' }).click()
  await arriveAt(page, 'Northwind can’t sell yet')
})

test('a sale appears in the overview as it happens, and the command menu finds its order by the end of the number', async () => {
  const grace = { name: 'Grace Hopper', email: 'grace@example.com', password: ada.password }
  const owner = { ...grace, id: await market.account(grace) }
  const shop = await openShop(market, owner, { name: 'Fabrikam', slug: 'fabrikam' })
  const prices = [{ amountType: 'fixed' as const, priceAmount: 1900, priceCurrency: 'usd' }]
  const { id: product } = await answered(
    shop.billing.createProduct({ name: 'Course', recurringInterval: null, prices }),
  )
  await using visitor = await openVisitor(browser)
  const { page } = visitor
  await signIn(visitor, market, grace)
  const greeted = page.waitForResponse((answer) => answer.url().endsWith('/dashboard/fabrikam/live'))
  await visit(page, market, '/dashboard/fabrikam')
  await greeted
  const figure = page.getByRole('region', { name: 'Numbers' }).getByRole('link').nth(1)
  await figure.filter({ hasText: /^0$/ }).waitFor()

  await shop.sell(product, { name: 'Bob', email: 'bob@example.com' })

  await figure.filter({ hasText: /^1$/ }).waitFor()
  await page.getByRole('region', { name: 'Recent orders' }).getByText('Course').waitFor()
  await visit(page, market, '/dashboard/fabrikam/orders')
  await shop.sell(product, { name: 'Eve', email: 'eve@example.com' })
  const news = await page.getByRole('button', { name: /1 new order/ }).boundingBox()
  const table = await page.getByRole('table').boundingBox()
  expect(news?.y).toBeGreaterThan((table?.y ?? 0) + (table?.height ?? 0))
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: /^Search pages/ })
  await field.fill('000001')
  await page.getByRole('option', { name: /^FABRIKAM-000001 · Course/ }).waitFor()
  await field.fill('invite')
  await page.getByRole('option', { name: 'Invite people' }).click()
  await arriveAt(page, 'Invitations')
})
