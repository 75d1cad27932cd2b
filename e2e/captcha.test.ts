import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { overflowFaults, shiftFaults, watchShifts } from './browser/inspection.ts'
import { openSite, type Site } from './browser/site.ts'
import { openChromium, openVisitor, phone, settled } from './browser/visitor.ts'

/** Stands in for the three providers: an answer that its widget gave is right, once. */
let provider: Server
let asked: URLSearchParams[] = []
const used = new Set<string>()
let browser: Browser

beforeAll(async () => {
  provider = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      const form = new URLSearchParams(body)
      const answer = form.get('response') ?? ''
      asked.push(form)
      response.end(JSON.stringify({ success: answer.startsWith('right') && !used.has(answer) }))
      used.add(answer)
    })
  })
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
  browser = await openChromium()
})

afterAll(async () => {
  await browser.close()
  provider.close()
})

const widgets = [
  {
    provider: 'cloudflare-turnstile',
    name: 'turnstile',
    field: 'cf-turnstile-response',
    scripts: 'https://challenges.cloudflare.com/**',
    height: 65,
  },
  {
    provider: 'google-recaptcha',
    name: 'grecaptcha',
    field: 'g-recaptcha-response',
    scripts: 'https://www.google.com/recaptcha/**',
    height: 78,
  },
  {
    provider: 'hcaptcha',
    name: 'hcaptcha',
    field: 'h-captcha-response',
    scripts: 'https://js.hcaptcha.com/**',
    height: 78,
  },
] as const

type Widget = (typeof widgets)[number]

const openGuarded = (widget: Widget): Promise<Site> =>
  openSite({
    captcha: {
      provider: widget.provider,
      siteKey: 'the site key',
      secretKey: 'the secret key',
      verifyURL: `http://127.0.0.1:${(provider.address() as AddressInfo).port}/`, // it listens on a port
    },
  })

/** Puts a widget of our own in place of the provider's script: a box to press, and the field that theirs adds. */
async function standIn(page: Page, { name, field, scripts, height }: Widget): Promise<string[]> {
  const loaded: string[] = []
  await page.route(scripts, (route) => {
    loaded.push(route.request().url())
    return route.fulfill({
      contentType: 'text/javascript',
      body: `
        const started = new URL(document.currentScript.src).searchParams.get('onload')
        let given = 0
        let field
        window.${name} = {
          render(element, options) {
            window.drawn = { sitekey: options.sitekey, theme: options.theme, size: options.size }
            field = Object.assign(document.createElement('input'), { type: 'hidden', name: '${field}' })
            const box = Object.assign(document.createElement('button'), { type: 'button', textContent: 'I am a person' })
            box.style.height = (options.size === 'compact' ? 144 : ${height}) + 'px'
            box.onclick = () => {
              field.value = 'right-' + Date.now() + '-' + (given += 1)
              options.callback(field.value)
            }
            window.expire = () => options['expired-callback']()
            element.append(box, field)
            return 'widget'
          },
          reset() { field.value = '' },
          remove() {},
        }
        window[started]()
      `,
    })
  })
  return loaded
}

const open = async (page: Page, address: string) => {
  await page.goto(address)
  await settled(page)
}

const fillSignUp = async (page: Page, email: string) => {
  await page.getByLabel('Name', { exact: true }).fill('Ada')
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
}

const send = (page: Page) => page.getByRole('button', { name: 'Create account' }).click()
const solve = (page: Page) => page.getByRole('button', { name: 'I am a person' }).click()
const refused = /^error Failed to load resource: the server responded with a status of 4/

test.each(widgets)(
  '$provider: the page policy allows its widget, and the answer of the widget admits the visitor',
  async (widget) => {
    await using site = await openGuarded(widget)
    await using visitor = await openVisitor(browser, { expected: refused })
    const { page } = visitor
    const loaded = await standIn(page, widget)
    asked = []
    await open(page, `${site.origin}/sign-up`)
    await page.getByRole('button', { name: 'I am a person' }).waitFor()
    expect(await page.evaluate('drawn')).toMatchObject({ sitekey: 'the site key', theme: 'light' })
    expect(loaded).toHaveLength(1)

    await fillSignUp(page, 'ada@example.com')
    await send(page)
    await page.getByRole('alert').getByText('not a robot').waitFor()
    await solve(page)
    await send(page)
    await page.waitForURL('**/account')

    expect(asked.map((form) => [form.get('secret'), form.get('response')?.slice(0, 6)])).toEqual([
      ['the secret key', 'right-'],
    ])
    expect(visitor.takeFaults()).toEqual([])
  },
)

const [turnstile] = widgets

test('an answer is good for one attempt: after a refusal the widget asks anew', async () => {
  await using site = await openGuarded(turnstile)
  await using visitor = await openVisitor(browser, { expected: refused })
  const { page } = visitor
  await standIn(page, turnstile)
  await open(page, `${site.origin}/sign-in`)
  const attempt = async () => {
    await page.getByLabel('Password', { exact: true }).fill('not this one')
    await solve(page)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('alert').getByText('match').waitFor()
  }
  await page.getByLabel('Email').fill('nobody@example.com')

  await attempt()
  const field = page.locator(`[name="${turnstile.field}"]`)
  await expect.poll(() => field.inputValue()).toBe('')
  await attempt()

  expect(visitor.takeFaults()).toEqual([])
})

test('an expired answer is reported, and the widget asks again', async () => {
  await using site = await openGuarded(turnstile)
  await using visitor = await openVisitor(browser)
  const { page } = visitor
  await standIn(page, turnstile)
  await open(page, `${site.origin}/sign-in`)
  await solve(page)

  await page.evaluate('expire()')

  await page.getByRole('status').getByText('The check has expired').waitFor()
  expect(await page.locator(`[name="${turnstile.field}"]`).inputValue()).toBe('')
  await solve(page)
  await expect.poll(() => page.getByText('The check has expired').count()).toBe(0)
})

test('where the provider’s script is blocked, the form shows it', async () => {
  await using site = await openGuarded(turnstile)
  await using visitor = await openVisitor(browser, { expected: /ERR_BLOCKED_BY_CLIENT/ })
  const { page } = visitor
  await page.route(turnstile.scripts, (route) => route.abort('blockedbyclient'))

  await open(page, `${site.origin}/sign-in`)

  await page.getByRole('status').getByText('could not be loaded').waitFor()
  expect(visitor.takeFaults()).toEqual([])
})

test('without JavaScript the form states that it needs it', async () => {
  await using site = await openGuarded(turnstile)
  await using visitor = await openVisitor(browser, { javaScriptEnabled: false })
  const { page } = visitor

  await page.goto(`${site.origin}/sign-up`)

  expect(await page.getByText('needs JavaScript').isVisible()).toBe(true)
})

test.each(widgets)(
  '$provider: nothing moves when its widget comes, and it fits a telephone in the dark',
  async (widget) => {
    await using site = await openGuarded(widget)
    await using visitor = await openVisitor(browser, { viewport: phone, colorScheme: 'dark' })
    const { page } = visitor
    await standIn(page, widget)
    await watchShifts(page)

    await open(page, `${site.origin}/sign-in`)
    await page.getByRole('button', { name: 'I am a person' }).waitFor()

    expect(await page.evaluate('drawn')).toMatchObject({ theme: 'dark' })
    expect([...(await shiftFaults(page)), ...(await overflowFaults(page)), ...visitor.takeFaults()]).toEqual([])
  },
)
