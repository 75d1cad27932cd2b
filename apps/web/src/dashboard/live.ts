/*
 * The stream of changes of a selling organization. One tab of the browser holds the connection and tells the others:
 * over HTTP/1.1 a browser has six connections for a server, and each stream keeps one.
 */

/** What is known of the stream. */
export type LiveState = {
  /** Objects whose changes arrive, such as `order`; undefined while none do, and lists ask by themselves. */
  readonly covered: ReadonlySet<string> | undefined
  /** How often each object has changed. */
  readonly changes: Readonly<Partial<Record<string, number>>>
}

export type Live = {
  read(): LiveState
  subscribe(listener: () => void): () => void
}

type Message =
  | { readonly kind: 'hello'; readonly objects: readonly string[] }
  | { readonly kind: 'changed'; readonly objects: readonly string[] }
  | { readonly kind: 'beat' }

const quiet: LiveState = { covered: undefined, changes: {} }

/** A stream that never says anything, for pages without a seller and for the server's picture. */
export const noLive: Live = { read: () => quiet, subscribe: () => () => {} }

/** Milliseconds without a sign of life, after which lists ask by themselves: a proxy may hold messages back. */
const silenceLimit = 45_000

/** Milliseconds that a connection stays after the last listener has gone: the next list of the dashboard takes it over. */
const lingerFor = 5_000

/**
 * Milliseconds before a refused connection is tried again, growing with each refusal: a proxy answers with an error while
 * the server starts anew. A browser connects again by itself only where the connection broke.
 */
const retryAfter = [5_000, 15_000, 60_000, 300_000] as const

/** Follows an organization while anything on the page listens. */
export function createLive(slug: string): Live {
  const address = `/dashboard/${encodeURIComponent(slug)}/live`
  const listeners = new Set<() => void>()
  let state = quiet
  let silence: ReturnType<typeof setTimeout> | undefined
  let leaving: ReturnType<typeof setTimeout> | undefined
  let stop: (() => void) | undefined

  function change(next: LiveState): void {
    state = next
    for (const listener of listeners) listener()
  }

  function hear(message: Message): void {
    clearTimeout(silence)
    silence = setTimeout(() => change({ ...state, covered: undefined }), silenceLimit)
    if (message.kind === 'beat') return
    const changes = { ...state.changes }
    for (const object of message.objects) changes[object] = (changes[object] ?? 0) + 1
    // While there was no connection anything may have changed, so a greeting counts as a change.
    change({ covered: message.kind === 'hello' ? new Set(message.objects) : state.covered, changes })
  }

  function leave(): void {
    stop?.()
    stop = undefined
    clearTimeout(silence)
    state = { ...state, covered: undefined }
  }

  return {
    read: () => state,
    subscribe(listener) {
      clearTimeout(leaving)
      listeners.add(listener)
      stop ??= connect(address, hear)
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) leaving = setTimeout(leave, lingerFor)
      }
    },
  }
}

/** Connects, in this tab or another one. Answers what ends it. */
function connect(address: string, hear: (message: Message) => void): () => void {
  const others = new BroadcastChannel(`tollgate ${address}`)
  const ended = new AbortController()
  let greeting: Message | undefined
  others.onmessage = ({ data }: MessageEvent<Message | 'who?'>) => {
    // A tab that opens later asks for the greeting.
    if (data !== 'who?') hear(data)
    else if (greeting) others.postMessage(greeting)
  }
  others.postMessage('who?')
  const tell = (message: Message) => {
    if (message.kind === 'hello') greeting = message
    hear(message)
    others.postMessage(message)
  }
  // The tab with the lock has the connection. When it closes, the next one gets the lock.
  navigator.locks
    ?.request(`tollgate ${address}`, { signal: ended.signal }, () => follow(address, tell, ended.signal))
    .catch(() => {}) // ended while it waited for the lock
  return () => {
    ended.abort()
    others.close()
  }
}

/** Keeps a connection until it is ended, and the lock with it. */
const follow = (address: string, tell: (message: Message) => void, ended: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    let refusals = 0
    let source: EventSource | undefined
    let retry: ReturnType<typeof setTimeout> | undefined

    function open(): void {
      const opened = new EventSource(address)
      const objectsIn = ({ data }: MessageEvent<string>) => JSON.parse(data) as readonly string[] // our server writes it
      opened.addEventListener('hello', (event) => {
        refusals = 0
        tell({ kind: 'hello', objects: objectsIn(event) })
      })
      opened.addEventListener('changed', (event) => tell({ kind: 'changed', objects: objectsIn(event) }))
      opened.addEventListener('beat', () => tell({ kind: 'beat' }))
      opened.onerror = () => {
        if (opened.readyState !== EventSource.CLOSED) return
        retry = setTimeout(open, retryAfter[Math.min(refusals, retryAfter.length - 1)])
        refusals += 1
      }
      source = opened
    }

    function close(): void {
      clearTimeout(retry)
      source?.close()
      resolve()
    }

    ended.addEventListener('abort', close)
    if (ended.aborted) close()
    else open()
  })
