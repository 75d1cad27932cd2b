// Installs what is missing, and nothing otherwise. Plain JavaScript for Node >= 18 with nothing installed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const stamp = path.join(root, 'node_modules', '.tollgate-installed')
const want = createHash('sha256')
  .update(readFileSync(path.join(root, 'package-lock.json')))
  .update(`${process.platform}-${process.arch}`)
  .digest('hex')

const installed = existsSync(stamp) ? readFileSync(stamp, 'utf8') : undefined

if (installed !== want) {
  // The npm that runs us, on the Node that runs it: `npm ci` is about to delete node_modules/.bin/node.
  const npm = process.env.npm_execpath
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts']
  const [file, argv] = npm ? [process.env.npm_node_execpath ?? process.execPath, [npm, ...args]] : ['npm', args]
  const why = installed === undefined ? 'first start' : 'others than before'
  console.log(`Installing packages (${why}, about a minute) …`)
  const { status } = spawnSync(file, argv, { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
  writeFileSync(stamp, want)
}
