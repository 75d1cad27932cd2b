import { readFileSync } from 'node:fs'
import type { Busy } from './job.ts'

/** Linux counts CPU time in hundredths of a second on every platform Node runs on. */
const ticksPerSecond = 100

type Reading = { readonly atMs: number; readonly process: number; readonly core: number; readonly self: number }

/**
 * Starts to watch the CPU time of a process, of its core and of this process; the function it gives tells the shares
 * since then. Nothing when the system has no /proc or the process may use several cores.
 */
export function watchBusy(pid: number): () => Busy | undefined {
  const start = readBusy(pid)
  return () => {
    const end = readBusy(pid)
    if (!start || !end) return undefined
    const seconds = (end.atMs - start.atMs) / 1000
    const share = (name: 'process' | 'core' | 'self') => (end[name] - start[name]) / seconds
    return {
      server: share('process'),
      loadGenerator: share('self'),
      others: Math.max(0, share('core') - share('process')),
    }
  }
}

function readBusy(pid: number): Reading | undefined {
  try {
    const core = /^Cpus_allowed_list:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]
    if (core === undefined) return undefined
    const own = process.cpuUsage()
    return {
      atMs: performance.now(),
      process: processSeconds(pid),
      core: coreSeconds(core),
      self: (own.user + own.system) / 1e6,
    }
  } catch {
    return undefined // not Linux, or the process has ended; the load itself reports that
  }
}

function processSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  // The name in parentheses may hold blanks; user and system time are fields 14 and 15 of the whole.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

/** Time in programs only: interrupts are the network's share of the very requests that are measured. */
function coreSeconds(core: string): number {
  const line = new RegExp(`^cpu${core} (.*)$`, 'm').exec(readFileSync('/proc/stat', 'latin1'))?.[1] ?? ''
  const [user = 0, nice = 0, system = 0] = line.split(' ').map(Number)
  return (user + nice + system) / ticksPerSecond
}
