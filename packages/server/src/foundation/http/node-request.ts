import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { HttpAnswer } from './answer.ts'
import type { HeaderReader, Incoming } from './request.ts'

/** Headers with the behavior of `Headers`, without the cost of making one. */
export const byName = (headers: IncomingHttpHeaders): HeaderReader => new NodeHeaders(headers)

class NodeHeaders implements HeaderReader {
  readonly #headers: IncomingHttpHeaders
  constructor(headers: IncomingHttpHeaders) {
    this.#headers = headers
  }
  get(name: string): string | null {
    return this.#headers[name]?.toString() ?? this.#headers[name.toLowerCase()]?.toString() ?? null
  }
  has(name: string): boolean {
    return this.#headers[name] !== undefined || this.#headers[name.toLowerCase()] !== undefined
  }
}

/** A target whose path all parsers read alike, so the server need not parse the URL. */
const plainTarget = /^(?:\/(?![/.])[^%\\#?/]*)+(?:\?|$)/

/** Whether a request needs no `Request`: its path has one spelling, and its body is unread. */
export const isPlain = ({
  url = '',
  method,
  readableDidRead,
  rawBody,
}: IncomingMessage & { rawBody?: unknown }): boolean =>
  plainTarget.test(url) && method !== 'HEAD' && !readableDidRead && rawBody === undefined

/** A request of node:http. */
export const fromNode = (incoming: IncomingMessage, origin: string): Incoming => new NodeRequest(incoming, origin)

/** A class for the reason that `HeaderCaller` gives. */
class NodeRequest implements Incoming {
  readonly method: string
  readonly target: string
  readonly headers: HeaderReader
  readonly #incoming: IncomingMessage
  readonly #origin: string

  constructor(incoming: IncomingMessage, origin: string) {
    this.method = incoming.method ?? 'GET'
    this.target = incoming.url ?? '/'
    this.headers = byName(incoming.headers)
    this.#incoming = incoming
    this.#origin = origin
  }

  arrayBuffer(): Promise<Buffer> {
    return readWhole(this.#incoming)
  }

  get body(): ReadableStream<Uint8Array> | null {
    if (!hasBody(this.#incoming)) return null
    return Readable.toWeb(this.#incoming) as ReadableStream<Uint8Array> // one class under two names
  }

  asRequest(): Request {
    const { method, target } = this
    return new Request(this.#origin + target, { method, headers: headersOf(this.#incoming.headers) })
  }
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

function headersOf(given: IncomingHttpHeaders): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(given)) if (value !== undefined) headers.set(name, value.toString())
  return headers
}

/** Rejects if the connection ends before the body does. */
function readWhole(incoming: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // The events of a connection that ended before this call are over, and the promise would never settle.
    if (incoming.destroyed) return reject(new Error('the connection has ended'))
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => void chunks.push(chunk))
    incoming.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)))
    incoming.on('error', reject)
    // Every request closes; making an error for each costs as much as reading it.
    incoming.on('close', () => {
      if (!incoming.complete) reject(new Error('the connection has ended'))
    })
  })
}

/** Sends an answer; a text body goes out in one write with its headers. */
export async function send(answer: HttpAnswer | Response, outgoing: ServerResponse): Promise<void> {
  const { status, body } = answer
  const headers: string[] = []
  if (answer instanceof Response) for (const [name, value] of answer.headers) headers.push(name, value)
  else {
    for (const name in answer.headers) headers.push(name, answer.headers[name]!)
    for (const cookie of answer.cookies ?? []) headers.push('set-cookie', cookie)
  }
  if (body instanceof ReadableStream) {
    outgoing.writeHead(status, headers)
    // A client that disconnects ends the stream; an error has no recipient. Node declares its web streams twice.
    await pipeline(Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]), outgoing).catch(() => {})
    return
  }
  if (status !== 204) headers.push('content-length', String(Buffer.byteLength(body ?? '')))
  outgoing.writeHead(status, headers)
  outgoing.end(body ?? undefined)
}
