/** A channel to the browser's other tabs. */
export type Channel = {
  /** Notifies the other tabs, not this one. */
  send(message: string): void
  close(): void
}

/** Everything outside the client that it uses; tests and unusual hosts replace it. */
export type Environment = {
  /** Origin of the page, or undefined outside a browser. */
  readonly origin: () => string | undefined
  /** Navigates to another address. */
  readonly navigate: (url: string) => void
  /** Calls back once after so many milliseconds; the result cancels it. */
  readonly after: (milliseconds: number, callback: () => void) => () => void
  /** Monotonic milliseconds, for the age of an answer. */
  readonly elapsed: () => number
  /** Opens the channel to the other tabs; undefined if there are none. */
  readonly openChannel: (name: string, onMessage: (message: string) => void) => Channel | undefined
  /** Calls back whenever the page comes to the front; the result unsubscribes. */
  readonly onFocus: (callback: () => void) => () => void
}

const inBrowser = () => typeof document !== 'undefined'

/** The environment of a page, or of a server, which has neither navigation nor tabs. */
export const defaultEnvironment: Environment = {
  origin: () => (inBrowser() ? location.origin : undefined),

  navigate(url) {
    if (inBrowser()) location.assign(url)
  },

  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds)
    return () => clearTimeout(timer)
  },

  elapsed: () => performance.now(),

  // Browsers only: Node has BroadcastChannel too, and an open one keeps the process alive.
  openChannel(name, onMessage) {
    if (!inBrowser() || typeof BroadcastChannel === 'undefined') return undefined
    const channel = new BroadcastChannel(name)
    channel.onmessage = ({ data }) => onMessage(String(data))
    return { send: (message) => channel.postMessage(message), close: () => channel.close() }
  },

  onFocus(callback) {
    if (!inBrowser()) return () => {}
    const whenVisible = () => {
      if (document.visibilityState === 'visible') callback()
    }
    addEventListener('focus', whenVisible)
    document.addEventListener('visibilitychange', whenVisible)
    return () => {
      removeEventListener('focus', whenVisible)
      document.removeEventListener('visibilitychange', whenVisible)
    }
  },
}
