import type { Origins } from './origin.ts'

/** Headers by name, in any case. */
export type HeaderReader = Pick<Headers, 'get' | 'has'>

/** The parts of a request that carry its body. */
export type BodySource = {
  readonly headers: HeaderReader
  arrayBuffer(): Promise<ArrayBuffer | Buffer>
  readonly body: ReadableStream<Uint8Array> | null
}

/** A request as an API needs it. Making a `Request` for each would cost more than most calls. */
export type Incoming = BodySource & {
  readonly method: string
  /** Path and query as received. */
  readonly target: string
  /** The request as a Fetch API `Request`. */
  asRequest(): Request
}

/** The index at which a URL's path starts. */
const pathAt = (address: string): number => address.indexOf('/', address.indexOf('//') + 2)

/** A request of the Fetch API. */
export const fromFetch = (request: Request): Incoming => new FetchRequest(request)

/** A class for the reason that `HeaderCaller` gives. */
class FetchRequest implements Incoming {
  readonly method: string
  readonly target: string
  readonly headers: HeaderReader
  readonly #request: Request

  constructor(request: Request) {
    this.method = request.method
    this.target = request.url.slice(pathAt(request.url))
    this.headers = request.headers
    this.#request = request
  }

  arrayBuffer(): Promise<ArrayBuffer> {
    return this.#request.arrayBuffer()
  }

  get body(): ReadableStream<Uint8Array> | null {
    return this.#request.body
  }

  asRequest(): Request {
    return this.#request
  }
}

/** The path of a target, without its query. */
export function pathOf(target: string): string {
  const end = target.search(/[?#]/)
  return end < 0 ? target : target.slice(0, end)
}

/** The query of a target, without its `?`. */
export function searchOf(target: string): string {
  const start = target.indexOf('?')
  if (start < 0) return ''
  const end = target.indexOf('#', start)
  return target.slice(start + 1, end < 0 ? undefined : end)
}

/** The outermost handler's data about a request, which routes receive. */
export type RequestScope = {
  readonly id: string
  readonly remoteAddress: string
  readonly origins: Origins
  /** The received Host header, if the request's URL does not show it. */
  readonly host?: string | undefined
  /** Answers a GET request to an API within the server, with the visitor's own headers. */
  readonly read?: ((target: string) => Promise<Response>) | undefined
}

/** The handler's input besides the request. */
export type RequestOptions = {
  /** The peer of the connection, if there is one. */
  readonly remoteAddress?: string | undefined
  /** The received Host header, if `request.url` was made without it. */
  readonly host?: string | undefined
}

/** Hono's types for it. */
export type RequestEnv = { Bindings: RequestScope }
