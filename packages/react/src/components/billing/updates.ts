import type { ClientError, Result } from '@tollgate/client'

/** Milliseconds between a key press in a field and the request. */
const pause = 400

export type Updates<Changes> = {
  /** Collects changes and sends them after a short pause, or at once. */
  add(changes: Changes, when?: 'soon' | 'now'): void
  /** Sends the waiting changes; resolves when all are answered. */
  settle(): Promise<void>
}

/**
 * Sends changes one request at a time, so that no answer is older than the previous one. Changes during a request are
 * sent together after it.
 */
export function createUpdates<Changes extends object, Data>({
  send,
  answered,
  refused,
  onBusy,
}: {
  send: (changes: Changes) => Promise<Result<Data>>
  answered: (data: Data) => void
  /** Returns the changes to send again without the refused ones; undefined gives all of them up. */
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
        // Newer changes take precedence.
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
