import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lookAround, shiftFaults, watchShifts } from './browser/inspection.ts'
import { stops } from './browser/keyboard.ts'
import { ada } from './browser/people.ts'
import { openSite, type Site } from './browser/site.ts'
import { desktop, openChromium, openVisitor, settled } from './browser/visitor.ts'

let site: Site
let browser: Browser

beforeAll(async () => {
  ;[site, browser] = await Promise.all([openSite(), openChromium()])
})

afterAll(async () => {
  await browser.close()
  await site[Symbol.asyncDispose]()
})

/** One address for each page in its initial state. */
const first = {
  'sign-in': '/sign-in?fixture=usernames',
  providers: '/sign-in?fixture=eight-providers',
  'sign-up': '/sign-up?fixture=everything',
  code: '/magic-link/sent?fixture=idle',
  'mailed link': '/magic-link?fixture=ready',
  forgot: '/forgot-password?fixture=idle',
  reset: '/reset-password?fixture=idle',
  verify: '/verify-email?fixture=sent',
  error: '/error?error=access_denied',
  profile: '/account?fixture=idle',
  security: '/account/security?fixture=idle',
  connections: '/account/connections?fixture=several',
  impersonated: '/account?fixture=impersonated',
  devices: '/account/sessions?fixture=idle',
  deletion: '/account/delete?fixture=idle',
  'deletion with purchases': '/account/delete?fixture=purchases-end',
  organizations: '/account/organizations?fixture=everything',
  'new organization': '/organizations/new?fixture=idle',
  invitation: '/accept-invitation/fixture?fixture=ready',
  link: '/join/fixture?fixture=ready',
  overview: '/org/northwind?fixture=idle',
  members: '/org/northwind/members?fixture=idle',
  invitations: '/org/northwind/invitations?fixture=idle',
  teams: '/org/northwind/teams?fixture=idle',
  roles: '/org/northwind/roles?fixture=preview',
  settings: '/org/northwind/settings?fixture=idle',
  audit: '/org/northwind/audit?fixture=idle',
  danger: '/org/northwind/danger?fixture=idle',
  checkout: '/checkout/fixture?fixture=questions',
  company: '/checkout/fixture?fixture=business',
  choice: '/checkout/fixture?fixture=several',
  receipt: '/checkout/fixture/confirmation?fixture=discounted',
  pay: '/pay/fixture?fixture=credit',
  'pay by card': '/pay/fixture?fixture=new-card',
  'another card': '/pay/fixture?fixture=card',
  pricing: '/pricing/northwind?fixture=everything',
} as const

const open = async (page: Page, address: string) => {
  await page.goto(site.origin + address)
  await settled(page)
}

test('new mail comes into the inbox by itself, and leaves the mail that is read and the focus alone', async () => {
  await using visitor = await openVisitor(browser, { expected: /'about:srcdoc'/ })
  const { page } = visitor
  const signUp = (email: string) => site.account({ name: 'Live', email, password: ada.password })
  await signUp('live-first@example.com')
  await site.mailTo('live-first@example.com')
  await open(page, '/dev/inbox')
  const first = page.getByRole('link', { name: /live-first@example\.com/ })
  await first.click()
  await page.getByRole('article').waitFor()
  await first.focus()

  await signUp('live-second@example.com')
  await page.getByRole('link', { name: /live-second@example\.com/ }).waitFor()
  await page.getByRole('status').getByText('New mail: ').waitFor()
  expect(await first.evaluate((link) => link === document.activeElement)).toBe(true)
  expect(await page.getByRole('article').innerText()).toContain('live-first@example.com')
  expect(visitor.takeFaults()).toEqual([])
})

test('the pages for developers and those of failures are as accessible and quiet as the others', async () => {
  // The browser itself reports that a page was not found, and that it kept the observer below out of the frame of a mail.
  await using visitor = await openVisitor(browser, { expected: /status of 404|'about:srcdoc'/ })
  const { page } = visitor
  await watchShifts(page)
  const faults: string[] = []
  const look = async (address: string) => {
    const found = await lookAround(page, site.origin + address)
    faults.push(...found.map((fault) => `${address} ${fault}`))
  }

  await look('/dev/inbox')
  await site.account(ada)
  const mail = await site.mailTo(ada.email)
  await look('/dev/inbox')
  await look(`/dev/inbox?id=${mail.id}`)
  for (const page of ['', '/createCheckout', '/signInEmail', '/webhooks', '/shapes/Order']) await look(`/docs${page}`)
  await look('/error?error=please_restart_the_process')
  await look('/api/auth/error?error=%3Cb%3Ebold%3C%2Fb%3E')
  await look('/nowhere')

  expect([...faults, ...visitor.takeFaults()]).toEqual([])
})

/** Most kilobytes, as they are sent, that pages may need before they can be used. */
const allowances = [
  {
    html: 8,
    css: 5,
    script: 90,
    addresses: [
      '/sign-in',
      '/sign-in?fixture=four-providers',
      '/sign-up',
      '/magic-link/sent?email=ada@example.com',
      '/forgot-password',
      '/reset-password?fixture=idle',
      '/verify-email?fixture=sent',
      '/error',
    ],
  },
  {
    html: 10,
    css: 5,
    script: 90,
    addresses: ['/accept-invitation/fixture?fixture=ready', '/join/fixture?fixture=ready'],
  },
  {
    html: 14.3,
    css: 6.5,
    script: 100,
    addresses: [first.checkout, first.company, first.choice, first.receipt, first.pay],
  },
  { html: 12, css: 6.5, script: 0, addresses: [first.pricing] },
  {
    // The dashboard's frame, with its sidebar and icons, is drawn into these pages and loads no script. What crops a picture
    // comes with the first picture.
    html: 25.2,
    css: 8.8,
    script: 114,
    addresses: [first['new organization'], first.overview, first.invitations, first.roles, first.settings],
  },
]

test('the first load of a hosted page is small', async () => {
  const pages = allowances.flatMap(({ addresses, ...most }) => addresses.map((address) => ({ address, most })))

  const weights = await Promise.all(
    pages.map(async ({ address, most }) => {
      await using visitor = await openVisitor(browser)
      const scripts: Promise<Buffer>[] = []
      visitor.page.on('response', (response) => {
        if (response.request().resourceType() === 'script') scripts.push(response.body())
      })
      const document = await visitor.page.goto(site.origin + address)
      await settled(visitor.page)
      const html = (await document?.text()) ?? ''
      const css = [...html.matchAll(/<style[^>]*>(.*?)<\/style>/gs)].map(([, text]) => text).join('')
      const kilobytes = (part: string | Buffer) => gzipSync(part, { level: 9 }).length / 1024
      const script = (await Promise.all(scripts)).reduce((sum, body) => sum + kilobytes(body), 0)
      return { address, most, html: kilobytes(html), css: kilobytes(css), script }
    }),
  )

  const tooHeavy = weights.filter(
    ({ html, css, script, most }) => html > most.html || css > most.css || script > most.script,
  )
  expect(tooHeavy).toEqual([])
})

test('fields describe themselves to password managers and phones', async () => {
  await using visitor = await openVisitor(browser)
  const { page } = visitor
  const fieldsOf = async (address: string) => {
    await open(page, address)
    return page.evaluate(() =>
      [...document.querySelectorAll<HTMLInputElement>('main input:not([type=hidden], [type=checkbox])')].map((field) =>
        [
          field.name,
          field.type,
          field.autocomplete,
          field.inputMode,
          field.autocapitalize,
          field.spellcheck ? 'spellcheck' : 'as it is',
          field.getAttribute('passwordrules') ?? '',
        ]
          .filter(Boolean)
          .join(', '),
      ),
    )
  }
  const rules = 'minlength: 8; maxlength: 128;'
  const current = 'password, current-password, none, as it is'
  const chosen = `password, new-password, none, as it is, ${rules}`

  expect(await fieldsOf(first['sign-in'])).toEqual([
    // For an address or a username.
    'email, text, username webauthn, email, none, as it is',
    `password, ${current}`,
  ])
  expect(await fieldsOf(first['sign-up'])).toEqual([
    'name, text, name, spellcheck',
    'email, email, email, email, none, as it is',
    'username, text, username, none, as it is',
    `password, ${chosen}`,
  ])
  expect(await fieldsOf(first.code)).toEqual(['code, text, one-time-code, numeric, spellcheck'])
  expect(await fieldsOf(first.forgot)).toEqual(['email, email, username, email, none, as it is'])
  expect(await fieldsOf(first.reset)).toEqual(['username, email, username, spellcheck', `newPassword, ${chosen}`])
  expect(await fieldsOf(first.security)).toEqual([
    'username, email, username, spellcheck',
    `currentPassword, ${current}`,
    `newPassword, ${chosen}`,
  ])
  expect(await fieldsOf(first.deletion)).toEqual([
    'username, email, username, spellcheck',
    'confirmation, text, off, characters, as it is',
    `password, ${current}`,
  ])
  const card = 'numeric, as it is'
  expect(await fieldsOf(first.company)).toEqual([
    'email, email, email, email, none, as it is',
    'name, text, name, spellcheck',
    `cardNumber, text, cc-number, ${card}`,
    `cardExpiry, text, cc-exp, ${card}`,
    `cardCode, text, cc-csc, ${card}`,
    'company, text, billing organization, spellcheck',
    'taxId, text, off, characters, as it is',
    'line1, text, billing address-line1, spellcheck',
    'postalCode, text, billing postal-code, spellcheck',
    'city, text, billing address-level2, spellcheck',
  ])
  expect(await fieldsOf(first.profile)).toEqual([
    'picture, file, spellcheck',
    'name, text, name, spellcheck',
    'username, text, username, none, as it is',
    'displayUsername, text, off, spellcheck',
    'newEmail, email, email, email, none, as it is',
  ])
})

test('Tab leads through every control of a page, each with a ring around it, and comes out again', async () => {
  await using visitor = await openVisitor(browser)
  const { page } = visitor
  const seen: Record<string, readonly string[]> = {}
  for (const [name, address] of Object.entries(first)) {
    await open(page, address)
    const { names, invisible } = await stops(page)
    expect(invisible, name).toEqual([])
    const reachable = await page.evaluate(() => {
      const controls = [
        ...document.querySelectorAll<HTMLElement>(
          'a[href], button, summary, select, textarea, input:not([type=hidden]), [tabindex="0"]',
        ),
      ]
      // A date is its day, month and year and the button of its calendar; of a group of radio buttons only one is a stop.
      const stopsOf = (control: HTMLElement): number => {
        if (!(control instanceof HTMLInputElement)) return 1
        return control.type === 'date' ? 4 : control.type === 'radio' && !control.checked ? 0 : 1
      }
      return controls
        .filter((control) => control.tabIndex >= 0 && control.checkVisibility())
        .reduce((sum, control) => sum + stopsOf(control), 0)
    })
    expect(names, name).toHaveLength(reachable)
    seen[name] = names
  }

  expect(seen['sign-in']).toEqual([
    'Email or username',
    'Forgot password?',
    'Password',
    'Show password',
    'Keep me signed in on this device',
    'Sign in',
    'Create an account',
    'Language: English',
  ])
  expect(seen.profile?.[0]).toBe('Skip to content')
})

test('nothing moves for people who do not want movement', async () => {
  await using visitor = await openVisitor(browser, { reducedMotion: 'reduce' })
  const { page } = visitor
  const moving: string[] = []
  for (const address of [...Object.values(first), '/verify-email?fixture=already', '/reset-password?fixture=done']) {
    await open(page, address)
    moving.push(
      ...(await page.evaluate(() =>
        [...document.querySelectorAll('*')].flatMap((element) => {
          const { transitionDuration, transitionProperty, animationDuration, animationName } = getComputedStyle(element)
          const longest = (times: string) => Math.max(...times.split(',').map((time) => Number.parseFloat(time)))
          const transition = transitionProperty !== 'opacity' && longest(transitionDuration) > 0.01
          const animation = animationName !== 'none' && longest(animationDuration) > 0.01
          return transition || animation ? [element.outerHTML.slice(0, 100)] : []
        }),
      )),
    )
  }

  expect(moving).toEqual([])
})

test('a font that comes after the first picture moves nothing', async () => {
  await using visitor = await openVisitor(browser)
  const { page } = visitor
  await watchShifts(page)
  const faults: string[] = []
  const looks = Object.values(first).map((address) => ({ address, width: desktop.width }))
  // A table with a sentence in a narrow column.
  for (const { address, width } of [...looks, { address: '/org/northwind/members?fixture=sole-owner', width: 1000 }]) {
    await page.setViewportSize({ ...desktop, width })
    // No font comes before the page was seen in the one that stands in for it.
    const seen = Promise.withResolvers<void>()
    await page.route('**/*.woff2*', async (route) => {
      await seen.promise
      await route.continue()
    })
    await page.goto(site.origin + address, { waitUntil: 'commit' })
    await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0)
    seen.resolve()
    await settled(page)
    for (const fault of await shiftFaults(page)) faults.push(`${address} ${fault}`)
    await page.unrouteAll({ behavior: 'wait' })
  }
  expect(faults).toEqual([])
}, 120_000)

test('with forced colours every field, button and focus still has an edge', async () => {
  await using visitor = await openVisitor(browser, { forcedColors: 'active' })
  const { page } = visitor
  for (const address of Object.values(first)) {
    await open(page, address)
    const bare = await page.evaluate(() => {
      const background = getComputedStyle(document.documentElement).backgroundColor
      return [...document.querySelectorAll('[data-tg=input], [data-tg=button]:not([data-look=quiet])')]
        .filter((element) => {
          const { borderTopWidth, borderTopStyle, borderTopColor } = getComputedStyle(element)
          return Number.parseFloat(borderTopWidth) < 1 || borderTopStyle === 'none' || borderTopColor === background
        })
        .map((element) => element.outerHTML.slice(0, 100))
    })
    expect(bare, address).toEqual([])
    expect((await stops(page)).invisible, address).toEqual([])
  }
  expect(visitor.takeFaults()).toEqual([])
})

/** Every background that the page has shown, from the first picture on. */
async function backgrounds(page: Page, address: string): Promise<unknown> {
  await page.addInitScript(() => {
    const colours = new Set<string>()
    Object.assign(window, { colours })
    const look = () => {
      if (document.querySelector('style')) colours.add(getComputedStyle(document.documentElement).backgroundColor)
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
  await open(page, address)
  return page.evaluate(() => [...(window as unknown as { colours: Set<string> }).colours]) // set above
}

test('a dark page is dark from its first picture on, by the system or by choice, with and without JavaScript', async () => {
  const dark = ['rgb(11, 18, 19)']
  await using bySystem = await openVisitor(browser, { colorScheme: 'dark' })
  expect(await backgrounds(bySystem.page, '/sign-in')).toEqual(dark)

  await using byChoice = await openVisitor(browser, { colorScheme: 'light' })
  expect(await backgrounds(byChoice.page, '/sign-in?scheme=dark')).toEqual(dark)
  // Kept for the pages that follow.
  expect(await backgrounds(byChoice.page, '/sign-up')).toEqual(dark)

  await using still = await openVisitor(browser, { colorScheme: 'dark', javaScriptEnabled: false })
  const document = await still.page.goto(`${site.origin}/sign-in`)
  // Until the style sheet is read, the browser paints by this.
  expect(await document?.text()).toContain('<meta name="color-scheme" content="light dark">')
  expect(await still.page.evaluate(() => getComputedStyle(window.document.documentElement).backgroundColor)).toBe(
    dark[0],
  )
})
