import { readdirSync, readFileSync } from 'node:fs'
import { setPriority } from 'node:os'

/** The lowest: reads are answered first. Where a core is wholly busy with them, hashing still gets a seventieth of it. */
const niceness = 19

/**
 * Lets the threads that hash passwords yield to the one that answers: on a machine with few cores, reads stay quick
 * during a storm of sign-ins. Linux only, where each thread has a priority of its own; elsewhere nothing happens.
 */
export function lowerHashingPriority(): void {
  if (process.platform !== 'linux') return
  try {
    for (const thread of readdirSync('/proc/self/task')) {
      const isWorker = readFileSync(`/proc/self/task/${thread}/comm`, 'utf8').trim() === 'libuv-worker'
      if (isWorker) setPriority(Number(thread), niceness)
    }
  } catch {
    // A container without /proc, or one that forbids it: hashing is as quick as everything else.
  }
}
