import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ada, arriveAt, hear, identifier, visit, withMouse } from './browser/people.ts'
import { openSite, type Person, type Site } from './browser/site.ts'
import { openChromium, openVisitor, settled, type VisitorOptions } from './browser/visitor.ts'

let site: Site
let browser: Browser

beforeAll(async () => {
  ;[site, browser] = await Promise.all([openSite({ trustedOrigins: ['https://app.example.com'] }), openChromium()])
  await site.account(ada)
})

afterAll(async () => {
  await browser.close()
  await site[Symbol.asyncDispose]()
})

/** Browsers report every refused call to the console. */
const refused: VisitorOptions = { expected: /^error Failed to load resource: the server responded with a status of 4/ }

const signIn = async (page: Page, { email, password }: Pick<Person, 'email' | 'password'>) => {
  const hand = withMouse(page)
  await hand.fill(identifier, email)
  await hand.fill('Password', password)
  await hand.press('Sign in')
}

const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.id || document.activeElement?.getAttribute('role'))

const path = (page: Page) => new URL(page.url()).pathname

/** Calls the API as another window would. */
const call = async (name: string, body: object) => {
  const { status } = await fetch(`${site.origin}/api/auth/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (status !== 200) throw new Error(`${name} answered ${status}`)
}

/** Writes down every text that a live region of the page is given from now on. */
async function listen(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.evaluate(() => {
    const heard: string[] = []
    Object.assign(window, { heard })
    for (const region of document.querySelectorAll('[role=alert], [role=status]')) {
      const say = () => {
        const text = region.textContent ?? ''
        if (text) heard.push(`${region.getAttribute('role')}: ${text}`)
      }
      new MutationObserver(say).observe(region, { childList: true, characterData: true, subtree: true })
    }
  })
  return () => page.evaluate(() => (window as unknown as { heard: string[] }).heard) // set above
}

test('a wrong password is reported once, keeps the input, and moves the focus to the reason', async () => {
  await using visitor = await openVisitor(browser, refused)
  const { page } = visitor
  await visit(page, site, '/sign-in')
  const heard = await listen(page)
  const sentence = 'alert: That email and password don’t match an account. Check both, or reset your password.'

  await signIn(page, { ...ada, password: 'not this one' })
  await hear(page, 'alert', 'don’t match an account')
  expect(await page.title()).toBe('Error: Sign in to Tollgate')

  expect(await heard()).toEqual([sentence])
  expect(await focused(page)).toBe('alert')
  expect(await page.getByLabel(identifier, { exact: true }).inputValue()).toBe(ada.email)
  expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('not this one')

  await withMouse(page).press('Sign in')
  await expect.poll(heard).toEqual([sentence, sentence])
  expect(visitor.takeFaults()).toEqual([])
})

test('fields that are missing are named at the field, with the focus on the first one', async () => {
  await using visitor = await openVisitor(browser)
  const { page } = visitor
  await visit(page, site, '/sign-up')
  const heard = await listen(page)

  await withMouse(page).press('Create account')
  await hear(page, 'alert', '3 fields need a correction.')

  expect(await heard()).toEqual(['alert: 3 fields need a correction.'])
  expect(await focused(page)).toBe('name')
  const described = await page.evaluate(() => {
    const ids = document.activeElement?.getAttribute('aria-describedby') ?? ''
    return ids.split(' ').map((id) => document.getElementById(id)?.textContent)
  })
  expect(described).toEqual(['Enter your name.'])
  // A field is refused again when it loses focus, and never while the user types.
  await page.keyboard.insertText('Ada')
  await page.getByText('Enter your name.').waitFor({ state: 'detached' })
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.press('Backspace')
  expect(await page.getByText('Enter your name.').count()).toBe(0)
  await page.keyboard.press('Tab')
  await page.getByText('Enter your name.').waitFor()
  expect(visitor.takeFaults()).toEqual([])
})

test('a short password and a taken address are refused at their fields', async () => {
  await using visitor = await openVisitor(browser, refused)
  const { page } = visitor
  const hand = withMouse(page)
  await visit(page, site, '/sign-up')
  await hand.fill('Name', 'Another Ada')
  await hand.fill('Email', ada.email)
  await hand.fill('Password', 'short')
  await hand.press('Create account')
  await page.getByText('Use at least 8 characters.').waitFor()
  expect(await focused(page)).toBe('password')

  // Typing refuses nothing, and takes a refusal away as soon as the value passes.
  await hand.fill('Password', 'shorter')
  await page.getByText('Use at least 8 characters.').waitFor()
  await hand.fill('Password', 'long enough now')
  await page.getByText('Use at least 8 characters.').waitFor({ state: 'detached' })
  expect(await page.locator('#password').getAttribute('aria-invalid')).toBeNull()
  await hand.press('Create account')
  await page.getByText('There is already an account with this address.').waitFor()
  expect(await focused(page)).toBe('email')
  expect(visitor.takeFaults()).toEqual([])
})

test('a form that is sent twice counts once', async () => {
  await using visitor = await openVisitor(browser)
  const { page } = visitor
  const calls: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') calls.push(new URL(request.url()).pathname)
  })
  await visit(page, site, '/sign-up')
  const hand = withMouse(page)
  await hand.fill('Name', 'Grace Hopper')
  await hand.fill('Email', 'grace@example.com')
  await hand.fill('Password', 'a nanosecond of wire')
  await page.getByRole('button', { name: 'Create account' }).dblclick()
  await arriveAt(page, 'Profile')

  expect(calls).toEqual(['/api/auth/sign-up/email'])
  expect(visitor.takeFaults()).toEqual([])
})

test('a form that is being sent keeps the focus on its button and announces it, and shows the reason without a connection', async () => {
  await using visitor = await openVisitor(browser, { expected: /ERR_INTERNET_DISCONNECTED/ })
  const { page, context } = visitor
  await visit(page, site, '/sign-in')
  let goOn = () => {}
  const held = new Promise<void>((resolve) => {
    goOn = resolve
  })
  await page.route('**/api/auth/sign-in/email', async (route) => {
    await held
    await route.continue()
  })
  await page.getByLabel(identifier, { exact: true }).fill(ada.email)
  await page.getByLabel('Password', { exact: true }).fill(ada.password)
  await page.getByLabel('Password', { exact: true }).press('Tab')
  await page.getByRole('button', { name: 'Sign in' }).press('Enter')
  const busy = page.getByRole('button', { name: 'Signing in…' })
  await busy.waitFor()
  expect(await busy.getAttribute('aria-disabled')).toBe('true')
  expect(await busy.evaluate((button) => button === document.activeElement)).toBe(true)

  await context.setOffline(true)
  goOn()
  await hear(page, 'alert', 'We can’t reach the server. Check your connection and try again.')
  await context.setOffline(false)
  await page.unroute('**/api/auth/sign-in/email')
  await withMouse(page).press('Sign in')
  await arriveAt(page, 'Profile')
  expect(visitor.takeFaults()).toEqual([])
})

test('a visitor who is not signed in returns to the requested page', async () => {
  await using visitor = await openVisitor(browser)
  const { page } = visitor
  await visit(page, site, '/account/sessions')
  expect(path(page)).toBe('/sign-in')

  await signIn(page, ada)
  await arriveAt(page, 'Where you are signed in')

  expect(path(page)).toBe('/account/sessions')
  expect(visitor.takeFaults()).toEqual([])
})

test('a sign-in leads to an address that is trusted, and to no other', async () => {
  await using visitor = await openVisitor(browser)
  const { page, context } = visitor
  await context.route('https://app.example.com/**', (route) => route.fulfill({ body: 'the application' }))

  for (const foreign of ['https://evil.example', '//evil.example', '/%5Cevil.example', 'javascript:alert(1)']) {
    await context.clearCookies()
    await visit(page, site, `/sign-in?callbackURL=${encodeURIComponent(foreign)}`)
    await signIn(page, ada)
    await arriveAt(page, 'Profile')
    expect(page.url()).toBe(`${site.origin}/account`)
  }

  await context.clearCookies()
  await visit(page, site, `/sign-in?callbackURL=${encodeURIComponent('https://app.example.com/welcome?x=1')}`)
  await signIn(page, ada)
  await page.waitForURL('https://app.example.com/welcome?x=1')
  expect(visitor.takeFaults()).toEqual([])
})

test('the same holds for forms that the browser sends by itself', async () => {
  await using visitor = await openVisitor(browser, {
    javaScriptEnabled: false,
    expected: /assets\/.*\.js failed: csp/,
  })
  const { page, context } = visitor
  await visit(page, site, `/sign-in?callbackURL=${encodeURIComponent('https://evil.example')}`)
  await signIn(page, { ...ada, password: 'not this one' })
  await page.getByRole('alert').getByText('don’t match an account').waitFor()
  expect(await page.getByLabel(identifier, { exact: true }).inputValue()).toBe(ada.email)
  expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('')
  await signIn(page, ada)
  await arriveAt(page, 'Profile')

  await context.clearCookies()
  await visit(page, site, `/sign-in?callbackURL=${encodeURIComponent('https://app.example.com/welcome')}`)
  const left = page.waitForRequest('https://app.example.com/welcome')
  await signIn(page, ada)
  expect((await left).redirectedFrom()?.url()).toBe(`${site.origin}/sign-in`)
})

test('who is signed in already goes on with one press, or chooses another account', async () => {
  await using visitor = await openVisitor(browser)
  const { page } = visitor
  const hand = withMouse(page)
  await visit(page, site, '/sign-in')
  await signIn(page, ada)
  await arriveAt(page, 'Profile')

  await visit(page, site, '/sign-in')
  await page.getByText('As Ada Lovelace, ada@example.com').waitFor()
  await hand.press('Use another account')
  await arriveAt(page, 'Sign in to Tollgate')
  await expect.poll(() => focused(page)).toBe('email')

  await visit(page, site, '/sign-in?callbackURL=%2Faccount%2Fsecurity')
  await hand.press('Continue as Ada Lovelace')
  await arriveAt(page, 'Security')
  expect(visitor.takeFaults()).toEqual([])
})

test('the back button after a sign-in and after a sign-out shows nothing that is no longer true', async () => {
  await using visitor = await openVisitor(browser)
  const { page } = visitor
  await visit(page, site, '/sign-in')
  await signIn(page, ada)
  await arriveAt(page, 'Profile')
  await page.goBack()
  await arriveAt(page, 'You are signed in')

  await page.goForward()
  await arriveAt(page, 'Profile')
  await withMouse(page).press('Account of Ada Lovelace')
  await withMouse(page).press('Sign out')
  await arriveAt(page, 'Sign in to Tollgate')
  await page.goBack()
  await arriveAt(page, 'Sign in to Tollgate')
  expect(path(page)).toBe('/sign-in')
  expect(await page.getByText(ada.email).count()).toBe(0)
  expect(visitor.takeFaults()).toEqual([])
})

test('a link that has expired is replaced with one press, and the new one works', async () => {
  await using visitor = await openVisitor(browser)
  const { page } = visitor
  const hand = withMouse(page)
  const mary = { name: 'Mary Somerville', email: 'mary@example.com', password: 'on the connexion of it' }
  await site.account(mary)
  const { links, id } = await site.mailTo(mary.email)
  await visit(page, site, '/sign-in')
  await signIn(page, mary)
  await arriveAt(page, 'Profile')
  await site.advance('PT2H')

  await page.goto(links[0] ?? '')
  await arriveAt(page, 'This link has expired')
  await hand.press('Send a new link')
  await hear(page, 'status', 'Sent again.')
  // The button waits before it would send a third one.
  await page.getByRole('button', { name: /^Send again in 0:[23]\d$/ }).waitFor()
  await expect.poll(async () => (await site.mailTo(mary.email)).id).not.toBe(id)
  await page.goto((await site.mailTo(mary.email)).links[0] ?? '')
  await arriveAt(page, 'Address confirmed')
  // Continues by itself unless the user stops it.
  await hand.press('Stay here')
  await page.getByText('Continuing').waitFor({ state: 'detached' })
  expect(path(page)).toBe('/verify-email')
  await page.reload()
  await arriveAt(page, 'Address confirmed')
  await arriveAt(page, 'Profile')
  expect(visitor.takeFaults()).toEqual([])
})

test('a link to a new password works once; another one is offered in its place', async () => {
  await using visitor = await openVisitor(browser, refused)
  const { page } = visitor
  const hand = withMouse(page)
  const address = '/reset-password?callbackURL=%2Faccount%2Fsessions'
  const eve = { name: 'Eve', email: 'eve@example.com', password: 'forgotten in the meantime' }
  await site.account(eve)
  await call('request-password-reset', { email: eve.email, redirectTo: address })
  await page.goto((await site.mailTo(eve.email, 'Reset')).links[0]!)
  await arriveAt(page, 'Choose a new password')
  await call('reset-password', {
    token: new URL(page.url()).searchParams.get('token'),
    newPassword: 'chosen in another window',
  })
  await hand.fill('New password', 'a password that is new')
  await hand.press('Save new password')
  await arriveAt(page, 'This link no longer works')
  await hear(page, 'alert', 'It has expired or was already used.')
  expect(await page.title()).toBe('This link no longer works · Tollgate')

  await page.reload()
  await arriveAt(page, 'This link no longer works')
  await hand.press('Send a new link')
  await arriveAt(page, 'Reset your password')
  await hand.press('Back to sign in')
  await signIn(page, { ...eve, password: 'chosen in another window' })
  await arriveAt(page, 'Where you are signed in')
  expect(visitor.takeFaults()).toEqual([])
})

test('a new title takes the focus for screen readers, and looks like any title', async () => {
  await using visitor = await openVisitor(browser)
  const { page } = visitor
  await visit(page, site, '/forgot-password')
  await page.getByLabel('Email').focus()
  await page.keyboard.insertText(ada.email)
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Try another address' }).waitFor()

  expect(await focused(page)).toBe('tg-title')
  expect(await page.locator('#tg-title').evaluate((title) => getComputedStyle(title).outlineStyle)).toBe('none')
  expect(visitor.takeFaults()).toEqual([])
})

test('a language that was chosen stays, also in mails', async () => {
  await using visitor = await openVisitor(browser)
  const { page } = visitor
  await visit(page, site, '/sign-in')
  await page.getByRole('button', { name: 'Language: English' }).click()
  await page.getByRole('link', { name: 'Deutsch' }).click()
  await arriveAt(page, 'Bei Tollgate anmelden')
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('de')

  await visit(page, site, '/forgot-password')
  await page.getByLabel('E-Mail').fill(ada.email)
  await page.getByRole('button', { name: 'Link senden' }).click()
  await page.getByRole('link', { name: 'Postfach' }).waitFor()
  expect((await site.mailTo(ada.email, 'Passwort')).subject).toBe('Setzen Sie Ihr Passwort für Tollgate zurück')
  expect(visitor.takeFaults()).toEqual([])
})

test('too many attempts are counted down, and afterwards the right password is taken', async () => {
  await using limited = await openSite({ rateLimit: { enabled: true } })
  await limited.account(ada)
  await using visitor = await openVisitor(browser, refused)
  const { page } = visitor
  await page.clock.install()
  await visit(page, limited, '/sign-in')
  for (let attempt = 1; attempt <= 3; attempt++) {
    const answer = page.waitForResponse('**/sign-in/email')
    await signIn(page, { ...ada, password: 'not this one' })
    expect((await answer).status()).toBe(401)
    await hear(page, 'alert', 'don’t match an account')
  }
  const heard = await listen(page)

  await signIn(page, ada)
  await hear(page, 'alert', /^Too many attempts. Try again in \d+ seconds?.$/)
  const waiting = page.getByRole('button', { name: /^Try again in 0:/ })
  const seconds = async () => Number((await waiting.textContent())?.slice(-2))
  const atFirst = await seconds()
  await page.clock.runFor(1000)
  await expect.poll(seconds).toBe(atFirst - 1)
  // The time is seen to run and is not read out each second.
  expect(await heard()).toHaveLength(1)

  await limited.advance('PT11S')
  for (let second = 1; second < atFirst; second++) await page.clock.runFor(1000)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await arriveAt(page, 'Profile')
  expect(visitor.takeFaults()).toEqual([])
})

test('a form that is sent after the session has ended leads to the sign-in, and back to its page', async () => {
  await using visitor = await openVisitor(browser, refused)
  const { page, context } = visitor
  const hand = withMouse(page)
  await visit(page, site, '/sign-in')
  await signIn(page, ada)
  await arriveAt(page, 'Profile')

  await context.clearCookies()
  await hand.fill('New email address', 'elsewhere@example.com')
  await hand.press('Change address')
  await hear(page, 'alert', 'You are no longer signed in.')
  expect(await page.title()).toBe('Error: Profile · Tollgate')
  await page.getByRole('alert').getByRole('link', { name: 'Sign in' }).click()
  await arriveAt(page, 'Sign in to Tollgate')
  await signIn(page, ada)
  await arriveAt(page, 'Profile')
  expect(visitor.takeFaults()).toEqual([])
})

test('signing out in one tab is noticed in the other', async () => {
  await using visitor = await openVisitor(browser)
  const { page, context } = visitor
  await visit(page, site, '/sign-in')
  await signIn(page, ada)
  await arriveAt(page, 'Profile')
  const other = await context.newPage()
  await other.goto(`${site.origin}/account/security`)
  await settled(other)
  await other.getByRole('button', { name: 'Account of Ada Lovelace' }).waitFor()

  await page.bringToFront()
  await withMouse(page).press('Account of Ada Lovelace')
  await withMouse(page).press('Sign out')
  await arriveAt(page, 'Sign in to Tollgate')

  // No account data stays on the screen; signing in there returns to the same page.
  await arriveAt(other, 'Sign in to Tollgate')
  await signIn(other, ada)
  await arriveAt(other, 'Security')
  expect(visitor.takeFaults()).toEqual([])
})
