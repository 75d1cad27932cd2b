import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listen } from '../packages/server/src/app/node.ts'
import { commands } from '../packages/server/src/cli/commands.ts'
import { createTestMerchant } from '../packages/server/src/features/billing/testing/merchant.ts'
import { environment } from '../packages/server/src/foundation/config/config.ts'
import { createTestServer } from '../packages/server/src/testing.ts'
import { freePort } from '../testing/free-port.ts'
import { type Block, blocksOf, headingsOf, linksOf } from './docs/markdown.ts'
import { generatedPages } from './docs/pages.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const inFolder = (folder: string) => readdirSync(path.join(root, folder)).map((name) => `${folder}/${name}`)

const guides = inFolder('docs').filter((file) => file.endsWith('.md'))
const readmes = inFolder('examples').flatMap((place) =>
  [place.endsWith('.md') ? place : `${place}/README.md`].filter((file) => existsSync(path.join(root, file))),
)
const pages = [...guides, ...readmes]
const blocks = pages.flatMap((file) => blocksOf(file, read(file)))

test.each(Object.entries(generatedPages()))('docs/%s is up to date (else: node scripts/docs.mjs)', (name, text) => {
  expect(read(`docs/${name}`)).toBe(text)
})

test.each(pages)('every link of %s leads to something', (file) => {
  const broken = linksOf(read(file)).filter((link) => {
    const [place = '', heading] = link.split('#')
    const target = place === '' ? file : path.posix.join(path.posix.dirname(file), decodeURIComponent(place))
    if (!existsSync(path.join(root, target))) return true
    return heading !== undefined && !headingsOf(read(target)).includes(heading)
  })

  expect(broken).toEqual([])
})

describe('commands', () => {
  const lines = pages.flatMap((file) =>
    [...read(file).matchAll(/(?:npx |`|\bexec )tollgate ([a-z][^`\n]*)/g)].map((found) => ({ file, words: found[1]! })),
  )

  test('are found', () => expect(lines.length).toBeGreaterThan(10))

  test.each(lines)('$file: tollgate $words', ({ words }) => {
    const command = commands.find(({ name }) => words === name || words.startsWith(`${name} `))
    const options = words.match(/--[a-z-]+/g) ?? []

    expect(command).toBeDefined()
    expect(options.filter((option) => !command!.usage.includes(option))).toEqual([])
  })

  test('settings in shell lines are known', () => {
    const others = ['NODE_ENV']
    const shell = blocks.filter(({ language }) => language === 'sh').map(({ text }) => text)
    const set = shell.flatMap((text) => [...text.matchAll(/(?:^|\s)([A-Z][A-Z_]+)=/gm)].map((found) => found[1]!))

    expect(set.length).toBeGreaterThan(4)
    expect(set.filter((name) => !(name in environment) && !others.includes(name))).toEqual([])
  })
})

const code = blocks.filter(({ language }) => /^tsx?$/.test(language))

/** Those of which the repository has the packages too; the others install frameworks of their own. */
const examples = ['examples/hono/server.ts', 'examples/react/*.ts', 'examples/react/src/*']

test('code in guides and examples fits its types', async () => {
  using folder = sourceFolder()
  for (const [index, { language, text }] of code.entries()) {
    writeFileSync(path.join(folder.path, `${index}.${language}`), `${text}\nexport {}\n`)
  }
  // Frameworks of which the repository installs none; everything else is checked for what it is.
  writeFileSync(path.join(folder.path, 'frameworks.d.ts'), "declare module 'express'\n")
  writeFileSync(
    path.join(folder.path, 'tsconfig.json'),
    JSON.stringify({
      extends: path.join(root, 'tsconfig.base.json'),
      compilerOptions: {
        ...{ lib: ['ESNext', 'DOM', 'DOM.Iterable'], noImplicitAny: false, exactOptionalPropertyTypes: false },
        types: ['node', 'vite/client'],
      },
      include: [`${folder.path}/*`, ...examples.map((file) => path.join(root, file))],
    }),
  )
  const { status, output } = await node([path.join(root, 'node_modules/typescript/bin/tsc'), '-p', folder.path], root)

  // Which block that is: their numbers are the files' names.
  const names = code.map(({ file, line }, index) => `${index}: ${file}:${line}`).join('\n')
  expect(status, `${output}\n${names}`).toBe(0)
})

const programs = code.filter(({ runs }) => runs)

/** A page is read from its top to its end: each of its programs finds on the server what those before it have made. */
describe.each([...new Set(programs.map(({ file }) => file))])('code of %s with its printed output', (page) => {
  const origin = 'http://localhost:3000'
  const cleanup = new AsyncDisposableStack()
  let token: string
  let port: number

  beforeAll(async () => {
    port = await freePort()
    const env = { PORT: String(port), BASE_URL: `http://localhost:${port}` }
    const server = cleanup.use(await createTestServer({}, { env }))
    const running = await listen(server.tollgate)
    cleanup.defer(() => void running.server.close())
    cleanup.defer(() => running.server.closeAllConnections())
    ;({ token } = await createTestMerchant(server))
    const jobs = setInterval(() => void server.tollgate.internals.ctx.jobs.runDue(), 100)
    cleanup.defer(() => clearInterval(jobs))
  })
  afterAll(() => cleanup.disposeAsync())

  test.each(programs.filter(({ file }) => file === page))(
    '$file:$line',
    async ({ text, printed = '' }: Block) => {
      using folder = sourceFolder()
      const file = path.join(folder.path, 'block.ts')
      writeFileSync(file, text.replaceAll(origin, `http://localhost:${port}`))
      using place = temporaryFolder()
      if (text.includes("'cover.png'")) writeFileSync(path.join(place.path, 'cover.png'), smallestPicture)
      // A process with Tollgate inside knows no such setting.
      const ended = await node([file], place.path, text.includes('TOLLGATE_TOKEN') ? { TOLLGATE_TOKEN: token } : {})
      const output = ended.output.replaceAll(`http://localhost:${port}`, origin)
      expect({ ...ended, output }).toEqual({ status: 0, output: expect.stringMatching(asPrinted(printed)) })
    },
    600_000,
  )
})

/** What is printed, to the letter; `…` stands for what is another text each time. */
const asPrinted = (printed: string): RegExp =>
  new RegExp(`^${printed.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '\\S+')}\n$`)

/** One white point, as PNG. */
const smallestPicture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAsTj2FAAAAABJRU5ErkJggg==',
  'base64',
)

function temporaryFolder(): Disposable & { readonly path: string } {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tollgate-docs-'))
  return { path: folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) }
}

/** A folder inside the repository, so that its packages are found; ignored by git, and gone afterwards. */
function sourceFolder(): Disposable & { readonly path: string } {
  const cache = path.join(root, '.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(path.join(cache, 'docs-'))
  return { path: folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) }
}

function node(
  args: readonly string[],
  folder: string,
  more: Readonly<Record<string, string>> = {},
): Promise<{ status: number | null; output: string }> {
  // Without what the test runner sets: it has a BASE_URL of its own.
  const mine = Object.entries(process.env).filter(([name]) => name !== 'NODE_ENV' && !(name in environment))
  const env = { ...Object.fromEntries(mine), LOG_LEVEL: 'error', ...more }
  const child = spawn(process.execPath, args, { cwd: folder, env })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      output += String(text)
    })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (status) => resolve({ status, output }))
  })
}
