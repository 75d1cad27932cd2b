import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fixtures } from '../packages/server/src/pages/fixtures.ts'
import { axeFaults, controlFaults, lookAround, overflowFaults, shiftFaults, watchShifts } from './browser/inspection.ts'
import { openSite, type Site } from './browser/site.ts'
import { openChromium, openVisitor, phone, settled } from './browser/visitor.ts'

let site: Site
let browser: Browser

beforeAll(async () => {
  ;[site, browser] = await Promise.all([openSite(), openChromium()])
})

afterAll(async () => {
  await browser.close()
  await site[Symbol.asyncDispose]()
})

/** Besides English, which the first walk is in. */
const languages = ['de', 'es', 'fr', 'pl', 'ru', 'tr', 'uk'] as const

/** Every state of every page, by its address. */
const states = Object.entries(fixtures).flatMap(([path, byName]) =>
  Object.keys(byName).map((name) => `${path}?fixture=${name}`),
)

/** Two windows share the addresses: while one of them loads, the other one is looked at. */
async function walk(addresses: readonly string[], look: (page: Page, address: string) => Promise<string[]>) {
  await using visitor = await openVisitor(browser)
  const left = [...addresses]
  const places = new Map<string, string[]>()
  const walkAlone = async (page: Page) => {
    await watchShifts(page)
    for (let address = left.shift(); address !== undefined; address = left.shift()) {
      for (const fault of await look(page, address)) places.set(fault, [...(places.get(fault) ?? []), address])
    }
  }
  await Promise.all([walkAlone(visitor.page), walkAlone(await visitor.context.newPage())])
  // The same fault on many pages is one fault.
  const found = [...places].map(([fault, [first, ...others]]) => `${fault} at ${first} and ${others.length} others`)
  return [...found, ...visitor.takeFaults()]
}

test('the inspections find what they look for', async () => {
  await using visitor = await openVisitor(browser, { viewport: phone })
  const { page } = visitor
  await watchShifts(page)
  await page.goto(`${site.origin}/sign-in`)
  await settled(page)

  await page.evaluate(() => {
    const field = document.querySelector<HTMLElement>('#email')!
    field
      .closest('form')
      ?.insertAdjacentHTML(
        'beforebegin',
        '<p class="wide">wide</p><button aria-label="Other">Words</button><img src="/favicon.svg"><i style="color: red">pale</i>',
      )
    // By the sheet that is there: the policy refuses every other one.
    const sheet = document.styleSheets[0]!
    sheet.insertRule('.wide { inline-size: 400px; block-size: 300px }', sheet.cssRules.length)
    sheet.insertRule('i { color: #ddd }', sheet.cssRules.length)
    sheet.insertRule('button { block-size: 20px }', sheet.cssRules.length)
  })
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  await page.evaluate(() => console.log('a message'))
  const found = [
    ...(await shiftFaults(page)),
    ...(await overflowFaults(page)),
    ...(await controlFaults(page)),
    ...(await axeFaults(page)),
    ...visitor.takeFaults(),
  ].join('\n')

  expect(found).toContain('moved by')
  expect(found).toContain('px wide in a window of 360')
  expect(found).toContain('is called "other" but shows "words"')
  expect(found).toContain('× 20 px')
  expect(found).toContain('image-alt')
  expect(found).toContain('color-contrast')
  expect(found).toContain('log a message')
  expect(found).toContain('Content Security Policy')
})

test('every state of every page is accessible, in place and quiet: wide and narrow, light and dark', async () => {
  const faults = await walk(states, (page, address) => lookAround(page, site.origin + address))

  expect(states.length).toBeGreaterThan(200)
  expect(faults).toEqual([])
}, 900_000)

/** Two languages for each state: German, whose words are the longest, and one of the others in turn. */
const translated = states.flatMap((state, index) => {
  const others = languages.filter((language) => language !== 'de')
  return ['de', others[index % others.length]].map((language) => `${state}&lang=${language}`)
})

test('every state fits a telephone in German and in another language', async () => {
  const faults = await walk(translated, async (page, address) => {
    await page.setViewportSize(phone)
    await page.goto(site.origin + address)
    await settled(page)
    const checked = /lang=(?:de|ru)$/.test(address) ? await axeFaults(page) : []
    return [...(await shiftFaults(page)), ...(await overflowFaults(page)), ...(await controlFaults(page)), ...checked]
  })

  expect(faults).toEqual([])
}, 900_000)
