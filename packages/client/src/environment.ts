/** A line to the other tabs of the same browser. */
export type Channel = {
  /** Tells the other tabs; this tab does not hear itself. */
  send(message: string): void
  close(): void
}

/** Everything outside the client that it touches; tests and unusual hosts put their own in its place. */
export type Environment = {
  /** Origin of the page, or undefined outside a browser. */
  readonly origin: () => string | undefined
  /** Leaves the page for another address. */
  readonly navigate: (url: string) => void
  /** Calls back once after so many milliseconds; the answer cancels. */
  readonly after: (milliseconds: number, callback: () => void) => () => void
  /** Milliseconds that only ever grow; used to tell how old an answer is. */
  readonly elapsed: () => number
  /** Opens the line to the other tabs, or nothing where there are none. */
  readonly openChannel: (name: string, onMessage: (message: string) => void) => Channel | undefined
  /** Calls back whenever the page comes to the front; the answer stops it. */
  readonly onFocus: (callback: () => void) => () => void
}

const inBrowser = () => typeof document !== 'undefined'

/** The environment of the page, or of a server, where there is neither navigation nor another tab. */
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

  // Node has BroadcastChannel too, where an open one would keep the process alive: browsers only.
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
