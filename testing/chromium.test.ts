import { expect, test, vi } from 'vitest'
import { findChromium, launchChromium } from './chromium.ts'

test('the browser found opens a page and runs its script', async () => {
  const started = await launchChromium()
  if (started.browser === null) throw new Error(started.reason)

  const page = await started.browser.newPage()
  await page.goto('about:blank')
  const sum = await page.evaluate('1 + 1')
  await started.browser.close()

  expect(sum).toBe(2)
}, 60_000)

test('a CHROMIUM_PATH that is no program is named, and nothing else is taken in its place', async () => {
  vi.stubEnv('CHROMIUM_PATH', '/nowhere/chromium')

  const found = await findChromium()

  vi.unstubAllEnvs()
  expect(found).toEqual({ reason: 'CHROMIUM_PATH: no program at /nowhere/chromium' })
})
