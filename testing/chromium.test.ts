import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
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
})

test('where a browser is pinned, it comes before one of the machine', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tollgate-path-'))
  const ofTheMachine = path.join(folder, 'chromium')
  writeFileSync(ofTheMachine, '', { mode: 0o755 })
  vi.stubEnv('CHROMIUM_PATH', undefined)
  vi.stubEnv('PATH', `${folder}${path.delimiter}${process.env.PATH}`)

  const found = await findChromium()

  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
  const isPinned = process.platform === 'linux' && process.arch === 'x64'
  expect(found).toMatchObject({
    executable: isPinned ? expect.stringMatching(/chromium-[\d.]+\/chromium$/) : ofTheMachine,
  })
})

test('a CHROMIUM_PATH that is no program is named, and nothing else is taken in its place', async () => {
  vi.stubEnv('CHROMIUM_PATH', '/nowhere/chromium')

  const found = await findChromium()

  vi.unstubAllEnvs()
  expect(found).toEqual({ reason: 'CHROMIUM_PATH: no program at /nowhere/chromium' })
})
