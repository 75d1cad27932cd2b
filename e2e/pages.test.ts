import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeFaults, controlFaults, overflowFaults, shiftFaults, watchShifts } from './browser/inspection.ts'
import { pageStory } from './browser/page-story.ts'
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

test('the inspections find their faults', async () => {
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

pageStory('people', () => ({ site, browser }))
