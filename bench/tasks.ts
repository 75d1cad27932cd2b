import { writeFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { arriveAt, signIn, visit } from '../e2e/browser/people.ts'
import { openSite } from '../e2e/browser/site.ts'
import { openChromium, openVisitor, settled } from '../e2e/browser/visitor.ts'
import { buildWebIfChanged } from '../scripts/build-web.mjs'

/**
 * How long tasks take a practised person: `node bench/tasks.ts`, which writes TASKS.md. What the person does is counted by
 * the keystroke-level model (Card, Moran and Newell, 1980); what the person waits for is measured. Nothing sleeps, so a
 * run takes seconds.
 */
const pace = {
  /** A key, of someone who types 55 words a minute. */
  key: 200,
  /** Moves the hand to the mouse or back. */
  hand: 400,
  /** Points at something. */
  point: 1100,
  /** Presses the button of the mouse, and lets it go. */
  click: 200,
  /** Decides what to do next: at each page, dialog and form. */
  think: 1350,
} as const

type Task = { readonly name: string; readonly bar: number; readonly run: (person: Person) => Promise<void> }

/** Does things on pages, and counts how long a person takes for them. */
type Person = {
  page: Page
  /** Reads what is there, and decides. */
  look(ready: Promise<unknown>): Promise<void>
  press(name: string | RegExp): Promise<void>
  type(label: string, text: string): Promise<void>
  choose(label: string, choice: string): Promise<void>
  counted(): { readonly acting: number; readonly waiting: number; readonly steps: number }
}

function personAt(page: Page): Person {
  let acting = 0
  let waiting = 0
  let steps = 0
  const wait = async (awaited: Promise<unknown>) => {
    const since = performance.now()
    await awaited
    waiting += performance.now() - since
  }
  const act = (milliseconds: number) => {
    acting += milliseconds
    steps += 1
  }
  const person: Person = {
    page,
    look: async (ready) => {
      await wait(ready)
      acting += pace.think
    },
    press: async (name) => {
      act(pace.point + pace.click)
      const exactly = { name, exact: true }
      const pressed = person.page.getByRole('button', exactly).or(person.page.getByRole('link', exactly))
      await wait(pressed.filter({ visible: true }).first().click())
    },
    type: async (label, text) => {
      act(pace.point + pace.click + 2 * pace.hand + text.length * pace.key)
      await wait(person.page.getByLabel(label, { exact: true }).fill(text))
    },
    choose: async (label, choice) => {
      act(2 * (pace.point + pace.click))
      const list = person.page.getByRole('combobox', { name: label, exact: true }).first()
      await wait(list.selectOption({ label: choice }))
    },
    counted: () => ({ acting, waiting, steps }),
  }
  return person
}

const owner = { name: 'Ada Lovelace', email: 'ada@example.com', password: 'correct horse battery' }

const tasks: readonly Task[] = [
  {
    name: 'First paid test order, from “create an organization”',
    bar: 60,
    run: async (person) => {
      const { page } = person
      await person.look(visit(page, site, '/organizations/new'))
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
      await person.choose('Country', 'Germany')
      await person.press(/^(Pay|Subscribe)/)
      await person.look(arriveAt(checkout, 'Payment received'))
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
      await person.look(dialog.waitFor({ state: 'detached' }))
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
      await person.look(page.getByText('max@example.com').first().waitFor())
    },
  },
]

await buildWebIfChanged()
const site = await openSite({ billing: { whoMaySell: 'everyone' } })
await site.account(owner)
const browser = await openChromium()
const visitor = await openVisitor(browser, { reducedMotion: 'no-preference' })
await signIn(visitor, site, owner)

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(1)
const rows: string[] = []
for (const { name, bar, run } of tasks) {
  const person = personAt(await visitor.context.newPage())
  await run(person)
  const { acting, waiting, steps } = person.counted()
  rows.push(`| ${name} | ${steps} | ${seconds(acting)} | ${seconds(waiting)} | ${seconds(acting + waiting)} | ${bar} |`)
}
await browser.close()
await site[Symbol.asyncDispose]()

const report = `# How long tasks take

\`node bench/tasks.ts\`: Chromium, 1280 × 800, one server on this machine with SQLite. A person's time is counted by the keystroke-level model: ${pace.key} ms a key, ${pace.point + pace.click} ms to point and click, ${pace.hand} ms between mouse and keyboard, ${pace.think} ms to decide at each page, dialog and answer. Waiting is measured.

| Task | steps | acting, s | waiting, s | in all, s | bar, s |
|---|---|---|---|---|---|
${rows.join('\n')}
`
writeFileSync(new URL('TASKS.md', import.meta.url), report)
console.log(report)
process.exit(0)
