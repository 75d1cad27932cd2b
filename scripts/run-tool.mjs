import { spawn } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** The repository's folder. */
export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

const tools = {
  tsc: 'node_modules/typescript/bin/tsc',
  biome: 'node_modules/@biomejs/biome/bin/biome',
  knip: 'node_modules/knip/bin/knip.js',
  vitest: 'node_modules/vitest/vitest.mjs',
}

const running = new Set()

/** Runs an installed tool on this very Node with its output shown as it comes; answers whether it ended well. */
export function runTool(name, args, env = {}) {
  const child = spawn(process.execPath, [path.join(root, tools[name]), ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  running.add(child)
  return new Promise((resolve) => {
    child.once('error', (error) => {
      console.error(`${name} does not start: ${error.message}`)
      resolve(false)
    })
    child.once('exit', (code) => resolve(code === 0))
  }).finally(() => {
    running.delete(child)
  })
}

/** Asks the tools that run now to end. */
export function stopTool(signal) {
  for (const child of running) child.kill(signal)
}
