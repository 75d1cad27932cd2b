import { spawn } from 'node:child_process'
import {
  accessSync,
  constants,
  createReadStream,
  createWriteStream,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
} from 'node:fs'
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress } from 'node:zlib'
import { type Browser, chromium, type LaunchOptions } from 'playwright-core'

/** A program that should be a Chromium, and the variables it needs beside those of this process. */
export type ChromiumProgram = { readonly executable: string; readonly env: Readonly<Record<string, string>> }

/** What to do where no Chromium can be had. */
export const howToGetChromium =
  'set CHROMIUM_PATH, or install chromium or google-chrome (Debian: apt-get install --no-install-recommends chromium)'

/** What a test browser does not need: graphics of the machine, and traffic that is not the test's own. */
const flags = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A test leaves its pages before optimized code pays for its compilation.
  '--js-flags=--no-opt',
]

/** A started Chromium, or the reason why there is none. */
export async function launchChromium(
  options: LaunchOptions = {},
): Promise<{ readonly browser: Browser } | { readonly browser: null; readonly reason: string }> {
  const program = await findChromium()
  if ('reason' in program) return { browser: null, reason: program.reason }
  try {
    const browser = await chromium.launch({
      ...options,
      executablePath: program.executable,
      args: [...flags, ...(options.args ?? [])],
      env: { ...process.env, ...program.env, ...options.env },
    })
    return { browser }
  } catch (error) {
    // Playwright's message goes on with pages of log; its first line says what went wrong.
    const why = error instanceof Error ? error.message.split('\n', 1)[0] : String(error)
    return { browser: null, reason: `${program.executable} does not start (${why}); ${howToGetChromium}` }
  }
}

/**
 * The Chromium for tests: `CHROMIUM_PATH`, else the pinned one from npm, which is unpacked once, else one on the PATH or
 * one that Playwright has installed. The pinned one comes before those of the machine, so that every machine tests with
 * the same browser. Nothing is downloaded.
 */
export async function findChromium(): Promise<ChromiumProgram | { readonly reason: string }> {
  const given = process.env.CHROMIUM_PATH
  if (given)
    return isProgram(given) ? { executable: given, env: {} } : { reason: `CHROMIUM_PATH: no program at ${given}` }

  if (process.platform === 'linux' && process.arch === 'x64') return await fromNpm()
  const installed = [...onPath(), ...byPlaywright()].find(isProgram)
  return installed ? { executable: installed, env: {} } : { reason: `no Chromium found; ${howToGetChromium}` }
}

function onPath(): string[] {
  const names = ['chromium', 'google-chrome', 'google-chrome-stable'].map((name) =>
    process.platform === 'win32' ? `${name}.exe` : name,
  )
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean)
  const usual = process.platform === 'darwin' ? ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'] : []
  return [...folders.flatMap((folder) => names.map((name) => path.join(folder, name))), ...usual]
}

/** The version that this Playwright would use, else the newest that some Playwright has left in its folder. */
function byPlaywright(): string[] {
  const folder = process.env.PLAYWRIGHT_BROWSERS_PATH ?? path.join(cacheFolder(), 'ms-playwright')
  const versions = existsSync(folder) ? readdirSync(folder).filter((name) => /^chromium-\d+$/.test(name)) : []
  const newestFirst = versions.sort((a, b) => Number(b.split('-')[1]) - Number(a.split('-')[1]))
  const found = newestFirst.flatMap((version) =>
    ['chrome-linux', 'chrome-linux64'].map((part) => path.join(folder, version, part, 'chrome')),
  )
  return [chromium.executablePath(), ...found].filter((file) => file !== '')
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false // absent or not ours to run: either way it is not the browser to take
  }
}

/**
 * The headless Chromium of the package @sparticuz/chromium with the libraries packed beside it, for machines where
 * nothing but npm can be reached.
 */
async function fromNpm(): Promise<ChromiumProgram | { readonly reason: string }> {
  let packed: string
  let version: string
  try {
    // The package exports neither its archives nor its package.json; both lie beside its entry.
    const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium')
    packed = path.join(path.dirname(entry), '..', 'bin')
    version = (JSON.parse(readFileSync(path.join(packed, '..', 'package.json'), 'utf8')) as { version: string }).version
  } catch (error) {
    return { reason: `the package @sparticuz/chromium is not installed (${String(error)}); ${howToGetChromium}` }
  }
  const folder = path.join(await writableCache(), `chromium-${version}`)
  if (!existsSync(folder)) await unpack(packed, folder)
  return {
    executable: path.join(folder, 'chromium'),
    env: {
      LD_LIBRARY_PATH: [path.join(folder, 'lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':'),
      FONTCONFIG_FILE: path.join(folder, 'fonts.conf'),
    },
  }
}

/** Appears under its name when complete: an interrupted run leaves nothing that looks like a browser. */
async function unpack(packed: string, folder: string): Promise<void> {
  const unfinished = await mkdtemp(`${folder}-`)
  try {
    const program = path.join(unfinished, 'chromium')
    await Promise.all([
      pipeline(
        createReadStream(path.join(packed, 'chromium.br')),
        createBrotliDecompress(),
        createWriteStream(program),
      ),
      unpackTar(path.join(packed, 'al2023.tar.br'), unfinished),
      unpackTar(path.join(packed, 'fonts.tar.br'), unfinished),
    ])
    await chmod(program, 0o755)
    await writeFile(path.join(unfinished, 'fonts.conf'), fontSettings)
    await rename(unfinished, folder)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
}

/** The machine may have neither fonts nor settings for them; the page's own fonts are used wherever it names them. */
const fontSettings = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`

async function unpackTar(archive: string, folder: string): Promise<void> {
  const tar = spawn('tar', ['-x', '--no-same-owner', '-f', '-', '-C', folder], { stdio: ['pipe', 'ignore', 'inherit'] })
  const ended = new Promise<void>((resolve, reject) => {
    tar.once('error', reject)
    tar.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`tar ended with ${code} on ${archive}`))))
  })
  await Promise.all([pipeline(createReadStream(archive), createBrotliDecompress(), tar.stdin), ended])
}

function cacheFolder(): string {
  if (process.platform === 'darwin') return path.join(os.homedir(), 'Library', 'Caches')
  return process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), '.cache')
}

/** The user's cache; where home cannot be written, a folder of this user in the temp folder. */
async function writableCache(): Promise<string> {
  const usual = path.join(cacheFolder(), 'tollgate')
  try {
    await mkdir(usual, { recursive: true })
    accessSync(usual, constants.W_OK)
    return usual
  } catch {
    const other = path.join(os.tmpdir(), `tollgate-cache-${process.getuid?.() ?? 'user'}`)
    await mkdir(other, { recursive: true, mode: 0o700 })
    // Other users can create such a folder in a shared temp folder: their programs are not started.
    if (process.getuid && lstatSync(other).uid !== process.getuid()) throw new Error(`${other} belongs to another user`)
    return other
  }
}
