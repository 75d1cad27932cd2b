import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { arriveAt, visit, withKeyboard, withMouse } from './browser/people.ts'
import { openSite, type Site } from './browser/site.ts'
import { openChromium, openVisitor, settled, type Visitor } from './browser/visitor.ts'

let site: Site
let browser: Browser

beforeAll(async () => {
  ;[site, browser] = await Promise.all([openSite(), openChromium()])
})

afterAll(async () => {
  await browser.close()
  await site[Symbol.asyncDispose]()
})

const subject = 'Your sign-in link'
const confirmation = 'Sign in to Tollgate'

/** Asks for the mail on the sign-in page, and waits where the code can be typed. */
async function asks({ page }: Visitor, email: string, makeHand = withMouse): Promise<void> {
  const hand = makeHand(page)
  await visit(page, site, '/sign-in')
  await hand.fill('Email or username', email)
  await hand.press('Email me a sign-in link')
  await arriveAt(page, 'Check your email')
}

/** The link of the newest mail, and its code. */
async function mailOf(email: string): Promise<{ link: string; code: string }> {
  const { id } = await site.mailTo(email, subject)
  const mails = await (await fetch(`${site.origin}/dev/inbox/messages?to=${encodeURIComponent(email)}`)).json()
  const mail = (mails as { id: string; text: string; links: string[] }[]).find((each) => each.id === id)!
  return { link: mail.links[0]!, code: /^\d{6}$/m.exec(mail.text)![0] }
}

test('the tab that waits goes on by itself once the link was confirmed in the same browser', async () => {
  const email = 'same@example.com'
  await using visitor = await openVisitor(browser)
  await asks(visitor, email)
  const { link } = await mailOf(email)

  const second = await visitor.context.newPage()
  await second.goto(link)
  await arriveAt(second, confirmation)
  await second.getByText(email).waitFor()
  await withMouse(second).press('Sign in')
  await arriveAt(second, 'Profile')

  await visitor.page.bringToFront()
  await arriveAt(visitor.page, 'Profile')
  expect(visitor.takeFaults()).toEqual([])
})

test('on another device the tab that waits takes the code, by the keyboard alone', async () => {
  const email = 'code@example.com'
  await using visitor = await openVisitor(browser)
  await asks(visitor, email, withKeyboard)
  const { code } = await mailOf(email)

  await withKeyboard(visitor.page).fill('Code from the mail', code)

  // With its last digit it is sent.
  await arriveAt(visitor.page, 'Profile')
  expect(visitor.takeFaults()).toEqual([])
})

test('a link confirmed in another browser signs in there, and leaves the tab that waits as it is', async () => {
  const email = 'elsewhere@example.com'
  await using visitor = await openVisitor(browser)
  await using elsewhere = await openVisitor(browser)
  await asks(visitor, email)
  const { link } = await mailOf(email)

  await elsewhere.page.goto(link)
  await arriveAt(elsewhere.page, confirmation)
  await withMouse(elsewhere.page).press('Sign in')
  await arriveAt(elsewhere.page, 'Profile')

  await visitor.page.reload()
  await arriveAt(visitor.page, 'Check your email')
  expect([visitor.takeFaults(), elsewhere.takeFaults()]).toEqual([[], []])
})

test('a wrong code is reported at its field, and a used link on its page', async () => {
  const email = 'wrong@example.com'
  await using visitor = await openVisitor(browser, {
    expected: /^error Failed to load resource: the server responded with a status of 4/,
  })
  await asks(visitor, email)
  const { link, code } = await mailOf(email)
  const { page } = visitor

  await withMouse(page).fill('Code from the mail', code === '000000' ? '000001' : '000000')
  await page.getByText('That code is incorrect.').waitFor()
  await withMouse(page).fill('Code from the mail', code)
  await arriveAt(page, 'Profile')

  await page.goto(link)
  await settled(page)
  await arriveAt(page, 'This link doesn’t work')
  expect(visitor.takeFaults()).toEqual([])
})
