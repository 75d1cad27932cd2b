import { readdirSync, readFileSync } from 'node:fs'
import { setPriority } from 'node:os'

/**
 * Reads are answered first, but sign-ins still get their share of a saturated core. Measured by `bench/priority.ts` on one
 * core: with 4, a sign-in's p99 beside a saturating load stays below 14 times its idle value, and that of get-session in a
 * storm of sign-ins below 10 times. From 10 on, sign-ins wait for seconds; with 0, the storm costs get-session a fifth more.
 */
const niceness = 4

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
