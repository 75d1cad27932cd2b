import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { freePort } from '../testing/free-port.ts'
import { pinned } from './cores.ts'
import type { Job, JobResult } from './job.ts'
import { pause } from './latencies.ts'

/** How a server is started; `PORT` and `BASE_URL` are added. */
export type Program = { readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> }

/** A server that answers. */
export type RunningServer = {
  readonly port: number
  readonly pid: number
  /** Resident memory now and at its highest, in MB; undefined where the system does not tell. */
  memory(): Memory | undefined
  stop(): Promise<void>
}

export type Memory = { readonly now: number; readonly peak: number }

const startSeconds = 30
const children = new Set<ChildProcess>()
// The last resort: whatever ends this program, no server is left behind.
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1))

/** Starts a server on a core and waits until it answers `GET /api/auth/ok`. */
export async function startServer(core: string | undefined, program: Program): Promise<RunningServer> {
  const port = await freePort()
  // Nothing of the caller's environment but where programs are found: settings of the same name would change a server.
  const env = {
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    ...program.env,
    PORT: String(port),
    BASE_URL: `http://localhost:${port}`,
  }
  const [file, args] = pinned(core, process.execPath, program.args)
  const child = spawn(file, args, { cwd: import.meta.dirname, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const said = watch(child)

  const giveUpAt = performance.now() + startSeconds * 1000
  while (!(await answers(port))) {
    if (hasEnded(child)) throw new Error(`The server ended while starting:\n${said()}`)
    if (performance.now() > giveUpAt) {
      await end(child)
      throw new Error(`The server did not answer within ${startSeconds} s:\n${said()}`)
    }
    await pause(0.05)
  }
  const pid = child.pid ?? 0
  return { port, pid, memory: () => memoryOf(pid), stop: () => end(child) }
}

/** Runs the load generator on its core. */
export function runLoad(core: string | undefined, job: Job): Promise<JobResult> {
  return runProgram(core, ['load.ts'], job.warmUp.atMostSeconds + job.seconds, JSON.stringify(job))
}

/** Runs the password hash alone on the server's core. */
export function runHash(
  core: string | undefined,
  kind: 'argon2id' | 'scrypt',
  atOnce: number,
  warmUpSeconds: number,
  seconds: number,
): Promise<JobResult> {
  const args = ['hash.ts', kind, String(atOnce), String(warmUpSeconds), String(seconds)]
  return runProgram(core, args, warmUpSeconds + seconds)
}

async function runProgram(
  core: string | undefined,
  args: readonly string[],
  expectedSeconds: number,
  input = '',
): Promise<JobResult> {
  const [file, argv] = pinned(core, process.execPath, [path.join(import.meta.dirname, args[0] ?? ''), ...args.slice(1)])
  const child = spawn(file, argv, { stdio: ['pipe', 'pipe', 'pipe'] })
  const said = watch(child, 'stderr')
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk
  })
  child.stdin.end(input)
  const tooLong = setTimeout(() => child.kill('SIGKILL'), (expectedSeconds + 30) * 1000)
  const code = await new Promise((resolve) => child.once('close', resolve))
  clearTimeout(tooLong)
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}:\n${said()}`)
  return JSON.parse(output) as JobResult // written by load.ts and hash.ts
}

/** Keeps the end of what a program says, for the error if it fails. */
function watch(child: ChildProcess, ...only: 'stderr'[]): () => string {
  let text = ''
  children.add(child)
  child.once('close', () => children.delete(child))
  child.once('error', (error) => {
    text += error.message
  })
  for (const stream of only.length > 0 ? [child.stderr] : [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text = (text + chunk).slice(-4000)
    })
  }
  return () => text
}

async function end(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  const gone = new Promise((resolve) => child.once('close', resolve))
  child.kill('SIGTERM')
  const tooLong = setTimeout(() => child.kill('SIGKILL'), 10_000)
  await gone
  clearTimeout(tooLong)
}

const hasEnded = (child: ChildProcess): boolean =>
  child.pid === undefined || child.exitCode !== null || child.signalCode !== null

async function answers(port: number): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/api/auth/ok`, { signal: AbortSignal.timeout(2000) })
    await response.body?.cancel()
    return response.ok
  } catch {
    return false // not listening yet
  }
}

function memoryOf(pid: number): Memory | undefined {
  if (process.platform !== 'linux') return undefined
  const status = readFileSync(`/proc/${pid}/status`, 'latin1')
  const megabytes = (name: string) => (Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(status)?.[1]) * 1024) / 1e6
  return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') }
}
