import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createTestServer } from '../testing.ts'
import { loadWebBuild, readWebBuild } from './build.ts'
import { missingBuildAnswer } from './document.ts'

const kilobyte = 1024
const build = loadWebBuild()!

const weight = (text: string | Uint8Array) => gzipSync(text, { level: 9 }).length
const scriptWeight = (address: string) => weight(build.assets.get(address)?.body ?? '')

test.each(['sign-in', 'sign-up'] as const)('the load of the %s page stays small', (name) => {
  const scripts = build.scripts(name)

  expect(scripts.map(scriptWeight).reduce((sum, size) => sum + size)).toBeLessThan(90 * kilobyte)
  expect(weight(build.style('front-door'))).toBeLessThan(5 * kilobyte)
})

test('the additional load of the account stays small', () => {
  const [entry = ''] = build.scripts('account')

  expect(scriptWeight(entry)).toBeLessThan(12 * kilobyte)
  expect(weight(build.style('account'))).toBeLessThan(6 * kilobyte)
})

test('the additional load of the pages of organizations and of joining them stays small', () => {
  const [organization = ''] = build.scripts('organization')
  const [joining = ''] = build.scripts('joining')

  expect(scriptWeight(organization)).toBeLessThan(25 * kilobyte)
  expect(weight(build.style('organization'))).toBeLessThan(8.8 * kilobyte)
  expect(scriptWeight(joining)).toBeLessThan(4 * kilobyte)
})

test.each(['checkout', 'receipt', 'pay'] as const)('the load of the %s page stays small', (name) => {
  const scripts = build.scripts(name)

  expect(scripts.map(scriptWeight).reduce((sum, size) => sum + size)).toBeLessThan(100 * kilobyte)
  expect(weight(build.style('checkout'))).toBeLessThan(7 * kilobyte)
})

test.each(['/sign-in', '/sign-up', '/forgot-password', '/reset-password?token=x', '/verify-email?error=x', '/error'])(
  '%s weighs at most 8 kB in every language, its style included',
  async (address) => {
    await using server = await createTestServer()
    const separator = address.includes('?') ? '&' : '?'

    for (const locale of build.pageLocales) {
      const { text } = await server.visitor().request('GET', `${address}${separator}lang=${locale}`)
      expect(weight(text), locale).toBeLessThan(8 * kilobyte)
    }
  },
)

const listAndItem = (list: string) => [`/dashboard/northwind/${list}`, `/dashboard/northwind/${list}/some`]

test('the first load of the dashboard is limited, and each of its pages small', () => {
  const { scripts, styles, pageScripts, texts } = build.dashboard
  const weigh = (addresses: readonly string[]) => addresses.map(scriptWeight).reduce((sum, size) => sum + size, 0)
  const editors = ['products', 'discounts', 'checkout-links', 'custom-fields', 'meters']
  const others = [
    '/admin/users',
    '/admin/users/somebody',
    '/admin/organizations',
    '/admin/organizations/some',
    '/admin/audit',
    '/dashboard/northwind',
    ...['customers', 'orders', 'subscriptions'].flatMap(listAndItem),
    ...[...editors, 'payments', 'tokens', 'webhooks'].map((name) => `/dashboard/northwind/${name}`),
  ]
  // The picture of the page is there before its scripts. Editors also load the schemas with which they check.
  const limits = [
    ...others.map((path) => [path, 241] as const),
    // That of products takes pictures, too.
    ...editors.map((list) => [`/dashboard/northwind/${list}/some`, list === 'products' ? 284 : 276] as const),
    // They compute the colors of their preview, too.
    ['/dashboard/northwind/settings', 282] as const,
    ['/admin/brand', 280] as const,
  ]

  expect(weigh(styles)).toBeLessThan(40 * kilobyte)
  for (const [path, limit] of limits) {
    const addresses = pageScripts(path)
    expect(addresses.length).toBeGreaterThan(0)
    expect(weigh([...scripts, ...addresses]), path).toBeLessThan(limit * kilobyte)
    expect([...scripts, ...styles, ...addresses].length).toBeLessThan(15)
  }
  for (const path of ['/admin/no/such', '/dashboard/northwind/no/such']) expect(pageScripts(path)).toEqual([])
  expect(texts('en')).toEqual([])
  expect(weigh(texts('de'))).toBeLessThan(36 * kilobyte)
})

test('scripts hold no language and no development code', () => {
  const names = ['sign-in', 'sign-up', 'mail-door', 'account', 'organization', 'joining', 'checkout', 'pay'] as const
  for (const address of new Set(names.flatMap((name) => build.scripts(name)))) {
    const text = build.assets.get(address)?.body.toString('utf8') ?? ''
    expect(text.length).toBeGreaterThan(0)
    expect(text).not.toMatch(/Forgot password|Passwort vergessen|Add a discount code/)
    expect(text).not.toMatch(/jsxDEV|react-stack-top-frame/)
  }
})

test('every page begins with Latin letters, and with those of its language', () => {
  expect(build.fonts('en')).toEqual([expect.stringMatching(/^\/assets\/onest-latin-wght-/)])
  expect(build.dashboard.fonts).toEqual([expect.stringMatching(/^\/assets\/onest-latin-wght-/)])
  expect(build.fonts('uk')[1]).toMatch(/^\/assets\/onest-cyrillic-/)
  expect(build.fonts('tr')[1]).toMatch(/^\/assets\/onest-latin-ext-/)
})

test('a build that is not whole is refused at start', () => {
  expect(() => readWebBuild(mkdtempSync(path.join(tmpdir(), 'no-build-')))).toThrow('manifest.json')
})

test('without a build the pages explain what to do', async () => {
  const answer = missingBuildAnswer()

  expect(answer.status).toBe(503)
  expect(answer.headers.get('retry-after')).toBe('10')
  expect(await answer.text()).toContain('npm run build')
})
