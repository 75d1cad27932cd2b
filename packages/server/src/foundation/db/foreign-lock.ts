import { setTimeout as wait } from 'node:timers/promises'

/**
 * Milliseconds between a statement's attempts while another process holds the lock; five seconds in total. Most locks
 * end in moments, so the first attempts follow quickly.
 */
export const pauses: readonly number[] = [1, 2, 5, 12, 30, ...Array.from({ length: 99 }, () => 50)]

/** Waits between two attempts; tests replace it. */
export type Pause = (milliseconds: number) => Promise<unknown>
export const realPause: Pause = (milliseconds) => wait(milliseconds)

/**
 * Retries a statement while another process locks the file. SQLite's own `busy_timeout` would block the event loop;
 * `pause` lets the rest of this process continue. Throws SQLite's error after the last attempt.
 */
export async function untilFree<T>(attempt: () => T, pause: Pause): Promise<T> {
  for (const milliseconds of pauses) {
    try {
      return attempt()
    } catch (error) {
      if (!isBusy(error)) throw error
    }
    await pause(milliseconds)
  }
  return attempt()
}

/** SQLITE_BUSY; the higher bits of a result code only add detail (https://sqlite.org/rescode.html). */
export const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' && (error.errcode & 0xff) === 5
