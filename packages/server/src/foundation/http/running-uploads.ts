import { TollgateError } from '../error.ts'

/** Uploads of one user at a time. */
export const mostOfUser = 2
/** Uploads of all users at a time: each may hold its whole size in memory until its last byte comes. */
export const mostOfProcess = 20
/** Seconds until another try may succeed. */
const retryAfter = 5

const running = new Map<string, number>()

/**
 * Reads an upload while its user has a place. Throws TOO_MANY_REQUESTS for a user whose other uploads still run, and
 * SERVICE_UNAVAILABLE when the process has no place: before the first byte is read, so that slow senders cannot fill
 * the memory.
 */
export async function withUploadPlace<T>(userId: string, read: () => Promise<T>): Promise<T> {
  const own = running.get(userId) ?? 0
  if (own >= mostOfUser) throw new TollgateError('TOO_MANY_REQUESTS', { retryAfter })
  const all = [...running.values()].reduce((sum, count) => sum + count, 0)
  if (all >= mostOfProcess) throw new TollgateError('SERVICE_UNAVAILABLE', { retryAfter })
  running.set(userId, own + 1)
  try {
    return await read()
  } finally {
    const left = (running.get(userId) ?? 1) - 1
    if (left === 0) running.delete(userId)
    else running.set(userId, left)
  }
}
