import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Claims, type IdentityProvider, openIdentityProvider } from './browser/identity-provider.ts'
import { axeFaults } from './browser/inspection.ts'
import { tabTo } from './browser/keyboard.ts'
import { arriveAt, type Hand, hear, identifier, visit, withKeyboard, withMouse } from './browser/people.ts'
import { openSite, type Person, type Site } from './browser/site.ts'
import { openChromium, openVisitor, settled, type Visitor, type VisitorOptions } from './browser/visitor.ts'

let provider: IdentityProvider
let site: Site
let browser: Browser

beforeAll(async () => {
  ;[provider, browser] = await Promise.all([openIdentityProvider(), openChromium()])
  site = await openConnected()
})

afterAll(async () => {
  await browser.close()
  await Promise.all([site, provider].map((each) => each[Symbol.asyncDispose]()))
})

/** A site with the provider twice: as a custom one by its metadata, and in place of a known one. */
async function openConnected(): Promise<Site> {
  const { client, issuer, endpoints } = provider
  const opened = await openSite({
    socialProviders: { linkedin: { ...client, endpoints } },
    genericOAuth: [{ providerId: 'northwind', name: 'Northwind', issuer, tokenAuthentication: 'post', ...client }],
  })
  const callback = `${opened.origin}/api/auth/callback`
  await provider.register([`${callback}/northwind`, `${callback}/linkedin`])
  return opened
}

const signInTitle = 'Sign in to Tollgate'
const byNorthwind = /^Continue with Northwind/

/** Browsers report every refused call to the console. */
const refused: VisitorOptions = { expected: /^error Failed to load resource: the server responded with a status of 4/ }

const withoutScript: VisitorOptions = {
  javaScriptEnabled: false,
  // The browser says that it does not fetch ahead what it may not run.
  expected: /assets\/.*\.js failed: csp/,
}

/** A user with an account at the provider, named by the first part of their address. */
function atProvider(name: string, email: string, { vouched = true } = {}): string {
  const [account = ''] = email.split('@')
  const claims: Claims = { name, email, email_verified: vouched }
  provider.people.set(account, claims)
  return account
}

const password = 'correct horse battery'

/** A user with a password. */
async function withPassword(name: string, email: string, at = site): Promise<Person> {
  const person = { name, email, password }
  await at.account(person)
  return person
}

/** All errors of a visitor, and axe's findings on the current page. */
async function faultsOf({ page, takeFaults }: Visitor): Promise<readonly string[]> {
  return [...takeFaults(), ...(await axeFaults(page))]
}

/** Signs in on the provider's page, and allows what it asks. */
async function agree(page: Page, hand: Hand, account: string): Promise<void> {
  await arriveAt(page, 'Sign in to Northwind')
  await hand.fill('Account', account)
  await hand.press('Continue')
  await arriveAt(page, 'Let Tollgate know who you are?')
  await hand.press('Allow')
}

/** Allows it as the page's form would, and does not go where the provider then leads: that address. */
async function allowAndStay(page: Page): Promise<string> {
  const { request } = page.context()
  const allowed = await request.post(page.url(), { maxRedirects: 0 })
  const onward = await request.get(allowed.headers().location ?? '', { maxRedirects: 0 })
  return onward.headers().location ?? ''
}

async function signIn(page: Page, hand: Hand, name: string, { typed = password, at = site } = {}): Promise<void> {
  await visit(page, at, '/sign-in')
  await hand.fill(identifier, name)
  await hand.fill('Password', typed)
  await hand.press('Sign in')
}

async function signOut(page: Page, hand: Hand, name: string): Promise<void> {
  await hand.press(new RegExp(`Account of ${name}$`))
  await hand.press('Sign out')
  await arriveAt(page, signInTitle)
}

/** The signed-in user, or null. */
const whoIs = (page: Page): Promise<{ id: string; email: string; name: string } | null> =>
  page.evaluate(async () => (await (await fetch('/api/auth/get-session')).json())?.user ?? null)

/** The names of the user's linked providers. */
const waysOf = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const accounts: { providerId: string }[] = await (await fetch('/api/auth/list-accounts')).json()
    return accounts.map(({ providerId }) => providerId).toSorted()
  })

for (const [index, [name, makeHand]] of Object.entries({
  'the mouse': withMouse,
  'the keyboard alone': withKeyboard,
}).entries()) {
  test(`a new user comes by a provider, and is the same the next time, with ${name}`, async () => {
    await using visitor = await openVisitor(browser)
    const { page } = visitor
    const hand = makeHand(page)
    const email = `new${index}@example.com`
    const account = atProvider('Ada Lovelace', email)
    const last = page.getByRole('button', { name: 'Last used' })

    await visit(page, site, '/sign-in?callbackURL=%2Faccount%2Fsecurity')
    expect(await last.count()).toBe(0)
    expect(await faultsOf(visitor)).toEqual([])
    await hand.press(byNorthwind)
    await agree(page, hand, account)
    await arriveAt(page, 'Security')
    await page.getByText('Your account has no password.').waitFor()
    expect(await faultsOf(visitor)).toEqual([])
    const first = await whoIs(page)
    expect(first).toMatchObject({ name: 'Ada Lovelace', email, emailVerified: true })

    await signOut(page, hand, 'Ada Lovelace')
    expect(await last.allInnerTexts()).toEqual([expect.stringMatching(/^Continue with Northwind\s+Last used$/)])
    expect(await faultsOf(visitor)).toEqual([])
    // The provider knows them still, and asks nothing.
    await hand.press(byNorthwind)
    await arriveAt(page, 'Profile')
    expect((await whoIs(page))?.id).toBe(first?.id)
    expect(await faultsOf(visitor)).toEqual([])
  })
}

test('without JavaScript the button is a form, and leads there and back', async () => {
  await using visitor = await openVisitor(browser, withoutScript)
  const { page } = visitor
  const hand = withMouse(page)
  const account = atProvider('Grace Hopper', 'grace@example.com')

  await visit(page, site, '/sign-in')
  await hand.press(byNorthwind)
  await agree(page, hand, account)
  await arriveAt(page, 'Profile')
  await page.getByRole('paragraph').getByText('grace@example.com').waitFor()

  await hand.press('Connected accounts')
  await arriveAt(page, 'Connected accounts')
  await hand.press('Connect LinkedIn')
  await arriveAt(page, 'Connected accounts')
  await hear(page, 'status', 'The account is connected.')
  await hand.press('Disconnect Northwind')
  await hear(page, 'status', 'The account is disconnected.')
  expect(visitor.takeFaults()).toEqual([])
})

test('a user who cancels at the provider sees it on the sign-in page, and still reaches their destination', async () => {
  await using visitor = await openVisitor(browser)
  const { page } = visitor
  const hand = withMouse(page)
  const account = atProvider('Joan Clarke', 'joan@example.com')

  await visit(page, site, '/sign-in?callbackURL=%2Faccount%2Fsessions')
  await hand.press(byNorthwind)
  await arriveAt(page, 'Sign in to Northwind')
  await hand.fill('Account', account)
  await hand.press('Continue')
  await arriveAt(page, 'Let Tollgate know who you are?')
  await hand.press('Cancel')
  await arriveAt(page, signInTitle)
  await hear(page, 'alert', 'You did not give permission at the provider, so nothing was changed.')
  expect(await whoIs(page)).toBeNull()
  expect(await faultsOf(visitor)).toEqual([])

  await hand.press(byNorthwind)
  await arriveAt(page, 'Let Tollgate know who you are?')
  await hand.press('Allow')
  await arriveAt(page, 'Where you are signed in')
  expect(visitor.takeFaults()).toEqual([])
})

test('an unreachable provider is reported beside its button, which stays usable', async () => {
  await using own = await openSite({
    genericOAuth: [{ providerId: 'gone', name: 'Gone', issuer: 'http://127.0.0.1:9', ...provider.client }],
  })
  await using visitor = await openVisitor(browser, refused)
  const { page } = visitor
  await visit(page, own, '/sign-in')

  await withMouse(page).press('Continue with Gone')

  await hear(page, 'alert', 'This way of signing in is not available here. Choose another one.')
  expect(await page.getByRole('button', { name: 'Continue with Gone' }).getAttribute('aria-disabled')).toBeNull()
  expect(await faultsOf(visitor)).toEqual([])
})

test('an address that the provider does not vouch for opens no existing account', async () => {
  await using visitor = await openVisitor(browser)
  await using owner = await openVisitor(browser)
  const { page } = visitor
  const hand = withMouse(page)
  const hedy = await withPassword('Hedy Lamarr', 'hedy@example.com')
  const account = atProvider('Not Hedy', hedy.email, { vouched: false })

  await visit(page, site, '/sign-in')
  await hand.press(byNorthwind)
  await agree(page, hand, account)
  await arriveAt(page, signInTitle)
  await hear(page, 'alert', /^There is already an account with this address\. Sign in to it the usual way/)
  expect(await whoIs(page)).toBeNull()
  expect(await faultsOf(visitor)).toEqual([])

  await signIn(owner.page, withMouse(owner.page), hedy.email)
  await arriveAt(owner.page, 'Profile')
  expect(await whoIs(owner.page)).toMatchObject({ name: 'Hedy Lamarr', emailVerified: false })
  expect(await waysOf(owner.page)).toEqual(['credential'])
})

test('a flow that began in another browser ends on the error page, and can still be completed where it began', async () => {
  await using visitor = await openVisitor(browser)
  await using other = await openVisitor(browser)
  const { page } = visitor
  const hand = withMouse(page)
  const account = atProvider('Mary Somerville', 'mary@example.com')
  await visit(page, site, '/sign-in')
  await hand.press(byNorthwind)
  await arriveAt(page, 'Sign in to Northwind')
  await hand.fill('Account', account)
  await hand.press('Continue')
  await arriveAt(page, 'Let Tollgate know who you are?')
  const callback = await allowAndStay(page)

  await other.page.goto(callback)
  await arriveAt(other.page, 'The sign-in was interrupted')
  await other.page.getByText('The sign-in took too long or was opened in another browser.').waitFor()
  await other.page.getByText('please_restart_the_process').waitFor()
  expect(await whoIs(other.page)).toBeNull()
  expect(await faultsOf(other)).toEqual([])

  await page.goto(callback)
  await arriveAt(page, 'Profile')
  await page.goto(callback)
  await arriveAt(page, 'The sign-in was interrupted')
  expect((await whoIs(page))?.email).toBe('mary@example.com')
  expect(visitor.takeFaults()).toEqual([])
})

test('an account of a provider is connected to a password, and taken away again', async () => {
  await using visitor = await openVisitor(browser)
  const { page } = visitor
  const hand = withMouse(page)
  const emmy = await withPassword('Emmy Noether', 'emmy@example.com')
  const account = atProvider('Emmy at Northwind', emmy.email)
  await signIn(page, hand, emmy.email)
  await arriveAt(page, 'Profile')
  const id = (await whoIs(page))?.id

  await hand.press('Connected accounts')
  await arriveAt(page, 'Connected accounts')
  await hand.press('Connect Northwind')
  await agree(page, hand, account)
  await arriveAt(page, 'Connected accounts')
  await hear(page, 'status', 'The account is connected.')
  expect(await waysOf(page)).toEqual(['credential', 'northwind'])
  expect(await page.getByRole('button', { name: 'Connect Northwind', exact: true }).count()).toBe(0)
  expect(await faultsOf(visitor)).toEqual([])

  // Either way leads to the same account, which keeps its own name.
  await signOut(page, hand, emmy.name)
  await hand.press(byNorthwind)
  await arriveAt(page, 'Profile')
  expect(await whoIs(page)).toMatchObject({ id, name: emmy.name })

  await visit(page, site, '/account/connections')
  await hand.press('Disconnect Northwind')
  await hear(page, 'status', 'The account is disconnected.')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Change')
  expect(await waysOf(page)).toEqual(['credential'])
  expect(await page.getByRole('button', { name: 'Connect Northwind', exact: true }).count()).toBe(1)
  expect(await faultsOf(visitor)).toEqual([])
})

test('two tabs of a browser that begin at the same time both arrive', async () => {
  await using visitor = await openVisitor(browser)
  const { page } = visitor
  const second = await visitor.context.newPage()
  const account = atProvider('Ada Yonath', 'yonath@example.com')
  const begun: string[] = []
  page.on('request', (request) => begun.push(new URL(request.url()).pathname))
  for (const tab of [page, second]) await visit(tab, site, '/sign-in')

  await page.getByRole('button', { name: byNorthwind }).dblclick()
  await arriveAt(page, 'Sign in to Northwind')
  await withMouse(second).press(byNorthwind)
  await agree(second, withMouse(second), account)
  await arriveAt(second, 'Profile')
  // The user has consented before.
  await withMouse(page).fill('Account', account)
  await withMouse(page).press('Continue')
  await arriveAt(page, 'Profile')

  // Pressed twice, and begun once.
  expect(begun.filter((path) => path === '/api/auth/sign-in/social')).toHaveLength(1)
  expect(await waysOf(page)).toEqual(['northwind'])
  expect(visitor.takeFaults()).toEqual([])
})

test('an account with another address is not connected, and the page explains why', async () => {
  await using visitor = await openVisitor(browser)
  const { page } = visitor
  const hand = withMouse(page)
  const sofia = await withPassword('Sofia Kovalevskaya', 'sofia@example.com')
  const account = atProvider('Somebody else', 'stranger@example.com')
  await signIn(page, hand, sofia.email)
  await arriveAt(page, 'Profile')
  await visit(page, site, '/account/connections')

  await hand.press('Connect Northwind')
  await agree(page, hand, account)
  await arriveAt(page, 'Connected accounts')

  await hear(page, 'alert', 'The provider’s account has a different email address from yours, so it was not linked.')
  expect(await waysOf(page)).toEqual(['credential'])
  expect(await faultsOf(visitor)).toEqual([])
})

test('the only way to sign in stays, with the reason', async () => {
  await using visitor = await openVisitor(browser)
  const { page } = visitor
  const hand = withMouse(page)
  const account = atProvider('Rosalind Franklin', 'rosalind@example.com')
  const calls: string[] = []
  page.on('request', (request) => calls.push(new URL(request.url()).pathname))
  await visit(page, site, '/sign-up')
  await hand.press(byNorthwind)
  await agree(page, hand, account)
  await arriveAt(page, 'Profile')
  await hand.press('Connected accounts')
  await arriveAt(page, 'Connected accounts')

  await page.getByText('This is your only way to sign in, so you can’t disconnect it.').waitFor()
  const button = page.getByRole('button', { name: 'Disconnect Northwind' })
  expect(await button.getAttribute('aria-disabled')).toBe('true')
  await tabTo(page, 'Disconnect Northwind')
  await page.keyboard.press('Enter')

  expect(await waysOf(page)).toEqual(['northwind'])
  expect(calls).not.toContain('/api/auth/unlink-account')
  expect(await faultsOf(visitor)).toEqual([])
})

test('a session that is not fresh asks for the password first', async () => {
  await using visitor = await openVisitor(browser, refused)
  const { page } = visitor
  const hand = withMouse(page)
  // Its clock is moved, and the others come back from a provider that lives by the machine's.
  await using own = await openConnected()
  const lise = await withPassword('Lise Meitner', 'lise@example.com', own)
  const account = atProvider('Lise Meitner', lise.email)
  await signIn(page, hand, lise.email, { at: own })
  await arriveAt(page, 'Profile')
  await visit(page, own, '/account/connections')
  await hand.press('Connect LinkedIn')
  await agree(page, hand, account)
  await hear(page, 'status', 'The account is connected.')
  await own.advance('P2D')

  await hand.press('Disconnect LinkedIn')
  await page.getByText('To disconnect LinkedIn, enter your password.').waitFor()
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('password')
  await page.keyboard.insertText('not this one')
  await page.keyboard.press('Enter')
  await page.getByText('That is not your current password.').waitFor()
  expect(await faultsOf(visitor)).toEqual([])
  await hand.fill('Your password', lise.password)
  await page.keyboard.press('Enter')
  await hear(page, 'status', 'The account is disconnected.')

  expect(await waysOf(page)).toEqual(['credential'])
  expect(await faultsOf(visitor)).toEqual([])
})

test('a user chooses a username while the form checks its availability, signs in with it, and changes it', async () => {
  await using visitor = await openVisitor(browser, refused)
  const { page } = visitor
  const hand = withMouse(page)
  const availability = page.locator('[data-tg=availability]')
  const says = (words: string) => availability.getByText(words, { exact: true }).waitFor()
  await site.account({ name: 'The first', email: 'first@example.com', password, username: 'countess' })

  await visit(page, site, '/sign-up')
  expect(await availability.getAttribute('aria-live')).toBe('polite')
  await hand.fill('Username (optional)', 'ada lovelace')
  await says('This username can’t be used. Use letters from A to Z, digits, _ and . only.')
  await hand.fill('Username (optional)', 'ab')
  await says('Use at least 3 characters.')
  await hand.fill('Username (optional)', 'Countess')
  await says('This username is taken. Try another one.')
  expect(await faultsOf(visitor)).toEqual([])
  await hand.fill('Name', 'Ada King')
  await hand.fill('Email', 'king@example.com')
  await hand.fill('Password', password)
  await hand.press('Create account')
  await page.locator('#username[aria-invalid=true]').waitFor()
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('username')
  await hand.fill('Username (optional)', 'Ada.King')
  await says('This username is available.')
  await hand.press('Create account')
  await arriveAt(page, 'Profile')
  expect(await page.getByLabel('Username', { exact: true }).inputValue()).toBe('ada.king')
  expect(await page.getByLabel('Display username').inputValue()).toBe('Ada.King')
  await signOut(page, hand, 'Ada King')

  await signIn(page, hand, 'ADA.king', { typed: 'not this one' })
  await hear(page, 'alert', 'That username and password don’t match an account.')
  await signIn(page, hand, 'ADA.king')
  await arriveAt(page, 'Profile')
  await hand.fill('Username', 'countess')
  await says('This username is taken. Try another one.')
  await hand.press('Save')
  await page.locator('#username[aria-invalid=true]').waitFor()
  await hand.fill('Username', 'augusta')
  await says('This username is available.')
  await hand.press('Save')
  await hear(page, 'status', 'Saved.')
  expect(await faultsOf(visitor)).toEqual([])
  await signOut(page, hand, 'Ada King')

  await signIn(page, hand, 'ada.king')
  await hear(page, 'alert', 'That username and password don’t match an account.')
  await signIn(page, hand, 'augusta')
  await arriveAt(page, 'Profile')
  expect((await whoIs(page))?.email).toBe('king@example.com')
  expect(visitor.takeFaults()).toEqual([])
})

test('an administrator who impersonates a user sees it, changes nothing of theirs, and stops', async () => {
  await using visitor = await openVisitor(browser, refused)
  const { page } = visitor
  const hand = withMouse(page)
  const root: Person = { name: 'Root', email: 'root@example.com', password }
  await site.administrator(root)
  await withPassword('Katherine Johnson', 'katherine@example.com')
  await signIn(page, hand, root.email)
  await arriveAt(page, 'Profile')

  await visit(page, site, '/admin/users?q=katherine')
  await hand.press('Katherine Johnson')
  await arriveAt(page, 'Katherine Johnson')
  await hand.press('Impersonate')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('Asked for help')
  await dialog.getByRole('button', { name: 'Impersonate' }).click()
  await arriveAt(page, 'Profile')
  const banner = page.getByRole('complementary', { name: 'Impersonation' })
  expect(await banner.innerText()).toMatch(/You are impersonating Katherine Johnson\. Ends in \d+ minutes\./)
  expect(await faultsOf(visitor)).toEqual([])

  const notPossible = () => hear(page, 'alert', 'Not possible while you impersonate a user.')
  await hand.fill('New email address', 'taken-over@example.com')
  await hand.press('Change address')
  await notPossible()
  await visit(page, site, '/account/security')
  await hand.fill('Current password', 'correct horse battery')
  await hand.fill('New password', 'staple of the second kind')
  await hand.press('Change password')
  await notPossible()
  expect(await faultsOf(visitor)).toEqual([])
  await visit(page, site, '/account/connections')
  await hand.press('Connect Northwind')
  await notPossible()
  expect(await faultsOf(visitor)).toEqual([])
  await visit(page, site, '/account/delete')
  await hand.fill('Type DELETE to confirm', 'DELETE')
  await hand.press('Delete account')
  await notPossible()
  expect(await banner.count()).toBe(1)

  await hand.press('Stop')
  await settled(page)
  await arriveAt(page, 'Home')
  expect((await whoIs(page))?.email).toBe(root.email)
  await visit(page, site, '/account')
  expect(await banner.count()).toBe(0)
  expect(visitor.takeFaults()).toEqual([])
})
