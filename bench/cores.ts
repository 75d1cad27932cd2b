import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Which core each program gets; `undefined` values let the system choose. */
export type Cores = {
  readonly server: string | undefined
  readonly load: string | undefined
  readonly database: string | undefined
}

/** One core for the server, another for what is not the server; where the system cannot pin, nothing is pinned. */
export function findCores(): Cores {
  const allowed = allowedCores()
  if (allowed.length === 0 || spawnSync('taskset', ['-c', allowed[0]!, 'true']).status !== 0) {
    return { server: undefined, load: undefined, database: undefined }
  }
  const [server, load = server, database = load] = allowed
  return { server, load, database }
}

/** Moves this process, and with it every program it starts without a core of its own, to a core. */
export function moveSelf(core: string | undefined): void {
  if (core !== undefined) spawnSync('taskset', ['-cp', core, String(process.pid)])
}

/** The command that runs a program on a core. */
export function pinned(core: string | undefined, file: string, args: readonly string[]): [string, string[]] {
  return core === undefined ? [file, [...args]] : ['taskset', ['-c', core, file, ...args]]
}

function allowedCores(): string[] {
  if (process.platform !== 'linux') return []
  const list = /^Cpus_allowed_list:\s*(.*)$/m.exec(readFileSync('/proc/self/status', 'latin1'))?.[1] ?? ''
  return list.split(',').flatMap((range) => {
    const [first, last = first] = range.split('-').map(Number)
    if (first === undefined || last === undefined) return []
    return Array.from({ length: last - first + 1 }, (_, index) => String(first + index))
  })
}
