// Builds the web app when its sources have changed since the last build. Plain JavaScript, because `npm start` calls it
// too, before anything of the server is loaded.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const web = path.join(root, 'apps/web')

/** Inside the build's own folder: who deletes the build deletes the claim that it is there. */
const stamp = path.join(web, 'dist', '.sources')

/** Everything that the build is made of, besides Node itself. */
const sources = [
  'apps/web/src',
  'apps/web/public',
  'apps/web/vite.config.ts',
  'apps/web/package.json',
  'packages/react/src',
  'packages/react/package.json',
  'packages/client/src',
  'packages/client/package.json',
  'packages/contract/src',
  'packages/contract/package.json',
  'package-lock.json',
]

/**
 * Builds apps/web/dist unless it is the build of exactly these sources. Answers whether it had to; throws when the
 * build fails. `force` builds in any case.
 */
export async function buildWebIfChanged({ force = false } = {}) {
  const want = hashOfSources()
  if (!force && existsSync(stamp) && readFileSync(stamp, 'utf8') === want) return false
  rmSync(stamp, { force: true })
  await build()
  writeFileSync(stamp, want)
  return true
}

function hashOfSources() {
  const pages = readdirSync(web).filter((name) => name.endsWith('.html'))
  const files = [...sources, ...pages.map((name) => `apps/web/${name}`)].flatMap(filesUnder).sort()
  const hash = createHash('sha256')
  for (const file of files)
    hash
      .update(`${file}\0`)
      .update(readFileSync(path.join(root, file)))
      .update('\0')
  return hash.digest('hex')
}

/** Tests are left out: changing one changes no page. */
function filesUnder(place) {
  const full = path.join(root, place)
  if (!existsSync(full)) return []
  if (!statSync(full).isDirectory()) return /\.test\.tsx?$/.test(place) ? [] : [place]
  return readdirSync(full).flatMap((name) => filesUnder(`${place}/${name}`))
}

/** Vite runs in a process of its own, so that `npm start` carries none of it afterwards. */
function build() {
  const vite = path.join(root, 'node_modules/vite/bin/vite.js')
  // A NODE_ENV of the caller (a test runner sets one) would put React's development build into the pages.
  const env = { ...process.env, NODE_ENV: 'production' }
  const child = spawn(process.execPath, [vite, 'build', '--app', '--logLevel', 'warn'], {
    cwd: web,
    env,
    stdio: 'inherit',
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      if (code === 0) resolve(undefined)
      else reject(new Error(`The web app could not be built (vite ended with ${code ?? signal})`))
    })
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const built = await buildWebIfChanged({ force: process.argv.includes('--force') })
  console.log(built ? 'Web app built.' : 'Web app is up to date.')
}
