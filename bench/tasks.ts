import { writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { arriveAt, visit } from '../e2e/browser/people.ts'
import { openSite } from '../e2e/browser/site.ts'
import { openChromium, openVisitor, settled } from '../e2e/browser/visitor.ts'
import { buildWebIfChanged } from '../scripts/build-web.mjs'

/**
 * How long tasks take a person, by pages alone, from a new server on: `node bench/tasks.ts`, which writes TASKS.md. It
 * types and clicks at a person's pace and measures the time that passes, so a run takes as long as the person would.
 */
const pace = {
  /** A key. */
  key: 200,
  /** Finds something with the mouse, and clicks it. */
  click: 500,
  /** Looks at a page or dialog that has appeared. */
  look: 1000,
} as const

type Task = { readonly name: string; readonly bar: number; readonly run: (person: Person) => Promise<void> }

/** Does things on pages at the pace, and counts them. */
type Person = {
  page: Page
  /** Waits for a page, and looks at it. */
  look(ready: Promise<unknown>): Promise<void>
  press(name: string | RegExp): Promise<void>
  type(label: string, text: string): Promise<void>
  counted(): { readonly looks: number; readonly clicks: number; readonly keys: number }
}

function personAt(page: Page): Person {
  const counts = { looks: 0, clicks: 0, keys: 0 }
  const person: Person = {
    page,
    look: async (ready) => {
      await ready
      counts.looks += 1
      await pause(pace.look)
    },
    press: async (name) => {
      const exactly = { name, exact: true }
      const pressed = person.page.getByRole('button', exactly).or(person.page.getByRole('link', exactly))
      counts.clicks += 1
      await pause(pace.click)
      await pressed.filter({ visible: true }).first().click()
    },
    type: async (label, text) => {
      counts.clicks += 1
      counts.keys += text.length
      await pause(pace.click)
      await person.page.getByLabel(label, { exact: true }).click()
      await person.page.keyboard.type(text, { delay: pace.key })
    },
    counted: () => counts,
  }
  return person
}

const tasks: readonly Task[] = [
  {
    name: 'First paid test order, from the link that a new server prints',
    bar: 60,
    run: async (person) => {
      const { page } = person
      await person.look(page.goto(await site.setupLink()).then(() => settled(page)))
      await person.type('Name', 'Ada Lovelace')
      await person.type('Email', 'ada@example.com')
      await person.type('Password', 'correct horse battery')
      await person.press('Create account')
      await person.look(arriveAt(page, 'Create an organization'))
      await person.type('Name', 'Contoso')
      await person.press('Create organization')
      await person.look(page.getByText('Contoso is ready.').waitFor())
      await person.press('Skip')
      await person.look(arriveAt(page, 'Overview'))
      await person.press('New product')
      await person.look(arriveAt(page, 'New product'))
      await person.type('Name', 'Pro plan')
      await person.type('Amount', '19')
      await person.press('Create product')
      await person.look(arriveAt(page, 'Pro plan'))
      const opened = page.waitForEvent('popup')
      await person.press('Try it')
      const checkout = await opened
      await person.look(checkout.waitForURL(/\/checkout\//).then(() => settled(checkout)))
      person.page = checkout
      await person.press('Fill in a test card')
      await person.press(/^Subscribe for/)
      await arriveAt(checkout, 'Payment received')
    },
  },
  {
    name: 'Refund the order, from the overview',
    bar: 15,
    run: async (person) => {
      const { page } = person
      await person.look(visit(page, site, '/dashboard/contoso'))
      await person.press('Pro plan')
      await person.look(page.getByRole('button', { name: 'Refund…' }).waitFor())
      await person.press('Refund…')
      const dialog = page.getByRole('dialog')
      await person.look(dialog.waitFor())
      await person.press(/^Refund .?19/)
      await dialog.waitFor({ state: 'detached' })
    },
  },
  {
    name: 'Invite three people, from the organization’s invitations',
    bar: 20,
    run: async (person) => {
      const { page } = person
      await person.look(visit(page, site, '/org/contoso/invitations'))
      await person.type('Email addresses', 'bo@example.com, eva@example.com, max@example.com')
      await person.press('Send invitations')
      await page.getByText('max@example.com').first().waitFor()
    },
  },
]

await buildWebIfChanged()
const site = await openSite()
const browser = await openChromium()
const visitor = await openVisitor(browser, { reducedMotion: 'no-preference', timezoneId: 'Europe/Berlin' })

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(1)
const rows: string[] = []
for (const { name, bar, run } of tasks) {
  const person = personAt(await visitor.context.newPage())
  const since = performance.now()
  await run(person)
  const passed = performance.now() - since
  const { looks, clicks, keys } = person.counted()
  const acted = looks * pace.look + clicks * pace.click + keys * pace.key
  rows.push(
    `| ${name} | ${looks} | ${clicks} | ${keys} | ${seconds(acted)} | ${seconds(passed - acted)} | ${seconds(passed)} | ${bar} |`,
  )
}
await browser.close()
await site[Symbol.asyncDispose]()

const report = `# How long tasks take

\`node bench/tasks.ts\`: Chromium, 1280 × 800, a new server on this machine with SQLite. A script does each task by pages alone and at a person's pace: ${pace.key} ms a key, ${pace.click} ms a click, ${pace.look} ms to look at each page and dialog. The time passes as it would; what is not the person's is spent waiting.

| Task | looks | clicks | keys | acting, s | waiting, s | in all, s | bar, s |
|---|---|---|---|---|---|---|---|
${rows.join('\n')}
`
writeFileSync(new URL('TASKS.md', import.meta.url), report)
console.log(report)
process.exit(0)
