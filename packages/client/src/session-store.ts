import type { SessionAnswer } from '@tollgate/contract/types'
import type { Channel, Environment } from './environment.ts'
import type { ClientError, Result } from './request.ts'

/** What is known about the session at one moment. The same object until something changes. */
export type SessionState = {
  /** The session and its user; null when signed out, or not read yet. */
  readonly data: SessionAnswer
  /** Why the last read failed; the data before it is kept. */
  readonly error: ClientError | null
  /** True until the first answer is in. */
  readonly pending: boolean
}

/** An external store as `useSyncExternalStore` and any other framework's equivalent can use it. */
export type SessionStore = {
  get(): SessionState
  /** The state at the start: what the server rendered with. */
  getInitial(): SessionState
  /** Calls back after each change. The first subscriber causes the first read. */
  subscribe(listener: () => void): () => void
  /** Reads now and answers when the state is up to date. */
  refetch(): Promise<void>
}

/** How long after a call the session is read again: lets a burst of calls cause one read. */
const refreshDelay = 10
/** How old an answer may be when the page comes to the front before it is read again. */
const staleAfter = 60_000

type Options = {
  read: () => Promise<Result<SessionAnswer>>
  environment: Environment
  channelName: string
  /** What the server already knows; then nothing is read at the start. */
  initial?: SessionAnswer
}

/** The store, and the way for a call to say that it has changed the session. */
export function createSessionStore({ read, environment, channelName, initial }: Options) {
  const first: SessionState = { data: initial ?? null, error: null, pending: initial === undefined }
  const listeners = new Set<() => void>()
  let state = first
  let readAt = first.pending ? undefined : environment.elapsed()
  let reading: Promise<void> | undefined
  let readAgain = false
  let cancelRefresh: (() => void) | undefined
  let channel: Channel | undefined
  let stopFocus: (() => void) | undefined

  function update(next: SessionState) {
    const same = next.pending === state.pending && next.error === state.error
    if (same && JSON.stringify(next.data) === JSON.stringify(state.data)) return
    state = next
    for (const listener of listeners) listener()
  }

  async function readUntilCurrent() {
    do {
      readAgain = false
      const { data, error } = await read()
      update(error ? { data: state.data, error, pending: false } : { data, error: null, pending: false })
      readAt = environment.elapsed()
    } while (readAgain)
    reading = undefined
  }

  /** A read that is under way may have missed the change that is the reason for this one: then one more follows. */
  function refetch(): Promise<void> {
    if (reading) readAgain = true
    reading ??= readUntilCurrent()
    return reading
  }

  function refresh() {
    readAt = undefined
    if (listeners.size === 0) return
    cancelRefresh ??= environment.after(refreshDelay, () => {
      cancelRefresh = undefined
      refetch()
    })
  }

  function isStale() {
    return readAt === undefined || environment.elapsed() - readAt > staleAfter
  }

  function start() {
    channel = environment.openChannel(channelName, refresh)
    stopFocus = environment.onFocus(() => {
      if (isStale() && !reading) refetch()
    })
    if (isStale() && !reading) refetch()
  }

  function stop() {
    cancelRefresh?.()
    cancelRefresh = undefined
    channel?.close()
    channel = undefined
    stopFocus?.()
  }

  const store: SessionStore = {
    get: () => state,
    getInitial: () => first,
    refetch,
    subscribe(listener) {
      // A wrapper of its own: the same function may be subscribed twice and unsubscribed once.
      const own = () => listener()
      listeners.add(own)
      if (listeners.size === 1) start()
      return () => {
        if (listeners.delete(own) && listeners.size === 0) stop()
      }
    },
  }

  /** To be called when a call has changed the session: reads again soon, here and in the other tabs. */
  function changed() {
    refresh()
    const line = channel ?? environment.openChannel(channelName, () => {})
    line?.send()
    if (line !== channel) line?.close()
  }

  return { store, changed }
}
