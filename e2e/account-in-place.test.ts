import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ada, arriveAt, hear, visit, withKeyboard, withMouse } from './browser/people.ts'
import { openSite, type Person, type Site } from './browser/site.ts'
import { openChromium, openVisitor } from './browser/visitor.ts'

/** What the account pages show after something was done on them without leaving. */

let site: Site
let browser: Browser

const grace: Person = { ...ada, name: 'Grace Hopper', email: 'grace@example.com' }

beforeAll(async () => {
  ;[site, browser] = await Promise.all([openSite(), openChromium()])
  await site.account(grace)
})

afterAll(async () => {
  await browser.close()
  await site[Symbol.asyncDispose]()
})

/** Whether the whole announcement is visible. */
const seesStatus = (page: Page) =>
  page.getByRole('status').evaluate((region) => {
    const { top, bottom, height } = region.getBoundingClientRect()
    return height > 0 && top >= 0 && bottom <= innerHeight
  })

const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent)

test.each([
  [360, 640],
  [1280, 500],
])('at %d by %d px a press far down the profile shows its result', async (width, height) => {
  await using visitor = await openVisitor(browser, { viewport: { width, height } })
  const { page } = visitor
  const hand = withMouse(page)
  const email = `ada.${width}@example.com`
  await visit(page, site, '/sign-up')
  await hand.fill('Name', ada.name)
  await hand.fill('Email', email)
  await hand.fill('Password', ada.password)
  await hand.press('Create account')
  await arriveAt(page, 'Profile')

  // After sign-up the page names the mail and where to find it.
  await page.getByText(`To confirm ${email}, follow the link in our mail.`).waitFor()
  expect(await page.locator('a[href="/dev/inbox"]').count()).toBe(1)

  await hand.press('Send confirmation mail')
  await hear(page, 'status', `We sent a link to ${email}.`)
  await expect.poll(() => seesStatus(page)).toBe(true)
  expect(await focused(page)).toBe('Send confirmation mail')

  await hand.fill('New email address', `new.${email}`)
  await hand.press('Change address')
  await hear(page, 'status', `Your address is now new.${email}.`)
  await expect.poll(() => seesStatus(page)).toBe(true)
  expect(await page.getByLabel('New email address').inputValue()).toBe('')

  // Tabbing through the field after a submission triggers no validation.
  await page.getByLabel('New email address').focus()
  await page.getByLabel('Name', { exact: true }).focus()
  expect(await page.locator('[aria-invalid]').count()).toBe(0)

  // Every part of the page that shows the address shows the new one.
  await expect.poll(() => page.locator('header').textContent()).toContain(`new.${email}`)
  expect(visitor.takeFaults()).toEqual([])
})

test('a form that has changed the password is gone until it is wanted again', async () => {
  await using visitor = await openVisitor(browser)
  const { page } = visitor
  const hand = withKeyboard(page)
  await visit(page, site, '/sign-in?callbackURL=/account/security')
  await hand.fill('Email or username', grace.email)
  await hand.fill('Password', grace.password)
  await hand.press('Sign in')
  await arriveAt(page, 'Security')
  const navigated = page.waitForEvent('framenavigated')

  await hand.fill('Current password', grace.password)
  await hand.fill('New password', 'another horse battery')
  await hand.press('Change password')
  await hear(page, 'status', 'Your password has been changed.')

  await navigated
  expect(await page.locator('input[type=password]').count()).toBe(0)
  expect(await focused(page)).toBe('Security')

  await hand.press('Change password')
  await page.waitForFunction(() => document.activeElement?.id === 'currentPassword')
  expect(await page.getByRole('status').textContent()).toBe('')
  await hand.fill('Current password', 'another horse battery')
  await hand.fill('New password', '😀😀😀😀')
  await page.getByText('At least 8 characters').waitFor()
  expect(visitor.takeFaults()).toEqual([])
})

test('a fault of a username is reported once', async () => {
  await using visitor = await openVisitor(browser)
  const { page } = visitor
  const hand = withMouse(page)
  await visit(page, site, '/sign-up')
  await hand.fill('Username (optional)', 'no spaces')
  await page.locator('[data-tg="availability"][data-tone="danger"]').waitFor()
  const words = (await page.locator('[data-tg="availability"]').textContent()) ?? ''

  await hand.press('Create account')
  await page.locator('#username-error').waitFor()

  expect(await page.locator('#username-error').textContent()).toBe(words)
  await expect.poll(() => page.getByText(words, { exact: true }).count()).toBe(1)
})
