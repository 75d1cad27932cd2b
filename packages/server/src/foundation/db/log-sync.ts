import { close, fdatasync, fsync, open } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'

/**
 * Makes commits durable without blocking the event loop. SQLite's `synchronous = full` syncs the write-ahead log
 * inside each commit, on the only thread that answers requests. With `synchronous = normal`, equally safe against
 * corruption, another thread syncs the log before the server acknowledges a commit. The guarantee is the same, and
 * commits that arrive during one sync share the next.
 */
export type LogSync = {
  /** Resolves when every commit before the call survives a power cut. */
  flush(): Promise<void>
  /** The error of the failed sync, after which the server acknowledges no commit. */
  failure(): unknown
  close(): void
}

/** `sync` flushes the operating system's buffers. After one failure every flush fails: the lost data is unknown. */
export function createLogSync(sync: () => Promise<void>, end: () => void = () => {}): LogSync {
  let running: Promise<void> | undefined
  let following: Promise<void> | undefined
  let failure: unknown

  const start = (): Promise<void> => {
    running = sync().then(() => {
      running = undefined
    })
    // A failure stays in `running`, so every later flush fails too.
    running.catch((error) => {
      failure = error
    })
    return running
  }
  return {
    flush: () => {
      if (!running) return start()
      // The running sync may have started before the commit; the next one starts after it.
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

/** Syncs a database file's log. SQLite holds no locks on the log, so a second descriptor is safe. */
export function openLogSync(databaseFile: string): LogSync {
  let descriptor: Promise<number> | undefined
  const openLog = async (): Promise<number> => {
    const log = await openFile(`${databaseFile}-wal`, 'r')
    // A new log's directory entry must survive too.
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
      descriptor?.then((log) => close(log, () => {})).catch(() => {}) // never opened: nothing to close
    },
  )
}
