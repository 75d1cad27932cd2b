// Installs the bench's own locked packages when they are missing, then measures. Plain JavaScript: runs before anything
// is installed here.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const folder = import.meta.dirname
const stamp = path.join(folder, 'node_modules', '.bench-installed')
const want = createHash('sha256')
  .update(readFileSync(path.join(folder, 'package-lock.json')))
  .update(`${process.platform}-${process.arch}`)
  .digest('hex')

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== want) {
  const npm = process.env.npm_execpath
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts']
  const [file, argv] = npm ? [process.env.npm_node_execpath ?? process.execPath, [npm, ...args]] : ['npm', args]
  console.log('Installing the packages of the bench …')
  const { status } = spawnSync(file, argv, { cwd: folder, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
  writeFileSync(stamp, want)
}

await import('./main.ts')
