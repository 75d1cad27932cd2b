import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ada, hear, signIn, visit, withMouse } from './browser/people.ts'
import { openSite, type Person, type Site } from './browser/site.ts'
import { openChromium, openVisitor, phone, type Visitor } from './browser/visitor.ts'

/** What the pages of an organization show after something was done on them without leaving. */

let site: Site
let browser: Browser
let visitor: Visitor
let organizationId: string

const grace: Person = { ...ada, name: 'Grace Hopper', email: 'grace@example.com' }
const alan: Person = { ...ada, name: 'Alan Turing', email: 'alan@example.com' }

beforeAll(async () => {
  ;[site, browser] = await Promise.all([openSite(), openChromium()])
  visitor = await openVisitor(browser)
  const ids = [await site.account(ada), await site.account(grace)] as const
  await site.account(alan)
  organizationId = await site.organization({ name: 'Northwind', slug: 'northwind' }, ids[0], { [ids[1]]: 'member' })
  await signIn(visitor, site, ada)
})

afterAll(async () => {
  await visitor[Symbol.asyncDispose]()
  await browser.close()
  await site[Symbol.asyncDispose]()
})

/** What the navigation counts, by its links. */
async function counts(page: Page): Promise<Record<string, string>> {
  const links = await page.locator('.side .nav-link:has([data-tg="count"])').allInnerTexts()
  return Object.fromEntries(links.map((text) => text.trim().split(/\s+/) as [string, string])) // a name of one word, a number
}

test('the navigation counts actions in place, and a notice disappears when a form is retried', async () => {
  const { page } = visitor
  const hand = withMouse(page)
  await visit(page, site, '/org/northwind/invitations')
  expect(await counts(page)).toEqual({ Members: '2' })

  await hand.fill('Email addresses', 'one@example.org, two@example.org')
  await hand.press('Send invitations')
  await hear(page, 'status', '2 invitations have been sent.')
  expect(await counts(page)).toEqual({ Members: '2', Invitations: '2' })

  await hand.press('Send invitations')
  await page.getByText('Enter at least one address.').waitFor()
  expect(await page.getByRole('status').allInnerTexts()).toEqual([''])

  await hand.press('Actions one@example.org')
  await hand.press('Cancel invitation one@example.org')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel invitation one@example.org' }).click()
  await hear(page, 'status', 'The invitation has been canceled.')
  expect(await counts(page)).toEqual({ Members: '2', Invitations: '1' })
  expect(visitor.takeFaults()).toEqual([])
})

test('a request that is approved is a member more, and a member who is removed one less', async () => {
  const { page, context } = visitor
  const hand = withMouse(page)
  const api = `${site.origin}/api/auth`
  const made = await context.request.post(`${api}/organization/create-invitation-link`, {
    data: { organizationId, role: 'member', requiresApproval: true },
  })
  const { url } = await made.json()
  await using asking = await openVisitor(browser)
  await signIn(asking, site, alan)
  await site.confirm(alan.email)
  await asking.context.request.post(`${api}/organization/join-by-link`, {
    data: { token: new URL(url).pathname.split('/').at(-1) },
  })
  await visit(page, site, '/org/northwind/invitations')
  expect(await counts(page)).toEqual({ Members: '2', Invitations: '2' })

  await hand.press('Approve Alan Turing')
  await hear(page, 'status', 'The request has been approved.')
  expect(await counts(page)).toEqual({ Members: '3', Invitations: '1' })

  await visit(page, site, '/org/northwind/members')
  await hand.press('Actions Alan Turing')
  await hand.press('Remove Alan Turing')
  await page.getByRole('dialog').getByRole('button', { name: 'Remove Alan Turing' }).click()
  await hear(page, 'status', 'The member has been removed.')
  expect(await counts(page)).toEqual({ Members: '2', Invitations: '1' })
})

test('selected members change their roles and are removed together; a refusal is said in the dialog', async () => {
  await using company = await openVisitor(browser, { expected: /status of 500/ })
  const people = ['Kay McNulty', 'Mary Jackson', 'Joan Clarke']
  const ids: Record<string, string> = {}
  for (const name of people)
    ids[await site.account({ ...ada, name, email: `${name.split(' ')[0]?.toLowerCase()}@example.com` })] = 'member'
  const owner: Person = { ...ada, name: 'Hedy Lamarr', email: 'hedy@example.com' }
  await site.organization({ name: 'Together', slug: 'together' }, await site.account(owner), ids)
  await signIn(company, site, owner)
  const { page } = company
  await visit(page, site, '/org/together/members')

  // The only owner can be neither changed nor removed.
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  expect(await page.getByRole('checkbox').count()).toBe(4)
  await page.getByText('3 selected').waitFor()
  await page.getByRole('button', { name: 'Change 3 roles' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Role').selectOption({ label: 'Administrator' })
  await dialog.getByRole('button', { name: 'Change 3 roles' }).click()
  await hear(page, 'status', 'The roles have been changed.')
  expect(await page.getByLabel('Role of Kay McNulty').inputValue()).toBe('admin')

  await page.route('**/remove-member', (route) => route.fulfill({ status: 500, json: {} }), { times: 1 })
  for (const name of ['Joan Clarke', 'Kay McNulty'])
    await page.getByRole('checkbox', { name: `Select ${name}` }).check()
  await page.getByRole('button', { name: 'Remove 2 members' }).click()
  await dialog.getByRole('button', { name: 'Remove 2 members' }).click()
  await dialog.getByRole('alert').getByText('Joan Clarke:').waitFor()
  await dialog.getByRole('button', { name: 'Remove 1 member' }).click()
  await hear(page, 'status', '1 member has been removed.')
  expect(await counts(page)).toEqual({ Members: '2' })

  await page.route('**/remove-member', (route) => route.fulfill({ status: 500, json: {} }), { times: 1 })
  await page.locator('summary', { hasText: 'Actions Mary Jackson' }).click()
  await page.getByRole('button', { name: 'Remove Mary Jackson' }).click()
  await dialog.getByRole('button', { name: 'Remove Mary Jackson' }).click()
  await dialog.getByRole('alert').getByText(/./).waitFor()
  await dialog.getByRole('button', { name: 'Remove Mary Jackson' }).click()
  await hear(page, 'status', 'The member has been removed.')
  expect(company.takeFaults()).toEqual([])
})

test('the buttons of a long dialog stay in sight, and never hide what has the focus', async () => {
  await using company = await openVisitor(browser, { viewport: phone })
  await signIn(company, site, ada)
  const { page } = company
  await visit(page, site, '/org/northwind/roles')
  await page.getByRole('button', { name: 'Create a role' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create a role' })
  const [cancel, create] = [
    dialog.getByRole('button', { name: 'Cancel' }),
    dialog.getByRole('button', { name: 'Create role' }),
  ]
  const bottom = async (of: typeof cancel) => {
    const box = await of.boundingBox()
    return (box?.y ?? phone.height) + (box?.height ?? 0)
  }
  await dialog.getByLabel('Name of the role').focus()
  for (const box of await dialog.getByRole('checkbox').all()) {
    await page.keyboard.press('Tab')
    expect(await box.evaluate((element) => element === document.activeElement)).toBe(true)
    for (const button of [cancel, create]) expect(await bottom(button)).toBeLessThan(phone.height)
    expect(await bottom(box)).toBeLessThanOrEqual((await create.boundingBox())?.y ?? 0)
  }
  await cancel.click()
  await dialog.waitFor({ state: 'hidden' })
})
