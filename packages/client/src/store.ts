import type { Environment } from './environment.ts'
import { type ClientError, type Result, unanswered } from './request.ts'

/** A store's state at one moment. The same object until it changes. */
export type StoreState<Data> = {
  /** Null if there is none, such as the session of a signed-out visitor, or before the first read. */
  readonly data: Data | null
  /** Why the last read failed; the previous data is kept. */
  readonly error: ClientError | null
  /** True until the first answer. */
  readonly pending: boolean
}

/** An external store for `useSyncExternalStore` and its equivalents. */
export type Store<Data> = {
  get(): StoreState<Data>
  /** The initial state: what the server rendered. */
  getInitial(): StoreState<Data>
  /** Calls back after each change. The first subscriber triggers the first read. */
  subscribe(listener: () => void): () => void
  /** Reads now and resolves when the state is up to date; a failed read is the state's `error`. */
  refetch(): Promise<void>
}

/** The delay between a call and the new read: a burst of calls causes one read. */
const refreshDelay = 10
/** The age from which an answer is read again when the page comes to the front. */
const staleAfter = 60_000

type Options<Data> = {
  read: () => Promise<Result<Data | null>>
  environment: Environment
  /** Opens the channel on which other tabs report changes; the result leaves it. */
  listen: () => () => void
  /** The data that the server already knows; then the start reads nothing. */
  initial?: Data | null | undefined
  /** Errors that mean that there is no data; earlier data is cleared. */
  isNothing?: (error: ClientError) => boolean
}

/** One answer of the server, kept for subscribers; `refresh` marks it stale. */
export function createStore<Data>({ read, environment, listen, initial, isNothing }: Options<Data>) {
  const first: StoreState<Data> = { data: initial ?? null, error: null, pending: initial === undefined }
  const listeners = new Set<() => void>()
  let state = first
  let readAt = first.pending ? undefined : environment.elapsed()
  let reading: Promise<void> | undefined
  let readAgain = false
  /** The data changed after the running read began: its answer may be outdated. */
  let overtaken = false
  let cancelRefresh: (() => void) | undefined
  let stopListening: (() => void) | undefined
  let stopFocus: (() => void) | undefined

  /** Compared by content, so that an equal answer or an equal failure notifies no subscriber. */
  function update(next: StoreState<Data>) {
    if (JSON.stringify(next) === JSON.stringify(state)) return
    state = next
    for (const listener of listeners) tell(listener)
  }

  /** A failing listener is reported as its own error and affects neither other listeners nor the store. */
  function tell(listener: () => void) {
    try {
      listener()
    } catch (fault) {
      environment.after(0, () => {
        throw fault
      })
    }
  }

  async function readUntilCurrent() {
    do {
      readAgain = overtaken = false
      const { data, error } = await read().catch(unanswered)
      const nothing = error && isNothing?.(error)
      update(error && !nothing ? { data: state.data, error, pending: false } : { data, error: null, pending: false })
      readAt = overtaken ? undefined : environment.elapsed()
    } while (readAgain)
    reading = undefined
  }

  /** A running read may have missed the change behind this one: one more follows. */
  function refetch(): Promise<void> {
    if (reading) readAgain = true
    reading ??= readUntilCurrent()
    return reading
  }

  /** Reads again soon; without subscribers, when the next one comes. */
  function refresh() {
    readAt = undefined
    overtaken = true
    if (listeners.size === 0) return
    cancelRefresh ??= environment.after(refreshDelay, () => {
      cancelRefresh = undefined
      refetch()
    })
  }

  function readIfStale() {
    const stale = readAt === undefined || environment.elapsed() - readAt > staleAfter
    if (stale && (!reading || overtaken)) refetch()
  }

  function start() {
    stopListening = listen()
    stopFocus = environment.onFocus(readIfStale)
    readIfStale()
  }

  function stop() {
    cancelRefresh?.()
    cancelRefresh = undefined
    stopListening?.()
    stopFocus?.()
  }

  const store: Store<Data> = {
    get: () => state,
    getInitial: () => first,
    refetch,
    subscribe(listener) {
      // A new wrapper each time: the same function may subscribe twice and unsubscribe once.
      const own = () => listener()
      listeners.add(own)
      if (listeners.size === 1) start()
      return () => {
        if (listeners.delete(own) && listeners.size === 0) stop()
      }
    },
  }
  return { store, refresh }
}
