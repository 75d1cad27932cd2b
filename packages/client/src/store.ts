import type { Environment } from './environment.ts'
import { type ClientError, type Result, unanswered } from './request.ts'

/** What is known at one moment. The same object until something changes. */
export type StoreState<Data> = {
  /** Null when there is nothing, such as a session for who is signed out, or when it has not been read yet. */
  readonly data: Data | null
  /** Why the last read failed; the data before it is kept. */
  readonly error: ClientError | null
  /** True until the first answer is in. */
  readonly pending: boolean
}

/** An external store as `useSyncExternalStore` and any other framework's equivalent can use it. */
export type Store<Data> = {
  get(): StoreState<Data>
  /** The state at the start: what the server rendered with. */
  getInitial(): StoreState<Data>
  /** Calls back after each change. The first subscriber causes the first read. */
  subscribe(listener: () => void): () => void
  /** Reads now and answers when the state is up to date; a read that fails is the state's `error`. */
  refetch(): Promise<void>
}

/** How long after a call a store reads again: lets a burst of calls cause one read. */
const refreshDelay = 10
/** How old an answer may be when the page comes to the front before it is read again. */
const staleAfter = 60_000

type Options<Data> = {
  read: () => Promise<Result<Data | null>>
  environment: Environment
  /** Opens the line on which other tabs say that this has changed; the answer leaves it. */
  listen: () => () => void
  /** What the server already knows; then nothing is read at the start. */
  initial?: Data | null | undefined
  /** Refusals that say that there is nothing; whatever was known before is gone then. */
  isNothing?: (error: ClientError) => boolean
}

/** One answer of the server, kept for whoever subscribes, and the way to say that it has changed: `refresh`. */
export function createStore<Data>({ read, environment, listen, initial, isNothing }: Options<Data>) {
  const first: StoreState<Data> = { data: initial ?? null, error: null, pending: initial === undefined }
  const listeners = new Set<() => void>()
  let state = first
  let readAt = first.pending ? undefined : environment.elapsed()
  let reading: Promise<void> | undefined
  let readAgain = false
  /** Something has changed since the read under way began: its answer may be of before. */
  let overtaken = false
  let cancelRefresh: (() => void) | undefined
  let stopListening: (() => void) | undefined
  let stopFocus: (() => void) | undefined

  /** By content, so that reading the same again, or failing the same way again, never starts anything. */
  function update(next: StoreState<Data>) {
    if (JSON.stringify(next) === JSON.stringify(state)) return
    state = next
    for (const listener of listeners) tell(listener)
  }

  /** A listener that fails is a fault of its own: it shows as one, and neither the others nor the store hear of it. */
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

  /** A read that is under way may have missed the change that is the reason for this one: then one more follows. */
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
      // A wrapper of its own: the same function may be subscribed twice and unsubscribed once.
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
