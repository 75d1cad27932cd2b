import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeFaults } from './browser/inspection.ts'
import { press, tabTo } from './browser/keyboard.ts'
import { arriveAt, hear, sessionOf, signIn, visit, withKeyboard, withMouse } from './browser/people.ts'
import { openSite, type Person, type Site } from './browser/site.ts'
import { openChromium, openVisitor, phone, settled, type Visitor, type VisitorOptions } from './browser/visitor.ts'

let site: Site
let browser: Browser

beforeAll(async () => {
  ;[site, browser] = await Promise.all([openSite({ organization: { teams: { enabled: true } } }), openChromium()])
})

afterAll(async () => {
  await browser.close()
  await site[Symbol.asyncDispose]()
})

const password = 'correct horse battery'
const someone = (name: string, email: string): Person => ({ name, email, password })

type Company = Visitor & { readonly owner: Person; readonly grace: Person; readonly alan: Person }

/** An organization with an administrator and a member; its owner is signed in, in a window of their own. */
async function founded(slug: string, options: VisitorOptions = {}, at: Site = site): Promise<Company> {
  const people = {
    owner: someone('Ada Lovelace', `ada@${slug}.example`),
    grace: someone('Grace Hopper', `grace@${slug}.example`),
    alan: someone('Alan Turing', `alan@${slug}.example`),
  }
  const [owner, grace, alan] = [
    await at.account(people.owner),
    await at.account(people.grace),
    await at.account(people.alan),
  ]
  await at.organization({ name: `The ${slug}`, slug }, owner, { [grace]: 'admin', [alan]: 'member' })
  const visitor = await openVisitor(browser, options)
  await signIn(visitor, at, people.owner)
  return Object.assign(visitor, people)
}

/** What is listed, by the names that stand in bold. */
const rows = (page: Page, list: string): Promise<string[]> => page.locator(`${list} strong`).allInnerTexts()

test('a page is found by its name from every page of the organization, by keys alone', async () => {
  await using company = await founded('finding')
  const { page } = company
  await visit(page, site, '/org/finding/members')

  await page.keyboard.press('Control+k')
  const field = page.getByRole('searchbox', { name: 'Search pages' })
  await field.waitFor()
  expect(await axeFaults(page)).toEqual([])
  await page.keyboard.type('nowhere')
  await page.getByText('No pages match').waitFor()
  await field.fill('ro')
  await page.keyboard.press('ArrowDown')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Roles')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await arriveAt(page, 'Roles')

  expect(company.takeFaults()).toEqual([])
})

test('without a script the search is a list of the pages', async () => {
  await using company = await founded('listing', { viewport: phone, javaScriptEnabled: false })
  const { page } = company
  await page.goto(`${site.origin}/org/listing/members`)

  await page.getByRole('button', { name: 'Go to page…' }).click()

  expect(await page.getByRole('searchbox', { name: 'Search pages' }).isVisible()).toBe(false)
  await page.getByRole('group', { name: 'Go to page…' }).getByRole('link', { name: 'Roles' }).click()
  await arriveAt(page, 'Roles')
})

test('members are found, changed and removed, and the only owner stays', async () => {
  await using company = await founded('members')
  const { page } = company
  const hand = withKeyboard(page)
  await visit(page, site, '/org/members/members')
  expect(await rows(page, '[data-tg=rows]')).toEqual(['Ada Lovelace You', 'Alan Turing', 'Grace Hopper'])

  await hand.fill('Name or email', 'GRACE')
  await hand.press('Search')
  await page.getByText('1 member', { exact: true }).waitFor()
  await settled(page)
  expect(await rows(page, '[data-tg=rows]')).toEqual(['Grace Hopper'])
  await hand.press('Actions Grace Hopper')
  await hand.press('Remove Grace Hopper')
  const question = page.getByRole('dialog', { name: 'Remove Grace Hopper?' })
  await question.getByText('Grace Hopper loses access immediately.').waitFor()
  await question.getByRole('button', { name: 'Cancel' }).press('Enter')
  await question.waitFor({ state: 'hidden' })
  await hand.press('Remove Grace Hopper')
  await question.getByRole('button', { name: 'Remove Grace Hopper' }).press('Enter')
  await hear(page, 'status', 'The member has been removed.')

  await visit(page, site, '/org/members/members')
  expect(await rows(page, '[data-tg=rows]')).toEqual(['Ada Lovelace You', 'Alan Turing'])
  await page.getByLabel('Role of Alan Turing').selectOption({ label: 'Administrator' })
  await hear(page, 'status', 'The roles have been changed.')
  await visit(page, site, '/org/members/members')
  expect(await page.getByLabel('Role of Alan Turing').inputValue()).toBe('admin')
  await hand.press('Actions Ada Lovelace')
  await hand.press('Leave')
  await page.getByText('You are the only owner.').waitFor()
  await page.keyboard.press('Escape')
  await hand.press('Change roles Ada Lovelace')
  await page.getByText('Make another member an owner before you remove this role.').last().waitFor()

  // A removed member learns nothing, not even that the organization exists.
  await using other = await openVisitor(browser, { expected: /status of 404/ })
  await signIn(other, site, company.grace)
  const answer = await other.page.goto(`${site.origin}/org/members`)
  expect(answer?.status()).toBe(404)
  expect([...company.takeFaults(), ...other.takeFaults()]).toEqual([])
})

test('teams are made, filled, renamed and removed', async () => {
  await using company = await founded('teams')
  const { page } = company
  const hand = withKeyboard(page)
  await visit(page, site, '/org/teams/teams')

  await hand.fill('Name', 'Compilers')
  await hand.press('Create team')
  await hear(page, 'status', 'The team has been created.')
  await hand.press('Add a person Compilers')
  await hand.choose('Person', 'Grace')
  await hand.press('Add to team')
  await hear(page, 'status', 'The person is in the team now.')
  expect(await page.getByRole('list', { name: 'Compilers' }).innerText()).toContain('grace@teams.example')

  await hand.press('Rename Compilers')
  await hand.fill('Name', 'Languages')
  await hand.press('Save')
  await hear(page, 'status', 'The team has been renamed.')
  await hand.press('Remove Grace Hopper')
  await hear(page, 'status', 'The person is no longer in the team.')
  expect(await axeFaults(page)).toEqual([])

  await page.reload()
  await settled(page)
  expect(await page.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual(
    expect.arrayContaining(['The teams', 'Languages']),
  )
  const mouse = withMouse(page)
  await mouse.press('Remove Languages')
  await page.getByText('This permanently removes Languages.').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove Languages' }).click()
  await hear(page, 'status', 'The team has been removed.')
  expect(company.takeFaults()).toEqual([])
})

test('a role is made of permissions, given, and explained', async () => {
  await using company = await founded('roles')
  const { page } = company
  const hand = withKeyboard(page)
  await visit(page, site, '/org/roles/roles')

  await hand.press('Create a role')
  await hand.fill('Name of the role', 'auditor')
  await hand.tick('Invite people')
  await hand.tick('Read the audit log')
  await hand.press('Create role')
  await hear(page, 'status', 'The role has been created.')
  await page.getByRole('columnheader', { name: 'auditor' }).waitFor()
  expect(await axeFaults(page)).toEqual([])

  await visit(page, site, '/org/roles/members')
  await hand.press('Actions Alan Turing')
  await hand.press('Change roles Alan Turing')
  await hand.tick('auditor')
  await hand.press('Save')
  await hear(page, 'status', 'The roles have been changed.')

  await visit(page, site, '/org/roles/roles')
  await hand.choose('Person', 'Alan')
  await hand.press('Show')
  await page.getByText('Alan Turing (auditor, Member) can:').waitFor()
  const allowed = page.locator('[aria-live] [data-tg=list] li')
  expect(await allowed.allInnerTexts()).toEqual(['Invite people', 'See roles', 'Read the audit log'])

  // He may read the log from now on, and still not change the settings.
  await using alans = await openVisitor(browser)
  await signIn(alans, site, company.alan)
  await visit(alans.page, site, '/org/roles/audit')
  await arriveAt(alans.page, 'Audit log')
  await alans.page.getByText('Role created: auditor').waitFor()
  expect(await alans.page.getByRole('link', { name: 'Organization profile' }).count()).toBe(0)

  // A member has the role, so it stays.
  await withMouse(page).press('Remove auditor')
  await page.getByRole('dialog').getByRole('button', { name: 'Remove auditor' }).click()
  await page.getByRole('dialog').getByRole('alert').getByText('Some members have this role.').waitFor()
  expect([...company.takeFaults(), ...alans.takeFaults()].filter((fault) => !fault.includes('status of 400'))).toEqual(
    [],
  )
})

test('settings are kept: another short name, further data, and only confirmed addresses', async () => {
  await using company = await founded('settings')
  await site.confirm(company.owner.email)
  const { page } = company
  const hand = withKeyboard(page)
  await visit(page, site, '/org/settings/settings')

  await press(page, 'Add a row')
  await hand.fill('Key 1', 'plan')
  await hand.fill('Value 1', 'pilot')
  await page.locator('form').filter({ hasText: 'Key 1' }).getByRole('button', { name: 'Save' }).click()
  await hear(page, 'status', 'Saved.')

  await hand.fill('Short name in addresses', 'moved')
  await hand.press('Save')
  await page.waitForURL(/\/org\/moved\/settings/)
  await settled(page)
  await hear(page, 'status', 'Saved.')
  expect(await page.getByLabel('Value 1').inputValue()).toBe('pilot')

  await hand.tick('Only members with a confirmed email address')
  const answered = page.waitForResponse((response) => response.url().endsWith('/organization/update'))
  await hand.press('Save')
  expect((await answered).status()).toBe(200)
  await using alans = await openVisitor(browser, { expected: /status of 40/ })
  await signIn(alans, site, company.alan)
  await visit(alans.page, site, '/org/moved/members')
  expect(await alans.page.getByText('Grace Hopper').count()).toBe(0)
  expect(await axeFaults(alans.page)).toEqual([])
  await site.confirm(company.alan.email)
  await visit(alans.page, site, '/org/moved/members')
  await alans.page.getByText('Grace Hopper').waitFor()
  expect(alans.takeFaults()).toEqual([])
})

test('a domain that an administrator vouches for lets its people in', async () => {
  await using own = await openSite()
  await using company = await founded('domains', {}, own)
  const { page } = company
  const hand = withKeyboard(page)
  await visit(page, own, '/org/domains/settings')
  await hand.press('Add a domain')
  await hand.fill('Domain', 'university.example')
  await hand.choose('People with an address at this domain', 'join automatically')
  await hand.press('Add domain')
  await hear(page, 'status', 'The domain has been added.')
  await page.getByText('Not confirmed yet').waitFor()

  const root = someone('Root', 'root@example.com')
  await own.administrator(root)
  await using office = await openVisitor(browser)
  await signIn(office, own, root)
  const api = `${own.origin}/api/auth/admin`
  const { organizations } = await (await office.context.request.get(`${api}/list-organizations`)).json()
  const found = organizations.find(({ slug }: { slug: string }) => slug === 'domains')
  const whole = await (await office.context.request.get(`${api}/get-organization?id=${found.id}`)).json()
  const domainId = whole.domains[0].id
  const vouched = await office.context.request.post(`${api}/verify-domain`, { data: { domainId } })
  expect(vouched.status()).toBe(200)
  await page.reload()
  await page.getByText('Confirmed', { exact: true }).waitFor()

  // A user who proves an address of the domain becomes a member.
  const mary = someone('Mary', 'mary@university.example')
  await own.account(mary)
  await own.confirm(mary.email)
  await using marys = await openVisitor(browser)
  await signIn(marys, own, mary)
  await expect
    .poll(async () => {
      await visit(marys.page, own, '/account/organizations')
      return marys.page.getByRole('link', { name: 'Open The domains' }).count()
    })
    .toBe(1)
  expect([...company.takeFaults(), ...marys.takeFaults()]).toEqual([])
})

test('the audit log lists events, by kind and as a file', async () => {
  await using company = await founded('audit')
  const { page } = company
  const hand = withKeyboard(page)
  await visit(page, site, '/org/audit/audit')
  await page.getByText('Member added: Alan Turing · Member').waitFor()
  await hand.choose('Kind', 'Organization created')
  await hand.press('Show')
  await page.waitForURL(/type=organization\.created/)
  await settled(page)
  expect(await page.getByRole('list', { name: 'Audit log' }).getByRole('listitem').count()).toBe(1)

  await visit(page, site, '/org/audit/audit')
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download as CSV' }).click()
  const file = await downloading
  expect(file.suggestedFilename()).toMatch(/\.csv$/)
  const text = await readFile(await file.path(), 'utf8')
  expect(text).toContain('organization.created')
  expect(text).toContain('alan@audit.example')
  expect(company.takeFaults()).toEqual([])
})

test('on a telephone the navigation shows where one is', async () => {
  await using company = await founded('narrow', { viewport: phone })
  const { page } = company
  for (const section of ['', '/teams', '/audit', '/danger']) {
    await visit(page, site, `/org/narrow${section}`)
    const { left, right } = await page
      .locator('nav [aria-current=page]')
      .evaluate((entry) => entry.getBoundingClientRect())
    expect(left, section).toBeGreaterThanOrEqual(0)
    expect(right, section).toBeLessThanOrEqual(phone.width)
  }
  expect(company.takeFaults()).toEqual([])
})

test('ownership is handed over with a fresh proof of who one is; then the new owner deletes it', async () => {
  await using own = await openSite()
  await using company = await founded('danger', { expected: /status of 403/ }, own)
  const { page } = company
  const hand = withKeyboard(page)
  await own.advance('P2D')
  await visit(page, own, '/org/danger/danger')
  await page.getByText('You are the only owner. Transfer ownership before you leave.').waitFor()
  await hand.choose('New owner', 'Grace')
  await hand.press('Transfer ownership')
  await page.getByText('You signed in a while ago.').waitFor()
  expect(await axeFaults(page)).toEqual([])
  await hand.fill('Your password', password)
  await hand.press('Transfer ownership')
  await hear(page, 'status', 'The organization has a new owner.')
  expect(await sessionOf(company, own)).toMatchObject({ user: { email: company.owner.email } })
  await visit(page, own, '/org/danger/members')
  await page.getByText('Has a role above yours, so you can’t change it.').waitFor()

  await using graces = await openVisitor(browser)
  await signIn(graces, own, company.grace)
  const newHand = withKeyboard(graces.page)
  await visit(graces.page, own, '/org/danger/danger')
  await newHand.fill('Type danger to confirm', 'dnager')
  await newHand.press('Delete organization')
  await graces.page.getByText('Type danger to confirm.').waitFor()
  await newHand.fill('Type danger to confirm', 'danger')
  await newHand.press('Delete organization')
  await arriveAt(graces.page, 'Organizations')
  await graces.page.getByText('You are not in any organization yet.').waitFor()
  const gone = await page.goto(`${own.origin}/org/danger`)
  expect(gone?.status()).toBe(404)
  expect(graces.takeFaults()).toEqual([])
})

test('the switcher changes the organization by keyboard alone, and without JavaScript', async () => {
  await using company = await founded('first-of-two')
  const { page, context } = company
  const second = await context.request.post(`${site.origin}/api/auth/organization/create`, {
    data: { name: 'Another one', slug: 'second-of-two' },
  })
  expect(second.status()).toBe(200)
  await visit(page, site, '/org/first-of-two')

  await tabTo(page, /switch organization$/)
  await page.keyboard.press('Enter')
  // The button shows the name of an organization as well; a choice is in the list.
  const chosen = () => page.evaluate(() => document.activeElement?.closest('[role=option]')?.textContent ?? null)
  await expect.poll(chosen).toContain('The first-of-two')
  await page.keyboard.press('Home')
  expect(await chosen()).toContain('Personal account')
  await page.keyboard.type('ano')
  expect(await chosen()).toContain('Another one')
  expect(await axeFaults(page)).toEqual([])
  await page.keyboard.press('Escape')
  expect(await chosen()).toBeNull()
  await page.keyboard.press('Enter')
  await expect.poll(chosen).toContain('The first-of-two')
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await arriveAt(page, 'Another one')
  expect(await sessionOf(company, site)).toMatchObject({ organization: { slug: 'second-of-two' } })

  // Another window of the same person, with scripts switched off.
  const still = { javaScriptEnabled: false, expected: /assets\/.*\.js failed: csp/ }
  await using scriptless = await openVisitor(browser, { ...still, storageState: await context.storageState() })
  await visit(scriptless.page, site, '/org/second-of-two')
  const mouse = withMouse(scriptless.page)
  await scriptless.page.getByRole('button', { name: /switch organization$/ }).click()
  await scriptless.page.getByRole('option', { name: 'The first-of-two' }).click()
  await arriveAt(scriptless.page, 'The first-of-two')
  await mouse.press('All members')
  await arriveAt(scriptless.page, 'Members')
  expect(await sessionOf(scriptless, site)).toMatchObject({ organization: { slug: 'first-of-two' } })
  expect([...company.takeFaults(), ...scriptless.takeFaults()]).toEqual([])
})
