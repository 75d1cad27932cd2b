import type { Origins } from './origin.ts'

/** What the outermost handler knows of a request and hands to the routes. */
export type RequestScope = {
  readonly id: string
  readonly remoteAddress: string
  readonly origins: Origins
  /** The Host header as it was received, where the address of the request does not show it. */
  readonly host?: string | undefined
}

/** What the handler is told besides the request. */
export type RequestOptions = {
  /** The peer of the connection, where there is one. */
  readonly remoteAddress?: string | undefined
  /** The Host header that came, where `request.url` was made without it. */
  readonly host?: string | undefined
}

/** Hono's types for it. */
export type RequestEnv = { Bindings: RequestScope }
