import { close, fdatasync, fsync, open } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'

/**
 * Makes commits durable without stopping the event loop. SQLite's `synchronous = full` syncs the write-ahead log inside
 * each commit, on the only thread that answers requests. Here SQLite runs with `synchronous = normal`, which is as safe
 * against corruption, and the log is synced by another thread before a commit is acknowledged: the same promise, and
 * commits that come while one sync runs share the next one.
 */
export type LogSync = {
  /** Resolves when everything that was committed before the call survives a power cut. */
  flush(): Promise<void>
  /** Why nothing is acknowledged any more, once a sync has failed. */
  failure(): unknown
  close(): void
}

/** `sync` writes out what the operating system still holds. Once it has failed nothing is acknowledged any more: what it lost cannot be known. */
export function createLogSync(sync: () => Promise<void>, end: () => void = () => {}): LogSync {
  let running: Promise<void> | undefined
  let following: Promise<void> | undefined
  let failure: unknown

  const start = (): Promise<void> => {
    running = sync().then(() => {
      running = undefined
    })
    // A failure stays in `running`, and with it every later flush fails.
    running.catch((error) => {
      failure = error
    })
    return running
  }
  return {
    flush: () => {
      if (!running) return start()
      // The sync under way may have begun before the commit; the next one has not.
      following ??= running.then(() => {
        following = undefined
        return start()
      })
      return following
    },
    failure: () => failure,
    close: end,
  }
}

const openFile = promisify<string, string, number>(open)
const closeFile = promisify(close)
const syncAll = promisify(fsync)
const syncData = promisify(fdatasync)

/** Syncs the log of a database file. It has no locks on it, so a descriptor of our own disturbs nobody. */
export function openLogSync(databaseFile: string): LogSync {
  let descriptor: Promise<number> | undefined
  const openLog = async (): Promise<number> => {
    const log = await openFile(`${databaseFile}-wal`, 'r')
    // The log may be new: its name must survive too.
    const folder = await openFile(path.dirname(databaseFile), 'r')
    await syncAll(folder).finally(() => closeFile(folder))
    return log
  }
  return createLogSync(
    async () => {
      descriptor ??= openLog()
      await syncData(await descriptor)
    },
    () => {
      descriptor?.then((log) => close(log, () => {})).catch(() => {}) // never opened: there is nothing to close
    },
  )
}
