import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../testing/free-port.ts'
import { ended, type Installed, installPacked, packageNames } from './installed.ts'

let installed: Installed

/** What the compiler left of a module that was renamed since the last build. */
const leftover = path.join(import.meta.dirname, '../../packages/client/dist/renamed-since.js')

beforeAll(async () => {
  mkdirSync(path.dirname(leftover), { recursive: true })
  writeFileSync(leftover, '')
  installed = await installPacked()
}, 600_000)

afterAll(async () => {
  rmSync(leftover, { force: true })
  await installed?.[Symbol.asyncDispose]()
})

describe.each(packageNames)('%s', (name) => {
  test('names its content and may be published', async () => {
    const manifest = await installed.manifest(name)

    expect(manifest).toMatchObject({ name, license: 'MIT', publishConfig: { access: 'public' } })
    expect(manifest.version).toMatch(/^\d+\.\d+\.\d+$/)
    expect(manifest.description).not.toBe('')
    expect([manifest.private, manifest.scripts, manifest.devDependencies]).toEqual([undefined, undefined, undefined])
    for (const place of [...manifest.files, 'LICENSE'])
      expect(existsSync(installed.file(name, place)), place).toBe(true)
  })

  test('exports the build, with types', async () => {
    const { exports } = await installed.manifest(name)

    for (const [entry, target] of Object.entries(exports)) {
      const targets = typeof target === 'string' ? [target] : [target.types, target.default]
      const endings = typeof target === 'string' ? ['.css'] : ['.d.ts', '.js']
      expect(targets.map((each) => each.startsWith('./dist/'))).not.toContain(false)
      expect(targets.map((each, index) => each.endsWith(endings[index]!))).not.toContain(false)
      for (const each of targets.filter((one) => !one.includes('*')))
        expect(existsSync(installed.file(name, each)), `${entry}: ${each}`).toBe(true)
    }
  })

  test('asks for published versions, not for folders', async () => {
    const { dependencies = {} } = await installed.manifest(name)

    for (const [dependency, version] of Object.entries(dependencies))
      expect(version, dependency).toMatch(/^\d+\.\d+\.\d+$/)
  })

  test('brings no TypeScript to run, no test and nothing of the repository', async () => {
    const files = await installed.files(name)

    expect(files.filter((file) => /(?<!\.d)\.tsx?$|\.test\.|\.tsbuildinfo$|^src\//.test(file))).toEqual([])
    expect(files.filter((file) => file.includes('renamed-since'))).toEqual([])
    expect(files.length).toBeGreaterThan(4)
  })
})

test('the server is installed once, with a command and the Node that it needs', async () => {
  const manifest = await installed.manifest('tollgate')

  expect(manifest.bin).toEqual({ tollgate: 'bin/tollgate.js' })
  expect(manifest.engines).toEqual({ node: '>=24.7' })
  expect(existsSync(installed.file('tollgate', 'node_modules'))).toBe(false)
  expect(existsSync(installed.file('tollgate', 'web/ssr/server.js'))).toBe(true)
  expect(existsSync(installed.file('tollgate', 'web/dashboard-server/server.js'))).toBe(true)
  // The server is a bundle, and says whose work is in it.
  const notices = readFileSync(installed.file('tollgate', 'dist/program/third-party-licences.txt'), 'utf8')
  expect(notices).toMatch(/^hono [\d.]+ \(MIT\)[\s\S]+^zod [\d.]+ \(MIT\)/m)
})

test('an application gets types, and the compiler reports misuse', async () => {
  await installed.write(
    'application.ts',
    `import { createTollgateClient } from '@tollgate/client'
    import { errors } from '@tollgate/contract/calls'
    import { UserButton } from '@tollgate/react'
    import { en } from '@tollgate/react/locales/en'
    import { createTollgate, defineConfig } from 'tollgate'

    const { api, handler } = await createTollgate(defineConfig({ appName: 'Notes' }))
    export const name: string | undefined = (await api.getSession())?.user.name
    export const answer: Response = await handler(new Request('http://localhost:3000/'))
    export const status: 422 = errors.USER_ALREADY_EXISTS.status
    export const texts: string = en.signIn.title
    // @ts-expect-error
    export const text: string = en.signIn.headline
    export const button: typeof UserButton = UserButton
    export const { data } = await createTollgateClient().signInEmail({ email: 'a@b.co', password: 'secret' })
    // @ts-expect-error
    defineConfig({ appName: 1 })
    // @ts-expect-error
    export const wrong: number | undefined = (await api.getSession())?.user.name
    // @ts-expect-error
    await createTollgateClient().signInEmail({ email: 'a@b.co' })
    // @ts-expect-error
    export const element = UserButton({ links: 'none' })
    `,
  )
  await installed.write(
    'tsconfig.json',
    JSON.stringify({
      compilerOptions: {
        ...{ module: 'NodeNext', target: 'ES2024', lib: ['ES2024', 'DOM', 'ESNext.Disposable'], types: ['node'] },
        ...{ strict: true, exactOptionalPropertyTypes: true, skipLibCheck: true, noEmit: true },
      },
      files: ['application.ts'],
    }),
  )
  const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))

  expect(await installed.node(tsc, '-p', '.')).toEqual({ status: 0, output: '' })
})

test('an application signs people up through createTollgate, on JavaScript alone', async () => {
  await installed.write(
    'application.mjs',
    `import { createTollgate } from 'tollgate'
    import { createTollgateClient } from '@tollgate/client'
    import '@tollgate/react'
    import { en } from '@tollgate/react/locales/en'

    const tollgate = await createTollgate({}, { env: { DATABASE_URL: 'sqlite::memory:', LOG_LEVEL: 'warn' } })
    const body = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' }
    const { response, headers } = await tollgate.api.signUpEmail({ body, returnHeaders: true })
    const cookie = headers.getSetCookie().map((line) => line.split(';')[0]).join('; ')
    const client = createTollgateClient({
      baseURL: 'http://localhost:3000',
      fetch: (address, init) => tollgate.handler(new Request(address, init)),
    })
    const { data } = await client.getSession({}, { headers: { cookie } })
    const page = await tollgate.handler(new Request('http://localhost:3000/sign-up'))
    console.log(response.user.email, data.user.name, page.status, en.signIn.submit)
    await tollgate.close()
    `,
  )
  // Type stripping off: a file of TypeScript anywhere on the way would be a failure.
  const answer = await installed.node('--no-experimental-strip-types', 'application.mjs')

  expect(answer).toEqual({ status: 0, output: 'ada@example.com Ada 200 Sign in\n' })
})

test('`npx tollgate dev` serves pages and sign-up, and ends on a signal', async () => {
  const port = await freePort()
  const address = `http://localhost:${port}`
  const child = installed.npx({ PORT: String(port) }, 'tollgate', 'dev')
  const end = ended(child)
  try {
    await new Promise<void>((resolve, reject) => {
      child.stdout?.on('data', (text) => {
        if (String(text).includes('/sign-up')) resolve()
      })
      end.then(({ output }) => reject(new Error(output)), reject)
    })

    const page = await fetch(`${address}/sign-up`)
    const html = await page.text()
    const script = /\/assets\/[^"]+\.js/.exec(html)?.[0]
    const signUp = await fetch(`${address}/api/auth/sign-up/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' }),
    })

    expect([page.status, script === undefined]).toEqual([200, false])
    expect((await fetch(address + script)).status).toBe(200)
    // A chunk of its own, loaded on demand.
    expect((await fetch(`${address}/account?fixture=idle`, { redirect: 'manual' })).status).toBe(200)
    expect(signUp.status).toBe(200)
    expect(await signUp.json()).toMatchObject({ user: { email: 'ada@example.com' } })
    expect(existsSync(path.join(installed.folder, 'data/tollgate.db'))).toBe(true)
  } finally {
    child.kill('SIGTERM')
  }
  await end // the pipe closes when the server itself has gone, not just npx
  await expect(fetch(address)).rejects.toThrow()
})

test('a shop sells with the parts that load on demand: its list pages, its invoices as PDF', async () => {
  const invoice = await sellAndRead({ PORT: String(await freePort()), DATABASE_URL: 'sqlite:shop.db' })

  expect(invoice).toMatchObject({ statuses: [0, 200, 200, 200], rows: 5, begins: '%PDF-' })
})

test('without the optional package the server makes invoices, and says what it lacks', async () => {
  rmSync(installed.file('@tollgate/documents-fonts'), { recursive: true })
  const port = await freePort()
  const env = { PORT: String(port), DATABASE_URL: 'sqlite:plain.db' }
  const checked = await ended(installed.npx(env, 'tollgate', 'doctor', '--json'))
  const invoice = await sellAndRead(env)

  expect(checked.output).toContain('install @tollgate/documents-fonts for other scripts')
  expect(invoice).toMatchObject({ statuses: [0, 200, 200, 200], rows: 5, begins: '%PDF-' })
})

/** Starts a shop of its own, and reads the list of its orders and the invoice of one. */
async function sellAndRead(env: { readonly PORT: string; readonly DATABASE_URL: string }) {
  const seeded = await ended(installed.npx(env, 'tollgate', 'seed', '--json'))
  const { token } = JSON.parse(seeded.output.slice(seeded.output.indexOf('{'))).shop as { token: string }
  const child = installed.npx(env, 'tollgate', 'dev')
  const end = ended(child)
  const asSeller = async (path: string) => {
    const answer = await fetch(`http://localhost:${env.PORT}/v1/${path}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    return { status: answer.status, body: await answer.json() }
  }
  try {
    await new Promise<void>((resolve) => {
      child.stdout?.on('data', (text) => String(text).includes('/sign-up') && resolve())
      end.then(() => resolve())
    })

    const orders = await asSeller('orders/?sorting=customer&limit=5')
    const { status, body } = await asSeller(`orders/${orders.body.items?.[0]?.id}/invoice`)
    const document = await fetch(body.url)
    return {
      statuses: [seeded.status, orders.status, status, document.status],
      rows: orders.body.items.length,
      begins: (await document.text()).slice(0, 5),
    }
  } finally {
    child.kill('SIGTERM')
    await end
  }
}
