import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { appearances, axeFaults, controlFaults, lookAround, overflowFaults, watchShifts } from './browser/inspection.ts'
import { choose, press, tick, typeInto } from './browser/keyboard.ts'
import { ada, arriveAt, hear, signIn, visit } from './browser/people.ts'
import { answered, openShop, type Shop } from './browser/seller.ts'
import { openSite, type Site } from './browser/site.ts'
import { openChromium, openVisitor, phone, settled, type Visitor } from './browser/visitor.ts'

const files = mkdtempSync(path.join(tmpdir(), 'files-'))
let browser: Browser
let site: Site
/** Sells everything that there is to sell. */
let shop: Shop
/** Has nothing at all, for its owner to make. */
let fresh: Shop
let adaId: string
/** Of what the shop has, one of each. */
let ids: Record<'product' | 'archived' | 'field' | 'meter' | 'discount' | 'link', string>

const alan = { name: 'Alan Turing', email: 'alan@example.com', password: 'correct horse battery' }
const longName = 'Wolfeschlegelsteinhausenbergerdorff-Montgomery von und zu Ruprechtshofen'

beforeAll(async () => {
  browser = await openChromium()
  site = await openSite({ appName: 'Tolls', billing: { whoMaySell: 'everyone', files: { directory: files } } })
  adaId = await site.account(ada)
  const owner = { ...ada, id: adaId }
  shop = await openShop(site, owner, { name: 'Northwind Traders', slug: 'northwind' })
  fresh = await openShop(site, owner, { name: 'Contoso', slug: 'contoso' })
  ids = await stock(shop)
})

afterAll(async () => {
  await browser?.close()
  await site?.[Symbol.asyncDispose]()
  rmSync(files, { recursive: true, force: true })
})

async function stock({ billing, sell }: Shop): Promise<typeof ids> {
  const fixed = { amountType: 'fixed', priceAmount: 1900, priceCurrency: 'usd' } as const
  const words = { property: 'name', operator: 'eq', value: 'call' } as const
  const any = {
    conjunction: 'or' as const,
    clauses: [
      { property: 'tokens', operator: 'gte' as const, value: 10 },
      { property: 'cached', operator: 'ne' as const, value: true },
    ],
  }
  const meter = await answered(
    billing.createMeter({
      name: 'API calls',
      filter: { conjunction: 'and', clauses: [words, any] },
      aggregation: { func: 'sum', property: 'tokens' },
    }),
  )
  const options = [
    { value: 's', label: 'Small' },
    { value: 'm', label: 'Medium' },
  ]
  const field = await answered(
    billing.createCustomField({ type: 'select', slug: 'size', name: 'Size', properties: { options } }),
  )
  for (const type of ['text', 'number', 'date', 'checkbox'] as const)
    await answered(billing.createCustomField({ type, slug: type, name: `A ${type}`, properties: {} }))
  const product = await answered(
    billing.createProduct({
      name: 'Pro plan',
      description: 'Everything in one place.',
      recurringInterval: 'month',
      prices: [
        fixed,
        { amountType: 'metered_unit', priceCurrency: 'usd', meterId: meter.id, unitAmount: '0.5', capAmount: 10_000 },
      ],
      attachedCustomFields: [{ customFieldId: field.id, required: false }],
      metadata: { tier: 2, beta: true, note: 'x'.repeat(120) },
    }),
  )
  const once = await answered(
    billing.createProduct({ name: longName, recurringInterval: null, prices: [{ amountType: 'custom' }] }),
  )
  const archived = await answered(
    billing.createProduct({ name: 'Old plan', recurringInterval: 'year', prices: [{ amountType: 'free' }] }),
  )
  await answered(billing.updateProduct({ id: archived.id, isArchived: true }))
  const discount = await answered(
    billing.createDiscount({
      name: 'Spring sale',
      code: 'SPRING26',
      type: 'percentage',
      basisPoints: 2000,
      duration: 'repeating',
      durationInMonths: 3,
      maxRedemptions: 100,
      products: [product.id],
    }),
  )
  await answered(
    billing.createDiscount({ name: longName, type: 'fixed', amount: 500, currency: 'eur', duration: 'forever' }),
  )
  const link = await answered(
    billing.createCheckoutLink({ label: 'Home page', products: [product.id, once.id], discountId: discount.id }),
  )
  await sell(product.id, { name: 'Grace Hopper', email: 'grace@example.com' })
  return {
    product: product.id,
    archived: archived.id,
    field: field.id,
    meter: meter.id,
    discount: discount.id,
    link: link.id,
  }
}

/** Whether an element is what is drawn at its own place. */
const isSeen = (locator: Locator): Promise<boolean> =>
  locator.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect()
    const drawn = document.elementFromPoint(x + width / 2, y + height / 2)
    return drawn !== null && (element.contains(drawn) || drawn.contains(element))
  })

/** A window of Ada's, who owns both. */
async function openDashboard(address: string, expected?: RegExp): Promise<{ visitor: Visitor; page: Page }> {
  const visitor = await openVisitor(browser, { ...(expected && { expected }) })
  await signIn(visitor, site, ada)
  await visit(visitor.page, site, address)
  return { visitor, page: visitor.page }
}

const names = (page: Page, table: string) =>
  page.getByRole('table', { name: table }).locator('tbody [data-cell=name]').allInnerTexts()
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })

describe('the catalog', () => {
  test('a seller makes a custom field, a product, a discount and a checkout link with the keyboard alone', async () => {
    const { visitor, page } = await openDashboard('/dashboard/contoso')
    await using _ = visitor
    await page.getByText('0 of 4 done').waitFor()

    await page.keyboard.press('g')
    await page.keyboard.press('f')
    await arriveAt(page, 'Custom fields')
    await press(page, 'New custom field')
    await arriveAt(page, 'New custom field')
    await typeInto(page, 'Name', 'T-shirt size')
    await choose(page, 'Kind', 'Choice')
    await press(page, 'Add a choice')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.type('Small')
    await press(page, 'Create custom field')
    await arriveAt(page, 'T-shirt size')
    await hear(page, 'alert', 'T-shirt size is ready')

    await page.keyboard.press('g')
    await page.keyboard.press('h')
    await arriveAt(page, 'Overview')
    await press(page, 'New product')
    await arriveAt(page, 'New product')
    await press(page, 'Create product')
    await page.getByText('Use at least 3 characters.').waitFor()
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-invalid'))).toBe('true')
    await hear(page, 'alert', '2 fields need your attention.')
    await typeInto(page, 'Name', 'Pro plan')
    await typeInto(page, 'Amount', '0.10')
    await press(page, 'Create product')
    await page.getByText('Enter an amount from $0.50 to $999,999.99.').waitFor()
    await typeInto(page, 'Amount', '19')
    await choose(page, 'Add: Custom fields, in their order', 'T-shirt')
    await tick(page, 'Required: T-shirt size is required')
    const preview = page.getByRole('region', { name: 'Checkout preview' })
    await preview.locator('[data-tg=price]', { hasText: '$19.00 / month' }).waitFor()
    await press(page, 'Create product')
    await arriveAt(page, 'Pro plan')
    await hear(page, 'alert', 'Pro plan is for sale')
    const { items } = await answered(fresh.billing.listProducts({}))
    expect(items).toMatchObject([
      {
        name: 'Pro plan',
        recurringInterval: 'month',
        prices: [{ amountType: 'fixed', priceAmount: 1900 }],
        attachedCustomFields: [{ required: true, customField: { slug: 't-shirt-size' } }],
      },
    ])

    await page.keyboard.press('g')
    await page.keyboard.press('d')
    await arriveAt(page, 'Discounts')
    await press(page, 'New discount')
    await arriveAt(page, 'New discount')
    await typeInto(page, 'Name', 'Launch')
    await typeInto(page, 'Code', 'two words')
    await typeInto(page, 'Percent', '12.5')
    await press(page, 'Create discount')
    await page.getByText('Use 3 to 256 letters and digits.').waitFor()
    await typeInto(page, 'Code', 'LAUNCH')
    await press(page, 'Create discount')
    await arriveAt(page, 'Launch')
    expect((await answered(fresh.billing.listDiscounts({}))).items).toMatchObject([
      { name: 'Launch', code: 'LAUNCH', basisPoints: 1250, duration: 'once' },
    ])

    await page.keyboard.press('g')
    await page.keyboard.press('l')
    await arriveAt(page, 'Checkout links')
    await press(page, 'New checkout link')
    await arriveAt(page, 'New checkout link')
    // The only product is chosen already.
    await press(page, 'Remove Pro plan')
    await press(page, 'Create checkout link')
    await page.getByText('Add at least one product.').waitFor()
    await typeInto(page, 'Label', 'Home page')
    await choose(page, 'Add: Products to choose from', 'Pro')
    await choose(page, 'Discount', 'Launch')
    await press(page, 'Create checkout link')
    await arriveAt(page, 'Home page')
    const [link] = (await answered(fresh.billing.listCheckoutLinks({}))).items
    expect(link).toMatchObject({ label: 'Home page', products: [{ name: 'Pro plan' }], discount: { name: 'Launch' } })
    await page.getByRole('link', { name: 'Open', exact: true }).waitFor()
    expect(await page.getByRole('link', { name: 'Open', exact: true }).getAttribute('href')).toBe(link?.url)

    await page.keyboard.press('g')
    await page.keyboard.press('h')
    await page.getByText('2 of 4 done').waitFor()
    expect(await page.getByRole('link', { name: 'Open the checkout' }).getAttribute('href')).toBe(link?.url)
    expect(visitor.takeFaults()).toEqual([])
  })

  test('a product can be tried at once: its link is made, and opened again the next time', async () => {
    const { visitor, page } = await openDashboard(`/dashboard/northwind/products/${ids.product}`)
    await using _ = visitor
    const ownLinks = async () => {
      const { items } = await answered(shop.billing.listCheckoutLinks({ productId: [ids.product], limit: 100 }))
      return items.filter(({ products, discountId }) => products.length === 1 && discountId === null)
    }
    const before = await ownLinks()

    for (const _ of ['makes the link', 'finds it again']) {
      const [tab] = await Promise.all([
        page.waitForEvent('popup'),
        page.getByRole('button', { name: 'Try it' }).click(),
      ])
      await tab.waitForURL(/\/checkout\//)
      await tab.getByRole('heading', { name: 'Pro plan' }).waitFor()
      await tab.close()
    }
    expect(await ownLinks()).toHaveLength(Math.max(before.length, 1))

    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy link' }).click()
    await hear(page, 'alert', 'The checkout link is copied')
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe((await ownLinks())[0]?.url)
    expect(visitor.takeFaults()).toEqual([])
  })

  test('a seller changes, archives and restores a product; subscribers keep their price', async () => {
    const { visitor, page } = await openDashboard(`/dashboard/northwind/products/${ids.product}`)
    await using _ = visitor

    await page.getByLabel('Amount', { exact: true }).fill('29')
    await page.getByRole('button', { name: 'Remove tier' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await hear(page, 'alert', 'Pro plan is saved')
    const product = await answered(shop.billing.getProduct({ id: ids.product }))
    expect(product.prices).toHaveLength(2)
    expect(product.prices.find(({ amountType }) => amountType === 'fixed')).toMatchObject({ priceAmount: 2900 })
    expect(product.metadata).toEqual({ beta: true, note: 'x'.repeat(120) })

    await page.getByRole('button', { name: 'Archive' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('One active subscription has it.').waitFor()
    await dialog.getByRole('button', { name: 'Archive' }).click()
    await page.getByText('This product is archived. New buyers can’t buy it.').waitFor()
    await page.getByRole('link', { name: 'Products' }).last().click()
    await arriveAt(page, 'Products')
    expect(await names(page, 'Products')).toEqual([longName])
    await page.getByLabel('For sale or archived').selectOption({ label: 'Archived' })
    await hear(page, 'status', '1–2 of 2 products')
    await row(page, 'Pro plan').getByRole('link').click()
    await page.getByRole('button', { name: 'Sell again' }).click()
    await hear(page, 'alert', 'Pro plan is for sale again')
    expect(visitor.takeFaults()).toEqual([])
  })

  test('a seller uploads, shows and keeps a picture; the server refuses other files', async () => {
    const { visitor, page } = await openDashboard(`/dashboard/northwind/products/${ids.archived}`)
    await using _ = visitor
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    )
    const input = page.locator('input[type=file]')

    await input.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('x') })
    await hear(page, 'alert', 'notes.txt is not a supported picture.')
    await input.setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer: png })
    await page.getByRole('button', { name: 'Save picture' }).click()
    await hear(page, 'status', 'dot.png added')
    await page.getByRole('button', { name: 'Save' }).click()
    await hear(page, 'alert', 'Old plan is saved')

    const { medias } = await answered(shop.billing.getProduct({ id: ids.archived }))
    expect(medias).toMatchObject([{ name: 'dot.png', isUploaded: true, mimeType: 'image/png' }])
    await page.reload()
    await settled(page)
    const isDrawn = (image: HTMLImageElement) => image.complete && image.naturalWidth === 1
    expect(await page.getByRole('img', { name: 'dot.png' }).evaluate(isDrawn)).toBe(true)
    expect(visitor.takeFaults()).toEqual([])
  })

  test('a meter keeps its groups of conditions, and gets further ones', async () => {
    const { visitor, page } = await openDashboard(`/dashboard/northwind/meters/${ids.meter}`)
    await using _ = visitor

    await page.getByRole('button', { name: 'Add a condition in group 2' }).click()
    await page.getByLabel('Property of condition 2.3').fill('model')
    await page.getByLabel('Comparison of condition 2.3').selectOption({ label: 'contains' })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Enter a value.').waitFor()
    await page.getByLabel('Value of condition 2.3', { exact: true }).fill('large')
    await page.getByRole('button', { name: 'Save' }).click()
    await hear(page, 'alert', 'API calls is saved')

    const { filter } = await answered(shop.billing.getMeter({ id: ids.meter }))
    expect(filter.clauses[1]).toEqual({
      conjunction: 'or',
      clauses: [
        { property: 'tokens', operator: 'gte', value: 10 },
        { property: 'cached', operator: 'ne', value: true },
        { property: 'model', operator: 'like', value: 'large' },
      ],
    })
    expect(visitor.takeFaults()).toEqual([])
  })

  test('a fault that the server finds shows beside its field, and leaving the page keeps the input', async () => {
    const { visitor, page } = await openDashboard('/dashboard/northwind/custom-fields/new', /status of 422/)
    await using _ = visitor

    await page.getByLabel('Name', { exact: true }).fill('Size')
    await page.getByRole('button', { name: 'Create custom field' }).click()
    const slug = page.getByLabel('Slug', { exact: true })
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true')
    expect(await slug.getAttribute('aria-invalid')).toBe('true')

    await page.getByRole('link', { name: 'Meters' }).click()
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
    await dialog.getByRole('button', { name: 'Stay' }).click()
    expect(await slug.inputValue()).toBe('size')
    await page.getByRole('link', { name: 'Meters' }).click()
    await dialog.getByRole('button', { name: 'Leave without saving' }).click()
    await arriveAt(page, 'Meters')
    expect(visitor.takeFaults()).toEqual([])
  })

  test('a seller deletes a discount after a confirmation that explains the effect', async () => {
    const given = { name: 'Mistake', type: 'percentage', basisPoints: 1, duration: 'once' } as const
    const { id } = await answered(shop.billing.createDiscount(given))
    const { visitor, page } = await openDashboard(`/dashboard/northwind/discounts/${id}`)
    await using _ = visitor

    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await arriveAt(page, 'Discounts')

    await hear(page, 'status', '1–2 of 2 discounts')
    expect(await names(page, 'Discounts')).not.toContain('Mistake')
    expect(visitor.takeFaults()).toEqual([])
  })
})

describe('ways around', () => {
  test('a menu leads to pages, begins things, and finds customers and orders', async () => {
    const { visitor, page } = await openDashboard('/dashboard/northwind/products')
    await using _ = visitor
    const field = page.getByRole('combobox', { name: 'Search pages, actions, customers and orders' })

    await page.keyboard.press('ControlOrMeta+k')
    await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true)
    await page.keyboard.type('hopper')
    await page.getByRole('option', { name: 'Grace Hopper · grace@example.com' }).waitFor()
    await page.getByRole('option', { name: /^NORTHWIND-000001 · Pro plan/ }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await arriveAt(page, 'Order NORTHWIND-000001')

    await page.keyboard.press('ControlOrMeta+k')
    await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true)
    await page.keyboard.type('new dis')
    await page.keyboard.press('Enter')
    await arriveAt(page, 'New discount')
    expect(visitor.takeFaults()).toEqual([])
  })

  test('the first picture has the dates of the browser that signed in, and its script changes none of them', async () => {
    await using visitor = await openVisitor(browser, { timezoneId: 'Pacific/Kiritimati' })
    const { page } = visitor
    await visit(page, site, '/sign-in')
    await signIn(visitor, site, ada)
    const datesOf = (html: string) => [...html.matchAll(/<time[^>]*>([^<]*)<\/time>/g)].map(([, text]) => text)

    const document = await page.goto(`${site.origin}/dashboard/northwind/orders`)
    const drawn = datesOf((await document?.text()) ?? '')
    await settled(page)

    expect(drawn.length).toBeGreaterThan(0)
    expect(datesOf(await page.content())).toEqual(drawn)
    expect((await visitor.context.cookies()).find(({ name }) => name === 'tollgate_zone')?.value).toBe(
      'Pacific%2FKiritimati',
    )
    expect(visitor.takeFaults()).toEqual([])
  })

  test('single keys lead to pages, and list themselves, unless they are switched off', async () => {
    const { visitor, page } = await openDashboard('/dashboard/northwind/products')
    await using _ = visitor

    await page.keyboard.type('?')
    const list = page.getByRole('dialog', { name: 'Shortcut keys' })
    await list.getByText('Go to Discounts').waitFor()
    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'detached' })
    await page.keyboard.press('g')
    await page.keyboard.press('m')
    await arriveAt(page, 'Meters')
    await page.getByLabel('Search meters').press('g')
    await page.getByLabel('Search meters').press('p')
    expect(await page.getByLabel('Search meters').inputValue()).toBe('gp')

    await page.getByRole('button', { name: 'your menu' }).click()
    await page.getByLabel('Shortcut keys (? lists them)').uncheck()
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('g')
    await page.keyboard.press('p')
    await page.keyboard.type('?')
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(new URL(page.url()).pathname).toBe('/dashboard/northwind/meters')
    expect(visitor.takeFaults()).toEqual([])
  })

  test('the viewer’s own menu is in sight in a low window, and signs out', async () => {
    const { visitor, page } = await openDashboard('/dashboard/northwind')
    await using _ = visitor
    await page.setViewportSize({ width: 1280, height: 560 })

    const button = page.getByRole('button', { name: 'your menu' })
    const { bottom } = await button.evaluate((element) => element.getBoundingClientRect())
    expect(bottom).toBeLessThanOrEqual(560)
    await button.click()
    await page.getByRole('link', { name: 'Account settings' }).waitFor()
    expect(await axeFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL('**/sign-in*')
    expect(visitor.takeFaults()).toEqual([])
  })

  test('a dialog that scrolls keeps its buttons in sight', async () => {
    const { visitor, page } = await openDashboard('/dashboard/northwind/tokens')
    await using _ = visitor

    await page.getByRole('button', { name: 'New token' }).click()
    const dialog = page.getByRole('dialog')
    const submit = dialog.getByRole('button', { name: 'Create token' })
    await submit.waitFor()
    expect(await isSeen(submit)).toBe(true)
    // A field that gets the focus by key is not below the buttons.
    const last = dialog.getByRole('checkbox').last()
    await last.focus()
    expect(await isSeen(last)).toBe(true)
    expect(visitor.takeFaults()).toEqual([])
  })

  test('the switcher leads from organization to organization', async () => {
    const { visitor, page } = await openDashboard('/dashboard/northwind/products')
    await using _ = visitor

    await page.getByRole('button', { name: /^Northwind Traders/ }).click()
    await page.waitForFunction(() => document.activeElement?.closest('[popover]'))
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/dashboard/contoso')
    await arriveAt(page, 'Overview')
    expect(visitor.takeFaults()).toEqual([])
  })

  test('the pages of people are in the navigation of selling', async () => {
    const { visitor, page } = await openDashboard('/dashboard/northwind')
    await using _ = visitor
    const navigation = page.getByRole('navigation', { name: 'Main' })

    for (const name of ['Invitations', 'Roles', 'Organization profile', 'Audit log'])
      expect(await navigation.getByRole('link', { name }).count(), name).toBe(1)
    await navigation.getByRole('link', { name: 'Members' }).click()
    await page.waitForURL('**/org/northwind/members')
    await page.getByRole('heading', { level: 1, name: 'Members' }).waitFor()
    expect(visitor.takeFaults()).toEqual([])
  })

  test('the overview counts a period, and every number links to what it counts', async () => {
    const { visitor, page } = await openDashboard('/dashboard/northwind')
    await using _ = visitor
    const numbers = page.getByRole('region', { name: 'Numbers' })

    await numbers.getByText('Active subscriptions').waitFor()
    expect(await numbers.locator('.figures_number').allInnerTexts()).toEqual(['$19.00', '1', '1', '1'])
    expect(await numbers.locator('.figures_change').first().innerText()).toMatch(/^Up\s+\$0\.00 before$/)
    expect(await page.getByRole('region', { name: 'Recent orders' }).innerText()).toMatch(/Pro plan[\s\S]*Grace Hopper/)
    await page.getByRole('link', { name: '7 days' }).click()
    await page.waitForURL('**?period=7d')
    await numbers.locator('.figures_figure', { hasText: 'Orders' }).getByRole('link').click()
    await arriveAt(page, 'Orders')
    expect(new URL(page.url()).search).toMatch(/^\?status=collected&created=\d{4}-\d\d-\d\d\.\.\d{4}-\d\d-\d\d$/)
    await hear(page, 'status', '1–1 of 1 order')
    await page.getByRole('button', { name: /^Remove filter: Date / }).click()
    await page.waitForURL(/\/orders\?status=collected$/)
    await visit(page, site, '/dashboard/northwind')
    expect(await numbers.getByRole('link').first().getAttribute('aria-label')).toBe(
      '$19.00: show the paid orders of the period',
    )
    await numbers.locator('.figures_figure', { hasText: 'Active subscriptions' }).getByRole('link').click()
    await arriveAt(page, 'Subscriptions')
    expect(new URL(page.url()).search).toBe('?stage=running')
    expect(visitor.takeFaults()).toEqual([])
  })

  test('the chart is read with the arrow keys, and as a table; the figure and an own range stay in the address', async () => {
    const { visitor, page } = await openDashboard('/dashboard/northwind')
    await using _ = visitor
    const panel = page.getByRole('region', { name: 'Over time' })

    await panel.getByLabel('Figure').selectOption({ label: 'Orders' })
    await page.waitForURL('**?figure=orders')
    const chart = panel.getByRole('slider', { name: /^Orders, / })
    await chart.focus()
    await page.keyboard.press('End')
    expect(await chart.getAttribute('aria-valuetext')).toMatch(/: 1$/)
    await page.keyboard.press('ArrowLeft')
    expect(await chart.getAttribute('aria-valuetext')).toMatch(/: 0$/)
    expect(await chart.getAttribute('aria-valuenow')).toBe('29')
    await panel.getByRole('button', { name: 'Show as table' }).click()
    expect(await panel.getByRole('row').count()).toBe(31)

    await page.getByRole('button', { name: 'Custom range' }).click()
    await page.locator('input[name=from]').fill('2026-01-05')
    await page.locator('input[name=to]').fill('2026-01-04')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByText('The first day comes after the last.').waitFor()
    await page.locator('input[name=from]').fill('2026-01-01')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.waitForURL('**range=2026-01-01..2026-01-04*')
    await page.getByText(/^Jan 1\s–\s4, 2026, compared with Dec 28\s–\s31, 2025\./).waitFor()
    expect(await panel.getByRole('row').count()).toBe(5)
    expect(visitor.takeFaults()).toEqual([])
  })

  test('the first order is welcomed, and the steps stay until they are done or hidden', async () => {
    const { visitor, page } = await openDashboard('/dashboard/northwind')
    await using _ = visitor

    await page.getByRole('region', { name: 'Your first order' }).getByText('Grace Hopper bought Pro plan').waitFor()
    // Tickets fly for people who do not mind movement, and for no others.
    const tickets = page.locator('.first-steps_tickets')
    expect(await tickets.isVisible()).toBe(false)
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    expect(await tickets.evaluate((element) => getComputedStyle(element).display)).toBe('block')
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.getByText('3 of 4 done').waitFor()
    await page.getByRole('button', { name: 'Hide this list' }).click()
    await page.getByText('3 of 4 done').waitFor({ state: 'hidden' })
    const document = await page.reload()
    await page.getByRole('region', { name: 'Numbers' }).waitFor()
    expect(await page.getByText('3 of 4 done').count()).toBe(0)
    // Nor does it flash up before the script is there.
    expect(await document?.text()).not.toContain('3 of 4 done')
    expect(visitor.takeFaults()).toEqual([])
  })

  test('a member sees what their role allows, and other users see that nothing exists', async () => {
    const alanId = await site.account(alan)
    await site.organization({ name: 'Fabrikam', slug: 'fabrikam' }, adaId, { [alanId]: 'member' })
    const visitor = await openVisitor(browser, { expected: /status of 404/ })
    await using _ = visitor
    await signIn(visitor, site, alan)

    for (const slug of ['fabrikam', 'northwind', 'nothing']) {
      const answer = await visitor.page.goto(`${site.origin}/dashboard/${slug}`)
      expect(answer?.status(), slug).toBe(404)
    }
    expect(visitor.takeFaults()).toEqual([])
  })
})

describe('how it looks', () => {
  test('every page is accessible, in place and quiet: wide and narrow, light and dark, in every state', {
    timeout: 600_000,
  }, async () => {
    const { visitor, page } = await openDashboard('/dashboard/northwind', /status of (?:404|422)/)
    await using _ = visitor
    await watchShifts(page)
    const faults: string[] = []
    for (const address of [
      '',
      '/products',
      '/products?q=nothing',
      '/products/new',
      `/products/${ids.product}`,
      `/products/${ids.archived}`,
      '/products/nothing',
      '/custom-fields',
      '/custom-fields?type=date&q=nothing',
      '/custom-fields/new',
      `/custom-fields/${ids.field}`,
      '/meters',
      '/meters/new',
      `/meters/${ids.meter}`,
      '/discounts',
      '/discounts/new',
      `/discounts/${ids.discount}`,
      '/checkout-links',
      `/checkout-links?product=${ids.product}`,
      '/checkout-links/new',
      `/checkout-links/${ids.link}`,
      '/no/such/page',
    ]) {
      const found = await lookAround(page, `${site.origin}/dashboard/northwind${address}`)
      faults.push(...found.map((fault) => `${address} ${fault}`))
    }
    const none = await openShop(site, { ...ada, id: adaId }, { name: 'Nothing yet', slug: 'nothing-yet' })
    for (const address of ['', '/products', '/custom-fields', '/meters', '/discounts', '/checkout-links']) {
      const found = await lookAround(page, `${site.origin}/dashboard/${none.slug}${address}`)
      faults.push(...found.map((fault) => `empty ${address} ${fault}`))
    }
    expect(faults).toEqual([])
    expect(visitor.takeFaults()).toEqual([])
  })

  test('an overlay above a page is accessible, wide and narrow, light and dark', async () => {
    const { visitor, page } = await openDashboard('/dashboard/northwind/products')
    await using _ = visitor
    const faults: string[] = []
    const look = async (what: string) => {
      const found = [...(await axeFaults(page)), ...(await overflowFaults(page)), ...(await controlFaults(page))]
      faults.push(...found.map((fault) => `${what} ${fault}`))
    }
    for (const { viewport, colorScheme } of appearances) {
      await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme })
      await visit(page, site, `/dashboard/northwind/products/${ids.product}`)
      const dialog = page.getByRole('dialog')
      const state = `${viewport.width} ${colorScheme}`

      await page.keyboard.press('ControlOrMeta+k')
      await page.waitForFunction(() => document.activeElement?.closest('[role=dialog]'))
      await look(`menu ${state}`)
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })

      await page.getByRole('button', { name: 'Archive' }).click()
      await dialog.getByText('active subscription').waitFor()
      await look(`archive ${state}`)
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })

      await page.keyboard.type('?')
      await dialog.waitFor()
      await look(`keys ${state}`)
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })

      if (viewport === phone) await page.getByRole('button', { name: 'Open navigation' }).click()
      await page
        .getByRole('button', { name: /^Northwind Traders/ })
        .filter({ visible: true })
        .click()
      await page.getByRole('link', { name: 'Contoso' }).waitFor()
      await look(`switcher ${state}`)
    }
    expect(faults).toEqual([])
    expect(visitor.takeFaults()).toEqual([])
  })
})

test('a seller lists what a product has and arranges the pricing page, by keys and by dragging', async () => {
  const own = await openShop(site, { ...ada, id: adaId }, { name: 'Litware', slug: 'litware' })
  const prices = [{ amountType: 'fixed' as const, priceAmount: 1900 }]
  const [one, two, three] = await Promise.all(
    ['Dinghy', 'Sloop', 'Ketch'].map(
      async (name) => (await answered(own.billing.createProduct({ name, recurringInterval: 'month', prices }))).id,
    ),
  )
  for (const [position, id] of [one, two, three].entries())
    await answered(own.billing.updateProduct({ id: id ?? '', position }))
  await using visitor = await openVisitor(browser)
  const { page } = visitor
  await signIn(visitor, site, ada)

  await visit(page, site, `/dashboard/litware/products/${two}`)
  await press(page, 'Add a feature')
  await page.keyboard.type('Ten berths')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Every chart')
  await page.keyboard.press('Alt+ArrowUp')
  await page.getByText('Every chart is now 1 of 2').waitFor({ state: 'attached' })
  await tick(page, 'Most popular')
  expect([...(await axeFaults(page)), ...(await overflowFaults(page)), ...(await controlFaults(page))]).toEqual([])
  await press(page, 'Save')
  await hear(page, 'alert', 'Sloop is saved')
  expect(await answered(own.billing.getProduct({ id: two ?? '' }))).toMatchObject({
    features: ['Every chart', 'Ten berths'],
    isHighlighted: true,
  })

  await visit(page, site, '/dashboard/litware/products')
  await press(page, 'Arrange')
  const dialog = page.getByRole('dialog', { name: 'Order on the pricing page' })
  await dialog.getByRole('button', { name: 'Move Ketch up' }).waitFor()
  const order = async () =>
    (await answered(own.billing.listProducts({ sorting: ['position'] }))).items.map(({ name }) => name)
  await press(page, 'Move Ketch up')
  await expect.poll(order).toEqual(['Dinghy', 'Ketch', 'Sloop'])
  expect([...(await axeFaults(page)), ...(await overflowFaults(page)), ...(await controlFaults(page))]).toEqual([])
  const rows = dialog.getByRole('listitem')
  await rows.nth(2).locator('.arranged-list_grip').dragTo(rows.nth(0))
  await expect.poll(order).toEqual(['Sloop', 'Dinghy', 'Ketch'])

  await visit(page, site, '/pricing/litware')
  expect(await page.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual(['Sloop', 'Dinghy', 'Ketch'])
  await page.getByRole('article').first().getByText('Most popular').waitFor()
  expect(visitor.takeFaults()).toEqual([])
})
