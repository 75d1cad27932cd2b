import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** The part of a package's manifest that its users see. */
export type Manifest = {
  readonly name: string
  readonly version: string
  readonly license: string
  readonly description: string
  readonly private?: boolean
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>
  readonly files: readonly string[]
  readonly bin?: Readonly<Record<string, string>>
  readonly engines?: Readonly<Record<string, string>>
  readonly publishConfig: { readonly access: string }
  readonly scripts?: unknown
  readonly devDependencies?: unknown
  readonly dependencies?: Readonly<Record<string, string>>
}

/** What a program said until it ended. */
export type Ended = { readonly status: number | null; readonly output: string }

/** An application's folder with our packages installed as from the registry. */
export type Installed = AsyncDisposable & {
  readonly folder: string
  /** Where a file of an installed package is. */
  file(name: string, ...parts: string[]): string
  manifest(name: string): Promise<Manifest>
  /** The files of an installed package, dependencies of its own left out. */
  files(name: string): Promise<string[]>
  write(name: string, text: string): Promise<void>
  /** Runs Node in the folder. */
  node(...args: string[]): Promise<Ended>
  /** Starts `npx …` in the folder. */
  npx(env: Record<string, string>, ...args: string[]): ChildProcess
}

/** The packages, in the order that they build on each other. */
export const packageNames = [
  '@tollgate/contract',
  '@tollgate/client',
  '@tollgate/react',
  '@tollgate/documents-fonts',
  'tollgate',
] as const

/** Builds and packs our packages, and installs the tarballs into an empty folder, without running install scripts. */
export async function installPacked(): Promise<Installed> {
  await done(run(process.execPath, [path.join(root, 'scripts/build.mjs')], root))
  await done(run(process.execPath, [path.join(root, 'scripts/pack.mjs')], root))
  const release = path.join(root, 'release')
  const tarballs = (await readdir(release)).filter((name) => name.endsWith('.tgz'))
  if (tarballs.length !== packageNames.length) throw new Error(`packed: ${tarballs.join(', ')}`)

  const folder = await mkdtemp(path.join(os.tmpdir(), 'tollgate-packed-'))
  const file = (name: string, ...parts: string[]) => path.join(folder, 'node_modules', name, ...parts)
  const { devDependencies } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {
    devDependencies: Record<string, string>
  }
  const types = ['@types/node', '@types/react'].map((name) => `${name}@${devDependencies[name]}`)
  await writeFile(path.join(folder, 'package.json'), '{ "name": "application", "private": true, "type": "module" }\n')
  // What the repository has installed is in npm's cache; only what is missing there is asked for.
  const options = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
  const paths = tarballs.map((name) => path.join(release, name))
  await done(npm(['install', ...options, ...paths, ...types], folder))

  return {
    folder,
    file,
    manifest: async (name) => JSON.parse(await readFile(file(name, 'package.json'), 'utf8')) as Manifest,
    files: async (name) => {
      const entries = await readdir(file(name), { recursive: true, withFileTypes: true })
      return entries
        .filter((entry) => entry.isFile())
        .map((entry) => path.relative(file(name), path.join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
        .filter((place) => !place.startsWith('node_modules/'))
    },
    write: (name, text) => writeFile(path.join(folder, name), text),
    node: (...args) => ended(run(process.execPath, args, folder)),
    npx: (env, ...args) => npm(['exec', '--no', '--', ...args], folder, env),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

/** The npm that runs these tests, or the system's. */
function npm(args: readonly string[], folder: string, env: Record<string, string> = {}): ChildProcess {
  const { npm_execpath: script } = process.env
  return script ? run(process.execPath, [script, ...args], folder, env) : run('npm', args, folder, env)
}

function run(
  file: string,
  args: readonly string[],
  folder: string,
  further: Record<string, string> = {},
): ChildProcess {
  // The Node of these tests first on the PATH, and nothing of the test run's own settings.
  const mine = Object.entries(process.env).filter(
    ([name]) =>
      !/^(npm_|VITEST|TEST|TOLLGATE_|NODE_ENV$|NODE_OPTIONS$|PORT$|BASE_URL$|DATABASE_URL$|SECRET)/.test(name),
  )
  const env = {
    ...Object.fromEntries(mine),
    PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env.PATH ?? ''}`,
    ...further,
  }
  return spawn(file, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
}

/** Waits until a program, and everything that it started, has let go of its output. */
export function ended(child: ChildProcess): Promise<Ended> {
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (text) => {
      output += String(text)
    })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (status) => resolve({ status, output }))
  })
}

async function done(child: ChildProcess): Promise<void> {
  const { status, output } = await ended(child)
  if (status !== 0) throw new Error(`${child.spawnargs.join(' ')} ended with ${status}:\n${output}`)
}
