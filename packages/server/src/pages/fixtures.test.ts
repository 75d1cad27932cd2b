import { execFile as execFileCallback } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestServer, type TestAnswer, type TestServer } from '../testing.ts'
import { forms, postedForm } from './forms.ts'
import { fixtures } from './testing/fixtures.ts'

const execFile = promisify(execFileCallback)

let server: TestServer
/** Every state of every page, rendered. */
const states: { readonly path: string; readonly state: string; readonly answer: TestAnswer }[] = []

const page = (address: string): Promise<TestAnswer> => server.visitor().request('GET', address)

beforeAll(async () => {
  server = await createTestServer()
  for (const [path, byName] of Object.entries(fixtures))
    for (const state of Object.keys(byName))
      states.push({ path, state, answer: await page(`${path}?fixture=${state}`) })
})
afterAll(() => server[Symbol.asyncDispose]())

test('every state of every page can be looked at in development', () => {
  expect(states.length).toBeGreaterThan(200)
  for (const { path, state, answer } of states) {
    expect(answer.status, `${path} ${state}`).toBe(200)
    expect(answer.text, `${path} ${state}`).toMatch(/<h1[^>]*>(?:<[^>]*>)*[^<]+</)
    const [, title = ''] = /<title>([^<]+)<\/title>/.exec(answer.text) ?? []
    const [, heading = ''] = /<h1\b[^>]*>(.*?)<\/h1>/s.exec(answer.text) ?? []
    expect(title, `${path} ${state}`).toContain(heading.replaceAll(/<[^>]*>/g, '').replaceAll('&#x27;', "'"))
  }
})

test.each(['de', 'es', 'fr', 'pl', 'ru', 'tr', 'uk'])('every page can be looked at in %s', async (language) => {
  for (const [path, byName] of Object.entries(fixtures)) {
    const { status, text } = await page(`${path}?fixture=${Object.keys(byName)[0]}&lang=${language}`)
    expect([status, /<html lang="([^"]+)"/.exec(text)?.[1]], path).toEqual([200, language])
  }
})

test('every form that a page shows is taken where it is posted to', () => {
  const routes = [...new Set(Object.values(forms).flatMap((form) => form.pages))]
  const routeOf = (path: string) =>
    routes.find((route) => new RegExp(`^${route.replaceAll(/:\w+/g, '[^/]+')}$`).test(path)) ?? path
  const shown = new Set<string>()

  for (const { path, state, answer } of states) {
    for (const [form = ''] of answer.text.matchAll(/<form\b.*?<\/form>/gs)) {
      if (!/method="post"/.test(form)) continue
      const action = /action="([^"?]*)/.exec(form)?.[1] ?? path
      const names = [...form.matchAll(/name="form" value="([^"]*)"/g)].map(([, name = '']) => name)
      expect(names.length, `${path} ${state} ${form}`).toBeGreaterThan(0)
      for (const name of names) {
        expect([action, postedForm(routeOf(action), name)], `${path} ${state}`).toEqual([action, name])
        shown.add(name)
      }
    }
  }
  expect(Object.keys(forms).filter((name) => !shown.has(name))).toEqual([])
})

test('the start loads no fixture; development loads them on demand, and production never', async () => {
  expect(await loadedIn('development')).toEqual({
    atStart: [],
    status: 200,
    afterwards: expect.arrayContaining(['checkout-fixtures.ts', 'fixtures.ts']),
  })
  expect(await loadedIn('production')).toEqual({ atStart: [], status: 404, afterwards: [] })
})

/** The modules of `testing` that a process has loaded after its start and after a request for a fixture. */
async function loadedIn(mode: string): Promise<unknown> {
  const program = `
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({
      load(url, context, next) {
        const name = url.split('/pages/testing/')[1]
        if (name) loaded.push(name)
        return next(url, context)
      },
    })
    const { createTollgate } = await import('${new URL('../index.ts', import.meta.url)}')
    const tollgate = await createTollgate()
    const atStart = [...loaded]
    const { status } = await tollgate.handler(
      new Request('https://accounts.example.com/checkout/fixture?fixture=questions'),
    )
    await tollgate.close()
    console.log(JSON.stringify({ atStart, status, afterwards: loaded }))`
  const env = {
    PATH: process.env.PATH,
    TOLLGATE_MODE: mode,
    BASE_URL: 'https://accounts.example.com',
    SECRET: 'a secret of tests that is long enough to be one',
    DATABASE_URL: 'sqlite::memory:',
    LOG_LEVEL: 'silent',
  }
  const { stdout } = await execFile(process.execPath, ['--input-type=module', '--eval', program], { env })
  return JSON.parse(stdout)
}
