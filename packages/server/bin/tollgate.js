#!/usr/bin/env node
// Plain JavaScript for any Node: finds a Node that can run the program, then runs it.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import module from 'node:module'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'

// Absent from older versions, which only get as far as starting another one.
const { enableCompileCache } = module

const [major, minor] = process.versions.node.split('.').map(Number)
const source = new URL('../src/cli/main.ts', import.meta.url) // in the repository
const built = new URL('../dist/program/main.js', import.meta.url) // in the published package

// What counts only from the start of a program: this one replaces itself to have it, keeping its process id.
// Threads that hash passwords and sync the database's log. No more than there are cores: more of them take turns, and one
// that has slept is let run for a whole tick before the thread that answers.
const cores = availableParallelism?.() ?? 4
const environment = {
  UV_THREADPOOL_SIZE: String(Math.min(4, cores)),
  // glibc keeps freed memory for each thread; what is as large as a password hash's goes back to the system.
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
  ...process.env,
}
// Left to itself, the space for short-lived objects grows past 100 MB under load; answers as small as ours need this much.
const youngGeneration = '--max-semi-space-size=2'
// On one core a collector that waits for its helpers waits behind the hashes.
const flags = cores === 1 ? [youngGeneration, '--single-threaded-gc'] : [youngGeneration]
// A later Node may not know these and would refuse to start with them.
if (major === 24)
  flags.push(
    // Left to itself, V8 puts off collecting short-lived objects while it marks old ones, and then keeps what piled up: tens
    // of megabytes each time under load, and longer pauses.
    '--no-separate-gc-phases',
    // Left to itself, it lets what outlived its request pile up to twice what the server needs before it collects it, and
    // several times that before the first time: 40 MB is what the server has when it has started.
    '--initial-old-space-size=40',
    '--heap-growing-percent=40',
  )

if (major > 24 || (major === 24 && minor >= 7)) {
  if (process.execve && process.platform !== 'win32' && !process.execArgv.includes(youngGeneration)) {
    process.execve(
      process.execPath,
      [process.execPath, ...flags, ...process.execArgv, ...process.argv.slice(1)],
      environment,
    )
  }
  // Compiled code is kept between starts: from TypeScript that halves the time and saves a compiler's memory.
  const cache = fileURLToPath(new URL('../../../node_modules/.cache/tollgate', import.meta.url))
  enableCompileCache?.(existsSync(source) ? cache : undefined)
  await import((existsSync(source) ? source : built).href)
} else {
  const pinned = fileURLToPath(new URL('../../../node_modules/.bin/node', import.meta.url))
  // TOLLGATE_PINNED keeps it from calling itself for ever when the pinned Node is itself too old.
  if (process.env.TOLLGATE_PINNED || !existsSync(pinned)) {
    console.error(`tollgate needs Node 24.7 or newer; this is ${process.version}.`)
    process.exit(2)
  }
  const child = spawn(pinned, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, TOLLGATE_PINNED: '1' },
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
}
