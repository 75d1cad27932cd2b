import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { TollgateConfig } from '../../packages/server/src/foundation/config/config.ts'
import { freePort } from '../../testing/free-port.ts'
import { program } from '../../testing/program.ts'

export type Exit = { readonly code: number | null; readonly signal: NodeJS.Signals | null }

/** `tollgate start` in a process of its own, in an empty folder of its own. */
export type ServerProcess = AsyncDisposable & {
  readonly baseURL: string
  readonly port: number
  readonly child: ChildProcess
  /** What it has printed so far. */
  output(): string
  /** Sends a signal and waits for the end. */
  end(signal?: NodeJS.Signals): Promise<Exit>
  readonly exited: Promise<Exit>
}

export type ServerOptions = {
  readonly databaseUrl: string
  readonly port?: number
  readonly env?: Record<string, string>
  /** Values of the configuration file. */
  readonly config?: TollgateConfig
  /** A module that the process loads first. It can change `node:sqlite` and `pg`, which the tested bundle loads too. */
  readonly preload?: URL
}

/** Starts a server and waits until it can do its work. */
export async function startServer(options: ServerOptions): Promise<ServerProcess> {
  const started = await spawnServer(options)
  try {
    await until(`ready at ${started.baseURL}`, 30_000, async () => {
      if (started.child.exitCode !== null || started.child.signalCode !== null)
        throw new Error(`The server ended at its start:\n${started.output()}`)
      return (await statusOf(`${started.baseURL}/api/health/ready`)) === 200
    })
    return started
  } catch (error) {
    await started[Symbol.asyncDispose]()
    throw error
  }
}

/** Starts a server without waiting, for starts that must fail. */
export async function spawnServer(options: ServerOptions): Promise<ServerProcess> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'tollgate-e2e-'))
  const port = options.port ?? (await freePort())
  const baseURL = `http://127.0.0.1:${port}`
  if (options.config)
    await writeFile(path.join(folder, 'tollgate.config.mjs'), `export default ${JSON.stringify(options.config)}\n`)
  const child = spawn(
    process.execPath,
    [...(options.preload ? ['--import', options.preload.href] : []), program, 'start'],
    {
      cwd: folder,
      // The caller's settings must not reach this server.
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        TOLLGATE_MODE: 'development',
        LOG_FORMAT: 'json',
        LOG_LEVEL: 'warn',
        SECRET: 'a secret of tests that is long enough to be one',
        PORT: String(port),
        BASE_URL: baseURL,
        DATABASE_URL: options.databaseUrl,
        ...options.env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const output = collectOutput(child)
  const exited = endOf(child)
  const end = async (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal)
    return exited
  }
  return {
    baseURL,
    port,
    child,
    output,
    end,
    exited,
    [Symbol.asyncDispose]: async () => {
      await end('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The end of a program that was started here. */
export function endOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal })))
}

/** Keeps what a program says; reading on also keeps its pipes from filling up. */
export function collectOutput(child: ChildProcess): () => string {
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text = (text + chunk).slice(-1_000_000)
    })
  return () => text
}

/** How many times as long as on an idle machine something may take before it counts as lost. */
const patience = 4

/** Asks again and again until the answer is yes; fails with the name of what was waited for. */
export async function until(
  what: string,
  milliseconds: number,
  check: () => Promise<boolean> | boolean,
): Promise<void> {
  const start = performance.now()
  while (!(await check())) {
    if (performance.now() - start > patience * milliseconds)
      throw new Error(`Waited ${patience * milliseconds} ms in vain: ${what}`)
    await wait(20)
  }
}

/** The status of an address, or 0 without an answer. */
export async function statusOf(address: string): Promise<number> {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(5000) })
    await response.arrayBuffer()
    return response.status
  } catch {
    return 0 // not listening yet, or no longer
  }
}
