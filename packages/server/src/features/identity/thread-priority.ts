import { readdirSync, readFileSync } from 'node:fs'
import { setPriority } from 'node:os'

/** The lowest priority: reads are answered first. On a saturated core, hashing still gets a seventieth of the time. */
const niceness = 19

/**
 * Lowers the priority of the threads that hash passwords: on a machine with few cores, reads stay quick during a storm
 * of sign-ins. Linux only, where each thread has its own priority; no effect elsewhere.
 */
export function lowerHashingPriority(): void {
  if (process.platform !== 'linux') return
  try {
    for (const thread of readdirSync('/proc/self/task')) {
      const isWorker = readFileSync(`/proc/self/task/${thread}/comm`, 'utf8').trim() === 'libuv-worker'
      if (isWorker) setPriority(Number(thread), niceness)
    }
  } catch {
    // A container without /proc, or one that forbids it, hashes at normal priority.
  }
}
