import type { Page } from 'playwright-core'
import { choose, press, tick, typeInto } from './keyboard.ts'
import type { Person, Site } from './site.ts'
import { settled, type Visitor, type VisitorOptions } from './visitor.ts'

/** What the first field of the sign-in page is called: usernames are on unless they are switched off. */
export const identifier = 'Email or username'

export const ada: Person = { name: 'Ada Lovelace', email: 'ada@example.com', password: 'correct horse battery' }

/** The actions of a person on a page. Elements are found by their accessible names. */
export type Hand = {
  fill(label: string, text: string): Promise<void>
  /** Presses a button, follows a link, or opens what a button keeps closed. */
  press(name: string | RegExp): Promise<void>
  /** Ticks a box, or takes its tick away. */
  tick(label: string): Promise<void>
  /** Chooses in a list. */
  choose(label: string, choice: string): Promise<void>
}

/** Points at things with a mouse, and types with a keyboard. */
export const withMouse = (page: Page): Hand => ({
  fill: async (label, text) => {
    await page.getByLabel(label, { exact: true }).click({ clickCount: 3 })
    await page.keyboard.insertText(text)
  },
  press: (name) => {
    const exactly = { name, exact: true }
    // What opens something in place is neither to the browser.
    const opener = page.locator('summary').filter({ hasText: typeof name === 'string' ? whole(name) : name })
    const pressed = page.getByRole('button', exactly).or(page.getByRole('link', exactly)).or(opener)
    return pressed.filter({ visible: true }).first().click()
  },
  tick: (label) => page.getByRole('checkbox', { name: label, exact: true }).first().click(),
  choose: async (label, choice) => {
    const list = page.getByRole('combobox', { name: label, exact: true }).first()
    const [option = ''] = (await list.locator('option').allInnerTexts()).filter((text) => text.startsWith(choice))
    await list.selectOption({ label: option })
  },
})

/** Exactly these words, and none around them. */
const whole = (words: string) => new RegExp(`^\\s*${words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\s*$`)

/** Never touches a mouse; sees at every step where the focus is. */
export const withKeyboard = (page: Page): Hand => ({
  fill: (label, text) => typeInto(page, label, text),
  press: (name) => press(page, name),
  tick: (label) => tick(page, label),
  choose: (label, choice) => choose(page, label, choice),
})

/** Signs a user in by API, for tests of other things. */
export async function signIn({ context }: Visitor, site: Site, { email, password }: Person): Promise<void> {
  const answer = await context.request.post(`${site.origin}/api/auth/sign-in/email`, { data: { email, password } })
  if (!answer.ok()) throw new Error(`sign-in answered ${answer.status()}: ${await answer.text()}`)
}

/** Who a visitor is to the server, and in which organization they act. */
export async function sessionOf({ context }: Visitor, site: Site) {
  const answer = await context.request.get(`${site.origin}/api/auth/get-session`)
  return (await answer.json()) as { organization: { slug: string; roles: string[] } | null } | null // its own answer
}

/** Opens one of our pages by its address, and waits until it can be used. */
export async function visit(page: Page, site: Site, path: string): Promise<void> {
  await page.goto(site.origin + path)
  await settled(page)
}

/** Waits until the page of that heading is there and can be used. */
export async function arriveAt(page: Page, heading: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor()
  await settled(page)
}

/** Waits until the page says this in its live regions. */
export async function hear(page: Page, role: 'alert' | 'status', words: string | RegExp): Promise<void> {
  await page.getByRole(role).getByText(words).waitFor()
}

/** Goes to the inbox, opens the newest mail of that subject to an address, and follows its link. */
export async function followMail(page: Page, hand: Hand, site: Site, address: string, subject: string): Promise<void> {
  await site.mailTo(address, subject)
  await visit(page, site, '/dev/inbox')
  await hand.press(new RegExp(`${subject}.*\\s${address}`))
  await page.getByRole('article').waitFor()
  await hand.press('Open link')
}

type Way = { readonly hand: (page: Page) => Hand; readonly options?: VisitorOptions }

/** The ways to go through a whole story. */
export const ways: Readonly<Record<string, Way>> = {
  'mouse and keyboard': { hand: withMouse },
  'the keyboard alone': { hand: withKeyboard },
  'JavaScript switched off': {
    hand: withMouse,
    // The browser says that it does not fetch ahead what it may not run.
    options: { javaScriptEnabled: false, expected: /assets\/.*\.js failed: csp/ },
  },
}
