import { text } from 'node:stream/consumers'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createStripeServer, stripeTestKeys } from '../packages/server/src/features/billing/testing/stripe-server.ts'
import { appearances, axeFaults, controlFaults, lookAround, overflowFaults, watchShifts } from './browser/inspection.ts'
import { stops, tabTo } from './browser/keyboard.ts'
import { ada, arriveAt, hear, visit } from './browser/people.ts'
import { openSite, type Person, type Site } from './browser/site.ts'
import {
  desktop,
  openChromium,
  openVisitor,
  phone,
  settled,
  type Visitor,
  type VisitorOptions,
} from './browser/visitor.ts'

const grace: Person = { name: 'Grace Hopper', email: 'grace@example.com', password: 'correct horse battery' }

let browser: Browser

beforeAll(async () => {
  browser = await openChromium()
})

afterAll(() => browser.close())

/** A site with its administrator and Ada; the administrator is signed in, in a window of their own. */
async function openAdmin(
  options?: VisitorOptions,
  served?: Parameters<typeof openSite>[1],
): Promise<{ site: Site; visitor: Visitor; page: Page }> {
  const site = await openSite({ appName: 'Northwind' }, served)
  await site.administrator(grace)
  await site.account(ada)
  const visitor = await openVisitor(browser, options)
  const { page } = visitor
  await page.goto(`${site.origin}/admin/users`)
  await page.locator('#email').fill(grace.email)
  await page.locator('#password').fill(grace.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await arriveAt(page, 'Users')
  return { site, visitor, page }
}

/** Makes an API call as the signed-in visitor; returns its answer. */
async function call(page: Page, path: string, body?: object): Promise<Record<string, unknown>> {
  const { status, text } = await page.evaluate(
    async ({ path, body }) => {
      const init = body && {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }
      const answer = await fetch(`/api/auth/admin/${path}`, init)
      return { status: answer.status, text: await answer.text() }
    },
    { path, body },
  )
  if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`)
  return JSON.parse(text)
}

const idOf = async (page: Page, email: string): Promise<string> => {
  const { users } = await call(page, `list-users?filterField=email&filterValue=${encodeURIComponent(email)}`)
  return (users as { id: string }[])[0]!.id // a user with that address exists
}

type Caller = (path: string, body: object) => Promise<Record<string, unknown>>

/** Makes organization calls as a user with an account. */
async function callerOf({ origin }: Site, { email, password }: Person): Promise<Caller> {
  const send = (path: string, body: object, cookie = '') =>
    fetch(`${origin}/api/auth/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin, cookie },
      body: JSON.stringify(body),
    })
  const signedIn = await send('sign-in/email', { email, password })
  const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  return async (path, body) => {
    const answer = await send(`organization/${path}`, body, cookie)
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as Record<string, unknown>
  }
}

const alan: Person = { name: 'Alan Turing', email: 'alan@example.com', password: 'correct horse battery' }

/** An organization that Ada owns and Alan is in, with an open invitation and a domain that is not proven. */
async function northwind(site: Site, adaId: string): Promise<{ id: string; byAda: Caller }> {
  const alanId = await site.account(alan)
  const given = { name: 'Northwind Traders', slug: 'northwind' }
  const id = await site.organization(given, adaId, { [alanId]: 'admin' })
  const byAda = await callerOf(site, ada)
  await byAda('invite-member', { organizationId: id, email: 'edsger@example.com', role: 'member' })
  await byAda('add-domain', { organizationId: id, domain: 'northwind.example', joinMode: 'request' })
  return { id, byAda }
}

/** The names in the list, from the top. */
const names = (page: Page, table = 'Users') =>
  page.getByRole('table', { name: table }).locator('tbody [data-cell=name]').allInnerTexts()

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

test('an administrator creates, finds, bans and impersonates a user, and reads the audit log', async () => {
  const { site, visitor, page } = await openAdmin()
  await using _site = site
  await using _visitor = visitor

  await page.getByRole('button', { name: 'New user' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Alan Turing')
  await dialog.getByLabel('Email', { exact: true }).fill('Alan@Example.com')
  await dialog.getByRole('button', { name: 'Create user' }).click()
  await arriveAt(page, 'Alan Turing')
  await hear(page, 'alert', 'alan@example.com has an account now')
  expect((await site.mailTo('alan@example.com')).links[0]).toContain('/reset-password')

  await page.getByRole('link', { name: 'Users' }).first().click()
  await arriveAt(page, 'Users')
  await page.keyboard.press('/')
  await page.keyboard.type('alan')
  await hear(page, 'status', '1–1 of 1 user')
  expect(await names(page)).toEqual(['Alan Turing'])
  expect(new URL(page.url()).search).toBe('?q=alan')
  await page.getByLabel('Search users').fill('')
  await hear(page, 'status', '1–3 of 3 users')
  await page.getByLabel('Filter').selectOption({ label: 'admin' })
  await hear(page, 'status', '1–1 of 1 user')
  expect(await names(page)).toEqual([grace.name])
  await page.reload()
  await settled(page)
  expect(await names(page)).toEqual([grace.name])
  await page.getByLabel('Filter').selectOption({ label: 'Everyone' })
  await hear(page, 'status', '1–3 of 3 users')

  await row(page, 'Alan Turing').getByRole('link').click()
  await arriveAt(page, 'Alan Turing')
  await page.getByRole('button', { name: 'Ban', exact: true }).click()
  await dialog.getByLabel('Reason').fill('Spam')
  await dialog.getByLabel('Until').selectOption({ label: '7 days from now' })
  await dialog.getByRole('button', { name: 'Ban', exact: true }).click()
  await page.getByText('Reason: Spam', { exact: true }).first().waitFor()
  await page.getByRole('button', { name: 'Lift ban' }).click()
  await page.getByRole('button', { name: 'Ban', exact: true }).waitFor()

  await page.getByRole('button', { name: 'Impersonate' }).click()
  await dialog.getByRole('button', { name: 'Impersonate' }).click()
  await dialog.getByText('Enter a reason.').waitFor()
  await dialog.getByLabel('Reason').fill('Request 17')
  await dialog.getByRole('button', { name: 'Impersonate' }).click()
  await arriveAt(page, 'Profile')
  const banner = page.getByRole('complementary', { name: 'Impersonation' })
  expect(await banner.innerText()).toContain('You are impersonating Alan Turing.')
  await banner.getByRole('button', { name: 'Stop' }).click()
  await arriveAt(page, 'Home')

  await page.getByRole('link', { name: 'Audit log' }).click()
  await arriveAt(page, 'Audit log')
  const events = page.getByRole('table', { name: 'Events' })
  await events.waitFor()
  for (const [name, details] of [
    ['Impersonation started', 'Request 17'],
    ['Impersonation ended', ''],
    ['Banned', 'Spam'],
    ['Ban lifted', ''],
  ] as const) {
    const event = events.getByRole('row').filter({ hasText: name }).first()
    expect(await event.innerText(), name).toMatch(new RegExp(`Alan Turing[\\s\\S]*Grace Hopper[\\s\\S]*${details}`))
  }
  await page.getByLabel('About').fill('nobody@example.com')
  await page.keyboard.press('Enter')
  await page.getByText('No user has this address.').waitFor()
  await page.getByLabel('About').fill(ada.email)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: `Remove filter: About ${ada.email}` }).waitFor()
  await page.waitForFunction(() => !document.querySelector('table')?.innerText.includes('Alan Turing'))
  expect(visitor.takeFaults()).toEqual([])
})

test('a user’s page edits, ends sessions, gives roles and deletes', async () => {
  const { site, visitor, page } = await openAdmin()
  await using _site = site
  await using _visitor = visitor
  const userId = await idOf(page, ada.email)
  await call(page, 'update-user', { userId, data: { image: `${site.origin}/favicon.svg` } })
  await visit(page, site, `/admin/users/${userId}`)
  await page.getByText('/favicon.svg').waitFor()
  const dialog = page.getByRole('dialog')

  await page.getByRole('button', { name: 'Edit' }).click()
  await dialog.getByLabel('Name', { exact: true }).fill('Ada King')
  await dialog.getByLabel('Remove the picture').check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await arriveAt(page, 'Ada King')
  expect(await page.getByText('/favicon.svg').count()).toBe(0)

  await page.getByRole('button', { name: /^End / }).last().click()
  await page.getByText('Not signed in anywhere.').waitFor()

  await page.getByRole('button', { name: 'Set role' }).click()
  await dialog.getByLabel('user', { exact: true }).uncheck()
  await dialog.getByRole('button', { name: 'Set role' }).click()
  await dialog.getByText('Choose at least one role.').waitFor()
  await dialog.getByLabel('admin', { exact: true }).check()
  await dialog.getByRole('button', { name: 'Set role' }).click()
  await hear(page, 'alert', 'Ada King is now admin')

  await page.getByRole('button', { name: 'Set password' }).click()
  await dialog.getByLabel('New password').fill('short')
  await dialog.getByRole('button', { name: 'Set password' }).click()
  await dialog.getByText('This password is too short.').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Send reset link' }).click()
  await hear(page, 'alert', `A link to choose a password is on its way to ${ada.email}`)

  await page.getByRole('button', { name: 'Delete user' }).click()
  await dialog.getByLabel(`Type ${ada.email} to confirm`).fill('ada')
  await dialog.getByRole('button', { name: 'Delete user' }).click()
  await dialog.getByText('This doesn’t match the user’s email address.').waitFor()
  await dialog.getByLabel(`Type ${ada.email} to confirm`).fill(ada.email)
  await dialog.getByRole('button', { name: 'Delete user' }).click()
  await arriveAt(page, 'Users')
  await hear(page, 'status', '1–1 of 1 user')
  // The refused calls, which every browser reports.
  expect(visitor.takeFaults().filter((fault) => !fault.includes('status of 400'))).toEqual([])
})

test('the list moves forth and back page by page, and keeps the page in its address', async () => {
  const { site, visitor, page } = await openAdmin()
  await using _site = site
  await using _visitor = visitor
  for (let count = 10; count < 70; count++)
    await call(page, 'create-user', { name: `User ${count}`, email: `user${count}@example.com` })

  await visit(page, site, '/admin/users?sort=email&q=user')
  expect(await names(page)).toHaveLength(50)
  await hear(page, 'status', '1–50 of 60 users')
  await page.getByRole('button', { name: 'Next' }).click()
  await hear(page, 'status', '51–60 of 60 users')
  expect((await names(page))[0]).toBe('User 60')
  expect(await page.getByRole('button', { name: 'Next' }).getAttribute('aria-disabled')).toBe('true')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Next')

  await page.reload()
  await settled(page)
  await page.getByRole('button', { name: 'Previous' }).click()
  await hear(page, 'status', '1–50 of 60 users')
  expect((await names(page))[0]).toBe('User 10')
  await page.goBack()
  await hear(page, 'status', '51–60 of 60 users')

  await row(page, 'User 61').getByRole('link').click()
  await arriveAt(page, 'User 61')
  await page.getByRole('main').getByRole('link', { name: 'Users' }).click()
  await hear(page, 'status', '51–60 of 60 users')

  const shared = await visitor.context.newPage()
  await shared.goto(page.url())
  await settled(shared)
  expect((await names(shared))[0]).toBe('User 60')
  await shared.getByRole('button', { name: 'First page' }).click()
  await hear(shared, 'status', '1–50 of 60 users')

  await page.getByRole('button', { name: 'User', exact: true }).click()
  await hear(page, 'status', '1–50 of 60 users')
  await page.getByRole('columnheader', { name: 'User' }).and(page.locator('[aria-sort=ascending]')).waitFor()
  expect(visitor.takeFaults()).toEqual([])
})

test('an administrator finds an organization, vouches for its domain, and deletes it', async () => {
  const { site, visitor, page } = await openAdmin()
  await using _site = site
  await using _visitor = visitor
  const { byAda } = await northwind(site, await idOf(page, ada.email))
  await byAda('create', { name: 'Contoso', slug: 'contoso' })
  const dialog = page.getByRole('dialog')

  await page.getByRole('link', { name: 'Organizations' }).click()
  await arriveAt(page, 'Organizations')
  await hear(page, 'status', '1–2 of 2 organizations')
  await page.getByRole('button', { name: 'Organization', exact: true }).click()
  await page.waitForURL('**/admin/organizations?sort=name')
  expect(await names(page, 'Organizations')).toEqual(['Contoso', 'Northwind Traders'])
  await page.keyboard.press('/')
  await page.keyboard.type('WIND')
  await hear(page, 'status', '1–1 of 1 organization')
  expect(await names(page, 'Organizations')).toEqual(['Northwind Traders'])
  await page.getByLabel('Search organizations').fill('nothing of this name')
  await page.getByRole('button', { name: 'Clear search and filter' }).click()
  await hear(page, 'status', '1–2 of 2 organizations')
  await row(page, 'Northwind Traders').getByRole('link').click()

  await arriveAt(page, 'Northwind Traders')
  const members = page.getByRole('region', { name: 'Members' })
  await members.getByRole('link', { name: 'Alan Turing' }).waitFor()
  await members.getByLabel('Search members').fill('ada@')
  await hear(page, 'status', '1–1 of 1 member')
  expect(await members.getByRole('listitem').allInnerTexts()).toEqual([
    expect.stringMatching(/Ada Lovelace[\s\S]*owner/),
  ])
  expect(new URL(page.url()).search).toBe('?q=ada%40')
  expect(await page.getByRole('region', { name: 'Open invitations' }).innerText()).toContain('edsger@example.com')
  const domains = page.getByRole('region', { name: 'Domains' })
  await domains.getByRole('button', { name: 'Verify manually: northwind.example' }).click()
  await dialog.getByRole('button', { name: 'Verify manually' }).click()
  await hear(page, 'alert', 'northwind.example is verified')
  await settled(page)
  expect(await axeFaults(page), 'with a notice').toEqual([])
  expect(await page.getByRole('alert').getByRole('button', { name: 'Close' }).count()).toBe(1)
  await domains.getByText('Verified', { exact: true }).waitFor()
  await page.waitForFunction(() => document.activeElement?.localName === 'h1')

  await page.getByRole('link', { name: 'Open in audit log' }).click()
  await arriveAt(page, 'Audit log')
  await row(page, 'Domain verified').waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export CSV' }).click(),
  ])
  const file = await text(await download.createReadStream())
  expect(file).toContain('"domain.verified"')
  expect(file).not.toContain('"user.created"')
  await page.getByRole('button', { name: 'Remove filter: In Northwind Traders' }).click()
  await page.waitForURL((url) => url.search === '')
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('event')
  await row(page, 'Domain verified').getByRole('link', { name: 'Northwind Traders' }).click()
  await arriveAt(page, 'Northwind Traders')
  await page.getByRole('button', { name: 'Delete organization' }).click()
  await dialog.getByLabel('Type northwind to confirm').fill('Northwind')
  await dialog.getByRole('button', { name: 'Delete organization' }).click()
  await dialog.getByText('This doesn’t match the slug of the organization.').waitFor()
  await dialog.getByLabel('Type northwind to confirm').fill('northwind')
  await dialog.getByRole('button', { name: 'Delete organization' }).click()
  await arriveAt(page, 'Organizations')
  await hear(page, 'alert', 'Northwind Traders is deleted')
  await hear(page, 'status', '1–1 of 1 organization')
  expect(visitor.takeFaults()).toEqual([])
})

test('organizations go forth and back page by page, and so do the members of one', async () => {
  const { site, visitor, page } = await openAdmin()
  await using _site = site
  await using _visitor = visitor
  const byAda = await callerOf(site, ada)
  for (let count = 10; count < 65; count++)
    await byAda('create', { name: `Company ${count}`, slug: `company-${count}`, keepCurrentActiveOrganization: true })

  await visit(page, site, '/admin/organizations?sort=name')
  await hear(page, 'status', '1–50 of 55 organizations')
  await page.getByRole('button', { name: 'Next' }).click()
  await hear(page, 'status', '51–55 of 55 organizations')
  expect((await names(page, 'Organizations'))[0]).toBe('Company 60')
  await row(page, 'Company 61').getByRole('link').click()
  await arriveAt(page, 'Company 61')
  await page.getByRole('main').getByRole('link', { name: 'Organizations' }).click()
  await hear(page, 'status', '51–55 of 55 organizations')
  await page.getByRole('button', { name: 'Previous' }).click()
  await hear(page, 'status', '1–50 of 55 organizations')

  const people: Record<string, string> = {}
  for (let count = 10; count < 62; count++) {
    const { user } = await call(page, 'create-user', { name: `User ${count}`, email: `user${count}@example.com` })
    people[(user as { id: string }).id] = 'member' // what the call answers with
  }
  const id = await site.organization({ name: 'Many', slug: 'many' }, await idOf(page, ada.email), people)
  await visit(page, site, `/admin/organizations/${id}`)
  await hear(page, 'status', '1–50 of 53 members')
  await page.getByRole('button', { name: 'Next' }).click()
  await hear(page, 'status', '51–53 of 53 members')
  expect(new URL(page.url()).search).toBe('?page=2')
  expect(await page.getByRole('region', { name: 'Members' }).getByRole('listitem').count()).toBe(3)
  await page.getByRole('button', { name: 'Previous' }).click()
  await hear(page, 'status', '1–50 of 53 members')
  expect(visitor.takeFaults()).toEqual([])
})

test('the only owner of a shared organization is not deleted before it has another owner', async () => {
  const { site, visitor, page } = await openAdmin()
  await using _site = site
  await using _visitor = visitor
  const { id, byAda } = await northwind(site, await idOf(page, ada.email))
  await byAda('create', { name: 'Contoso', slug: 'contoso' })
  const adaId = await idOf(page, ada.email)
  const dialog = page.getByRole('dialog')

  await visit(page, site, `/admin/users/${adaId}`)
  const organizations = page.getByRole('region', { name: 'Organizations' })
  const item = organizations.getByRole('listitem').filter({ hasText: 'Northwind Traders' })
  expect(await item.innerText()).toMatch(/owner · 2 members[\s\S]*The only owner/)
  await page.getByRole('button', { name: 'Delete user' }).click()
  await dialog.getByText('with 1 other member').waitFor()
  expect(await dialog.getByRole('heading').innerText()).toBe('Ada Lovelace cannot be deleted yet')
  await dialog.getByRole('link', { name: 'Northwind Traders' }).click()
  await arriveAt(page, 'Northwind Traders')

  // Meanwhile another one becomes an owner, and stops being one while the administrator types.
  const { members } = await call(page, `list-organization-members?organizationId=${id}`)
  const memberId = (members as { id: string; user: { email: string } }[]).find(
    ({ user }) => user.email === alan.email,
  )?.id
  await byAda('update-member-role', { memberId, role: 'owner', organizationId: id })
  await visit(page, site, `/admin/users/${adaId}`)
  await page.getByRole('button', { name: 'Delete user' }).click()
  await dialog.getByText('Contoso has no other members and is deleted with the account.').waitFor()
  await byAda('update-member-role', { memberId, role: 'member', organizationId: id })
  await dialog.getByLabel(`Type ${ada.email} to confirm`).fill(ada.email)
  await dialog.getByRole('button', { name: 'Delete user' }).click()
  await dialog.getByText('with 1 other member').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()

  await byAda('update-member-role', { memberId, role: 'owner', organizationId: id })
  await page.reload()
  await settled(page)
  await page.getByRole('button', { name: 'Delete user' }).click()
  await dialog.getByLabel(`Type ${ada.email} to confirm`).fill(ada.email)
  await dialog.getByRole('button', { name: 'Delete user' }).click()
  await hear(page, 'alert', 'Ada Lovelace is deleted')
  await visit(page, site, '/admin/organizations')
  expect(await names(page, 'Organizations')).toEqual(['Northwind Traders'])
  expect(visitor.takeFaults().filter((fault) => !fault.includes('status of 400'))).toEqual([])
})

test('every page is accessible, in place and quiet: wide and narrow, light and dark, in every state', async () => {
  // Of the user that is not there.
  const { site, visitor, page } = await openAdmin({ expected: /status of 404/ })
  await using _site = site
  await using _visitor = visitor
  const longName = 'Wolfeschlegelsteinhausenbergerdorff-Montgomery von und zu Ruprechtshofen'
  const { user } = await call(page, 'create-user', {
    name: longName,
    email: 'wolfeschlegelsteinhausenbergerdorff.montgomery@accounts.northwind-traders.example.com',
  })
  const { id } = user as { id: string } // what the call answers with
  await call(page, 'ban-user', { userId: id, banReason: 'x'.repeat(300), banExpiresIn: 86_400 })
  const northwindId = (await northwind(site, await idOf(page, ada.email))).id
  await (await callerOf(site, alan))('create', {
    name: longName,
    slug: 'x'.repeat(48),
    metadata: { note: 'x'.repeat(200) },
  })
  await watchShifts(page)
  const faults: string[] = []
  for (const address of [
    '/admin/users',
    '/admin/users?q=nobody&filter=banned',
    `/admin/users/${id}`,
    `/admin/users/${await idOf(page, ada.email)}`,
    `/admin/users/${await idOf(page, grace.email)}`,
    '/admin/users/nobody',
    '/admin/organizations',
    '/admin/organizations?q=none',
    '/admin/organizations?selling=waiting',
    `/admin/organizations/${northwindId}`,
    `/admin/organizations/${northwindId}?q=nobody`,
    '/admin/organizations/none',
    `/admin/audit?organization=${northwindId}`,
    '/admin/audit',
    `/admin/audit?user=${id}&type=user.banned`,
    '/admin/audit?type=user.deleted',
    '/admin/no/such/page',
  ])
    faults.push(...(await lookAround(page, site.origin + address)).map((fault) => `${address} ${fault}`))

  for (const { viewport, colorScheme } of appearances) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme })
    await visit(page, site, `/admin/users/${await idOf(page, ada.email)}`)
    for (const opener of ['Edit', 'Set role', 'Impersonate', 'Ban', 'Set password', 'End all', 'Delete user']) {
      await page.getByRole('button', { name: opener, exact: true }).click()
      const dialog = page.getByRole('dialog')
      await dialog.waitFor()
      await page.waitForFunction(() => document.activeElement?.closest('[role=dialog]'))
      const found = [...(await axeFaults(page)), ...(await overflowFaults(page)), ...(await controlFaults(page))]
      faults.push(...found.map((fault) => `${opener} ${viewport.width} ${colorScheme} ${fault}`))
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      await page.waitForFunction((name) => document.activeElement?.textContent === name, opener)
    }
  }
  for (const [viewport, colorScheme] of [
    [desktop, 'light'],
    [phone, 'dark'],
  ] as const) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme })
    for (const [address, opener] of [
      [`/admin/organizations/${northwindId}`, 'Verify manually: northwind.example'],
      [`/admin/organizations/${northwindId}`, 'Delete organization'],
      // Nothing keeps this one; Ada owns what others are in.
      [`/admin/users/${id}`, 'Delete user'],
    ] as const) {
      await visit(page, site, address)
      await page.getByRole('button', { name: opener, exact: true }).click()
      await page.getByRole('dialog').waitFor()
      await page.waitForFunction(() => document.activeElement?.closest('[role=dialog]'))
      const found = [...(await axeFaults(page)), ...(await overflowFaults(page)), ...(await controlFaults(page))]
      faults.push(...found.map((fault) => `${address} ${opener} ${viewport.width} ${fault}`))
    }
  }
  await visit(page, site, '/admin/users')
  await page.getByRole('button', { name: 'Open navigation' }).click()
  await page.getByRole('dialog').waitFor()
  faults.push(...(await axeFaults(page)))
  await page.getByRole('dialog').getByRole('link', { name: 'Audit log' }).click()
  await arriveAt(page, 'Audit log')

  expect([...faults, ...visitor.takeFaults()]).toEqual([])
}, 600_000)

test('a keyboard user sees where they are, and reaches everything', async () => {
  const { site, visitor, page } = await openAdmin()
  await using _site = site
  await using _visitor = visitor
  const { id } = await northwind(site, await idOf(page, ada.email))
  for (const address of [
    '/admin/users',
    `/admin/users/${await idOf(page, ada.email)}`,
    '/admin/organizations',
    `/admin/organizations/${id}`,
    '/admin/audit',
  ]) {
    await visit(page, site, address)
    const { names: stopNames, invisible } = await stops(page)
    expect(invisible, address).toEqual([])
    expect(stopNames[0]).toBe('Skip to content')
  }

  await visit(page, site, '/admin/users')
  await tabTo(page, 'Ada Lovelace')
  await page.keyboard.press('Enter')
  await arriveAt(page, 'Ada Lovelace')
  expect(await page.evaluate(() => document.activeElement?.localName)).toBe('h1')
  await tabTo(page, 'Ban')
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => document.activeElement?.localName === 'textarea')
  await page.keyboard.insertText('Spam')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByText('Reason: Spam', { exact: true }).first().waitFor()

  await visit(page, site, '/admin/organizations')
  await tabTo(page, 'Northwind Traders')
  await page.keyboard.press('Enter')
  await arriveAt(page, 'Northwind Traders')
  await tabTo(page, 'Delete organization')
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => document.activeElement?.localName === 'input')
  await page.keyboard.insertText('northwind')
  await page.keyboard.press('Enter')
  await arriveAt(page, 'Organizations')
  await page.getByText('No organizations yet').waitFor()

  await visit(page, site, '/admin/users')
  await page.getByRole('button', { name: 'your menu' }).click()
  await page.getByLabel('Shortcut keys').uncheck()
  await page.keyboard.press('Escape')
  await page.keyboard.press('/')
  expect(await page.evaluate(() => document.activeElement?.id)).not.toBe('search')
  expect(visitor.takeFaults()).toEqual([])
})

test('nothing moves for people who do not want movement', async () => {
  const { site, visitor, page } = await openAdmin({ reducedMotion: 'reduce' })
  await using _site = site
  await using _visitor = visitor
  await page.getByRole('button', { name: 'New user' }).click()
  await page.getByRole('dialog').waitFor()

  const moving = await page.evaluate(() =>
    [...document.querySelectorAll('*')].flatMap((element) => {
      const { transitionDuration, transitionProperty, animationDuration, animationName } = getComputedStyle(element)
      const longest = (times: string) => Math.max(...times.split(',').map((time) => Number.parseFloat(time)))
      const transition = transitionProperty !== 'opacity' && longest(transitionDuration) > 0.01
      const animation = animationName !== 'none' && longest(animationDuration) > 0.01
      return transition || animation ? [`${element.outerHTML.slice(0, 120)} ${transitionProperty}`] : []
    }),
  )

  expect(moving).toEqual([])
})

test('an administrator begins with what needs one, each with the way there', async () => {
  const { site, visitor, page } = await openAdmin()
  await using _site = site
  await using _visitor = visitor
  await visit(page, site, '/admin')
  await page.getByText('Nothing needs your attention.').waitFor()
  const figure = page
    .getByRole('region', { name: 'Figures' })
    .locator('.figures_figure', { hasText: 'Sign-ups in 30 days' })
  expect(await figure.getByRole('link').innerText()).toBe('2')
  const newest = page.locator('.panel', { hasText: 'Newest users' }).getByRole('listitem')
  await newest.first().waitFor()
  expect((await newest.getByRole('link').allInnerTexts()).sort()).toEqual(['Ada Lovelace', 'Grace Hopper'])

  const attention = {
    deadJobs: 2,
    failingJobs: 1,
    disputesToAnswer: 1,
    moneyToCheck: 2,
    sendsMail: false,
    lockedAccounts: 3,
  }
  await page.route('**/admin/get-overview', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), attention } })
  })
  await visit(page, site, '/admin/audit')
  await page.getByRole('link', { name: 'Home' }).click()
  await page.getByText('1 dispute needs a response.').waitFor()
  for (const { viewport, colorScheme } of appearances) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme })
    expect([...(await axeFaults(page)), ...(await controlFaults(page)), ...(await overflowFaults(page))]).toEqual([])
  }
  await page.setViewportSize(desktop)
  await page.getByRole('link', { name: 'Open failed sign-ins' }).click()
  await arriveAt(page, 'Audit log')
  expect(new URL(page.url()).search).toBe('?type=sign_in.failed')
  expect(visitor.takeFaults()).toEqual([])
})

test('an administrator is mailed about money of an unknown payment, finds it, and resolves it with a note', async () => {
  const stripe = createStripeServer()
  const { site, visitor, page } = await openAdmin(undefined, { fetch: stripe.fetch, env: stripeTestKeys })
  await using _site = site
  await using _visitor = visitor
  await watchShifts(page)
  await site.confirm(grace.email)
  await visit(page, site, '/admin/attention')
  await page.getByText('No money to check').waitFor()
  const { id } = await northwind(site, await idOf(page, ada.email))
  for (const [intent, amount] of [
    ['pi_lost', 1200],
    ['pi_gone', 4000],
  ] as const) {
    const { body, signature } = stripe.signed({
      id: `evt_${intent}`,
      type: 'payment_intent.succeeded',
      data: {
        object: {
          id: intent,
          amount_received: amount,
          currency: 'usd',
          metadata: { payment_id: crypto.randomUUID(), organization_id: id },
        },
      },
    })
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
    expect((await fetch(`${site.origin}/v1/stripe/events`, { method: 'POST', body, headers })).status).toBe(200)
  }
  const mail = await site.mailTo(grace.email, 'Money to check at Northwind')
  expect(mail.links).toContain(`${site.origin}/admin/attention`)

  await visit(page, site, '/admin')
  await page.getByText('2 amounts of unexpected money need checking.').waitFor()
  await page.getByRole('link', { name: 'Open money to check' }).click()
  await arriveAt(page, 'Money to check')
  await page.getByRole('link', { name: 'Money to check 2 (2 open entries)' }).waitFor()
  expect(await row(page, 'pi_lost').innerText()).toMatch(
    /\$12\.00[\s\S]*Charged by an unknown payment[\s\S]*Northwind Traders/,
  )
  const faults = await lookAround(page, `${site.origin}/admin/attention`)

  for (const { viewport, colorScheme } of appearances) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme })
    await page.getByRole('button', { name: 'Resolve: pi_lost' }).click()
    await page.getByRole('dialog').waitFor()
    await page.waitForFunction(() => document.activeElement?.closest('[role=dialog]'))
    faults.push(...(await axeFaults(page)), ...(await overflowFaults(page)), ...(await controlFaults(page)))
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  await page.setViewportSize(desktop)
  await page.getByRole('button', { name: 'Resolve: pi_lost' }).click()
  const dialog = page.getByRole('dialog', { name: 'Resolve $12.00?' })
  await dialog.getByRole('button', { name: 'Resolve' }).click()
  await dialog.getByText('Enter how you settled it.').waitFor()
  await dialog.getByLabel('Note').fill('Refunded at Stripe.')
  await dialog.getByRole('button', { name: 'Resolve' }).click()
  await hear(page, 'alert', 'The entry is resolved.')
  await dialog.waitFor({ state: 'detached' })
  await row(page, 'pi_lost').waitFor({ state: 'detached' })

  await page.getByLabel('Status').selectOption({ label: 'Resolved' })
  await row(page, 'pi_lost').waitFor()
  expect(await row(page, 'pi_lost').innerText()).toMatch(/Refunded at Stripe\.[\s\S]*Grace Hopper/)
  expect(new URL(page.url()).search).toBe('?state=resolved')
  faults.push(...(await lookAround(page, page.url())))
  await page.setViewportSize(desktop)
  await page.getByLabel('What happened').selectOption({ label: 'Refund differs from the request' })
  await page.getByText('No entries here').waitFor()
  await page.getByRole('button', { name: 'Show all open entries' }).click()
  await row(page, 'pi_gone').waitFor()
  expect([...faults, ...visitor.takeFaults()]).toEqual([])
})

test('a failed load shows an error and can be retried; an ended session starts again', async () => {
  const { site, visitor, page } = await openAdmin({ expected: /status of (401|500|503)|ERR_FAILED/ })
  await using _site = site
  await using _visitor = visitor
  await page.route('**/admin/list-users*', (route) =>
    route.fulfill({ status: 403, json: { code: 'YOU_ARE_NOT_ALLOWED_TO_LIST_USERS', message: 'Not allowed' } }),
  )
  // The first page comes with its data: the browser reads that of the next ones.
  await visit(page, site, '/admin/audit')
  await page.getByRole('link', { name: 'Users', exact: true }).click()
  await hear(page, 'alert', 'You are not allowed to see this')
  await page.unroute('**/admin/list-users*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await row(page, ada.name).waitFor()

  await site.advance('P8D')
  await page.getByLabel('Search users').fill('ada')
  await page.waitForURL('**/sign-in?callbackURL=*')
  expect(new URL(page.url()).searchParams.get('callbackURL')).toMatch(/^\/admin\/users\?q=a/)
})

test('the scheme that is chosen stays', async () => {
  const { site, visitor, page } = await openAdmin({ colorScheme: 'light' })
  await using _site = site
  await using _visitor = visitor
  const paper = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  const light = await paper()

  const kept = page.waitForResponse('**/admin?scheme=dark')
  await page.getByRole('button', { name: 'Use dark colors' }).click()
  await kept
  const dark = await paper()
  await page.reload()
  await settled(page)

  expect(dark).not.toBe(light)
  expect(await paper()).toBe(dark)
  expect(visitor.takeFaults()).toEqual([])
})

test('an administrator who reads German finds every page of theirs in German, telephones included', async () => {
  const { site, visitor, page } = await openAdmin({ viewport: phone })
  await using _site = site
  await using _visitor = visitor
  const adaId = await idOf(page, ada.email)

  for (const [path, title] of [
    ['users?lang=de', 'Benutzer'],
    ['organizations', 'Organisationen'],
    ['audit', 'Protokoll'],
    ['disputes', 'Anfechtungen'],
    ['attention', 'Geld zu prüfen'],
    ['jobs', 'Aufgaben'],
    [`users/${adaId}`, ada.name],
  ] as const) {
    await page.goto(`${site.origin}/admin/${path}`)
    await arriveAt(page, title)
    await settled(page)
    expect(await page.locator('html').getAttribute('lang')).toBe('de')
    const words = await page.locator('body').innerText()
    expect(words).not.toMatch(/\b(the|with|search|loading|signed|show)\b/i)
    expect([path, await overflowFaults(page), await axeFaults(page)]).toEqual([path, [], []])
  }

  await page
    .getByRole('button', { name: 'Aktionen' })
    .or(page.getByRole('button', { name: 'Sperren' }))
    .first()
    .waitFor()
  await expect(call(page, 'ban-user', { userId: adaId })).resolves.toBeDefined()
  await page.reload()
  await page.getByText('Gesperrt').first().waitFor()
})
