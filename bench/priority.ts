import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { openAccounts } from './accounts.ts'
import { quietStream, sessionStream, signInStream } from './cases.ts'
import { findCores, moveSelf, pinned } from './cores.ts'
import type { Stream } from './job.ts'
import { pause } from './latencies.ts'
import { type RunningServer, runLoad, startServer } from './programs.ts'
import { programOf, type Server, servers } from './servers.ts'

/*
 * Which niceness the threads that hash passwords should have. On one core, for each niceness: the p99 of a few sign-ins a
 * second alone, while get-session saturates the core, and while another process of the same session does; and the p99 of
 * get-session alone and in a storm of sign-ins. `node bench/priority.ts [NICENESS …]`, after `npm run build`.
 */

const seconds = 10
/** Few enough that hashing is a small part of the core. */
const signInsPerSecond = 10
/** What a latency may be of its idle value, in each direction. */
const bar = 20
const warmUp = { seconds: 1, answers: 100, atMostSeconds: 5 }

const given = process.argv.slice(2).map(Number)
const cores = findCores()
moveSelf(cores.load)
const tollgate = serverNamed('tollgate')

console.log('niceness | sign-in p99: idle, busy with get-session, busy with a neighbour | get-session p99: idle, storm')
for (const niceness of given.length > 0 ? given : [0, 5, 10, 15, 19]) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tollgate-bench-'))
  const running = await startServer(cores.server, programOf(tollgate, `sqlite:${path.join(folder, 'bench.db')}`))
  try {
    await measure(running, niceness)
  } finally {
    await running.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

function serverNamed(wanted: string): Server {
  const server = servers.find(({ name }) => name === wanted)
  if (!server) throw new Error(`bench/servers.ts has no ${wanted}`)
  return server
}

async function measure(running: RunningServer, niceness: number): Promise<void> {
  const { port, pid } = running
  const accounts = await openAccounts(tollgate, port)
  setHashingNiceness(pid, niceness)
  const fewSignIns = { ...signInStream(port, accounts), perSecond: signInsPerSecond }
  const p99 = async (...streams: Stream[]): Promise<number> =>
    (await runLoad(cores.load, { port, pid, warmUp, seconds, streams })).streams[0]?.p99 ?? Number.NaN

  const idle = await p99(fewSignIns)
  const busy = await p99(fewSignIns, sessionStream(port, accounts))
  const neighbour = startNeighbour()
  await pause(0.2)
  const beside = await p99(fewSignIns)
  neighbour.kill('SIGKILL')
  const quiet = await p99(quietStream(port, accounts))
  const storm = await p99(quietStream(port, accounts), signInStream(port, accounts))

  const times = (value: number, of: number): string => `${value.toFixed(1)} ms (${(value / of).toFixed(1)} ×)`
  const isMet = Math.max(busy / idle, beside / idle, storm / quiet) <= bar
  console.log(
    [
      String(niceness).padStart(8),
      `${idle.toFixed(1)} ms, ${times(busy, idle)}, ${times(beside, idle)}`,
      `${quiet.toFixed(2)} ms, ${times(storm, quiet)}${isMet ? '' : `, above ${bar} ×`}`,
    ].join(' | '),
  )
}

/** A process that never sleeps, on the server's core and in its session. */
function startNeighbour(): ChildProcess {
  const [file, args] = pinned(cores.server, process.execPath, ['-e', 'for (;;) {}'])
  return spawn(file, args, { stdio: 'ignore' })
}

/** What the server has set by itself is replaced from outside. */
function setHashingNiceness(pid: number, niceness: number): void {
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const isWorker = readFileSync(`/proc/${pid}/task/${thread}/comm`, 'utf8').trim() === 'libuv-worker'
    if (isWorker) os.setPriority(Number(thread), niceness)
  }
}
