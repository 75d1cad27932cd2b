import type { Origins } from './origin.ts'

/** What the outermost handler knows of a request and hands to the routes. */
export type RequestScope = {
  readonly id: string
  readonly remoteAddress: string
  readonly origins: Origins
}

/** Hono's types for it. */
export type RequestEnv = { Bindings: RequestScope }
