import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { pageStory } from './browser/page-story.ts'
import { openSite, type Site } from './browser/site.ts'
import { openChromium } from './browser/visitor.ts'

let site: Site
let browser: Browser

beforeAll(async () => {
  ;[site, browser] = await Promise.all([openSite(), openChromium()])
})

afterAll(async () => {
  await browser.close()
  await site[Symbol.asyncDispose]()
})

pageStory('organizations', () => ({ site, browser }))
