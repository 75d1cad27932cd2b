import type { ClientError, Result } from '@tollgate/client'

/** Milliseconds between a key that is pressed in a field and the request that it leads to. */
const pause = 400

export type Updates<Changes> = {
  /** Notes changes down and sends them after a short pause, or at once. */
  add(changes: Changes, when?: 'soon' | 'now'): void
  /** Sends what is waiting; resolves when everything has been answered. */
  settle(): Promise<void>
}

/**
 * Sends changes one request after the other: an answer is never older than the one before it, and what changes while one is
 * on its way is sent in one piece after it.
 */
export function createUpdates<Changes extends object, Data>({
  send,
  answered,
  refused,
  onBusy,
}: {
  send: (changes: Changes) => Promise<Result<Data>>
  answered: (data: Data) => void
  /** Answers what of the changes may be sent again without the rest; nothing gives all of them up. */
  refused: (error: ClientError, changes: Changes) => Changes | undefined
  onBusy?: (busy: boolean) => void
}): Updates<Changes> {
  let waiting: Changes | undefined
  let running: Promise<void> | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  async function drain(): Promise<void> {
    onBusy?.(true)
    while (waiting) {
      const changes: Changes = waiting
      waiting = undefined
      const { data, error } = await send(changes)
      if (!error) answered(data)
      else {
        const rest = refused(error, changes)
        // What has been changed meanwhile counts more.
        if (rest && Object.keys(rest).length > 0) waiting = { ...rest, ...(waiting as Changes | undefined) }
      }
    }
    onBusy?.(false)
  }

  function settle(): Promise<void> {
    clearTimeout(timer)
    if (!running && !waiting) return Promise.resolve()
    running ??= drain().finally(() => {
      running = undefined
    })
    return running
  }

  return {
    add: (changes, when = 'soon') => {
      waiting = { ...waiting, ...changes }
      clearTimeout(timer)
      if (when === 'now') void settle()
      else timer = setTimeout(settle, pause)
    },
    settle,
  }
}
