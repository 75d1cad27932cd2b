import { isUtf8 } from 'node:buffer'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Config } from './config.ts'
import { apiHeaders, textOf, transportHeaders } from './http/answer.ts'
import { corsHeaders } from './http/cors.ts'
import { isServed } from './http/dispatch.ts'
import { createOrigins } from './http/origin.ts'
import type { SessionBody } from './http/session-answers.ts'
import { newRequestId } from './ids.ts'
import type { Tollgate } from './server.ts'

type NodeHandler = (request: IncomingMessage, response: ServerResponse) => void

/** The handler for Express, Next.js (pages router) and bare `node:http`. */
export function toNodeHandler({ internals }: Tollgate): NodeHandler {
  const { ctx, app, answer } = internals
  const { basePath, baseURL, mode } = ctx.config
  const sessionPath = `${basePath}/get-session`
  const permissionPath = isServed(ctx.config, 'hasPermission') ? `${basePath}/organization/has-permission` : undefined
  const { sessionAnswers, permissionAnswers, clientAddress } = app
  const fixedHeaders = Object.entries({
    'content-type': 'application/json',
    ...apiHeaders,
    ...transportHeaders(ctx.config),
  }).flat()
  const headersOfOwnOrigin = [
    ...fixedHeaders,
    ...Object.entries(corsHeaders(createOrigins(ctx.config), new Headers({ origin: baseURL.origin }))).flat(),
  ]
  const general = getRequestListener(
    async (request, { incoming, outgoing }) => {
      const answered = await answer(request, {
        remoteAddress: incoming.socket?.remoteAddress,
        ...(mode === 'development' && { host: receivedHost(incoming) }),
      })
      // Ours is a server of HTTP/1 (`NodeHandler`); the listener could be another's.
      return sendText(answered, outgoing as ServerResponse) ? RESPONSE_ALREADY_SENT : answered
    },
    {
      // Links and checks never come from the Host header, and neither does the address that requests are parsed with.
      hostname: baseURL.host,
      overrideGlobalObjects: false,
    },
  )

  const answerSession = (response: ServerResponse, { text, length, headers }: SessionBody) => {
    response.writeHead(200, ['content-length', length, 'x-request-id', newRequestId(), ...fixedHeaders, ...headers])
    response.end(text)
  }

  return (request, response) => {
    // The hottest call, answered before anything is built for it. Other origins get their headers on the general way.
    if (request.url === sessionPath && request.method === 'GET' && request.headers.origin === undefined) {
      const { cookie } = request.headers
      const kept = sessionAnswers.find(cookie)
      if (kept) return answerSession(response, kept)
      sessionAnswers.read(cookie ?? '').then(
        (body) => (body ? answerSession(response, body) : answerGenerally(request, response)),
        () => answerGenerally(request, response), // which fails in the same way, and answers it
      )
      return
    }
    if (request.url === permissionPath && isShortQuestion(request, baseURL.origin)) answerPermission(request, response)
    else answerGenerally(request, response)
  }

  /** The question is read by us; where the general way has to answer, it is given what was read. */
  function answerPermission(request: IncomingMessage & { rawBody?: unknown }, response: ServerResponse): void {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => void chunks.push(chunk))
    request.on('error', () => {}) // the connection has ended, and nobody waits any more
    request.on('end', async () => {
      const body = Buffer.concat(chunks)
      const { headers, socket } = request
      const address = clientAddress(byName(headers), socket.remoteAddress)
      const asked = { cookie: headers.cookie ?? '', body: body.toString('utf8'), address }
      // What is no text is refused on the general way; where this one fails, that one does too, and answers it.
      const text = isUtf8(body) ? await permissionAnswers.read(asked).catch(() => undefined) : undefined
      if (text === undefined) {
        request.rawBody = body
        answerGenerally(request, response)
        return
      }
      // Nothing but ASCII is in it.
      const further = headers.origin === undefined ? fixedHeaders : headersOfOwnOrigin
      response.writeHead(200, ['content-length', String(text.length), 'x-request-id', newRequestId(), ...further])
      response.end(text)
    })
  }

  function answerGenerally(request: IncomingMessage, response: ServerResponse): void {
    if (!isMeaningful(request)) {
      const text = '{"code":"MALFORMED_REQUEST","message":"Malformed request"}'
      const length = ['content-length', String(text.length), 'connection', 'close']
      response.writeHead(400, [...length, 'x-request-id', newRequestId(), ...fixedHeaders])
      response.end(text)
      return
    }
    // One spelling for whoever reads it; the peer's own is never used.
    request.headers.host = baseURL.host
    restoreParsedBody(request)
    void general(request, response)
  }
}

/** Sends an answer that is a text in one write with its headers; any other is left to the general way. */
function sendText(answer: Response, outgoing: ServerResponse): boolean {
  const text = textOf(answer)
  if (text === undefined) return false
  const headers = ['content-length', String(Buffer.byteLength(text))]
  for (const [name, value] of answer.headers) headers.push(name, value)
  outgoing.writeHead(answer.status, headers)
  outgoing.end(text)
  return true
}

/** Headers as `Headers` gives them, by a name in whatever case, without the price of making one. */
const byName = (headers: IncomingHttpHeaders): Pick<Headers, 'get' | 'has'> => ({
  get: (name) => headers[name.toLowerCase()]?.toString() ?? null,
  has: (name) => headers[name.toLowerCase()] !== undefined,
})

/** Longest question about permissions that is answered on the short way. */
const questionLimit = 8192

/**
 * Whether a request asks as our own pages and servers do: a short JSON body that nobody has read yet, and either our own
 * origin or no sign of a browser at all. Everything else is for the general way to look at.
 */
function isShortQuestion(request: IncomingMessage, ownOrigin: string): boolean {
  const { method, headers, readableDidRead, readableEncoding } = request
  const length = headers['content-length'] ?? ''
  const isOwn =
    headers.origin === undefined
      ? headers.referer === undefined && headers['sec-fetch-site'] === undefined
      : headers.origin === ownOrigin
  return (
    method === 'POST' &&
    isOwn &&
    !readableDidRead &&
    readableEncoding === null &&
    headers['content-type'] === 'application/json' &&
    /^\d{1,4}$/.test(length) &&
    Number(length) <= questionLimit
  )
}

/**
 * What `express.json()` has read before us is gone from the stream: the call would seem to have an empty body, and do
 * less than it was asked to.
 */
function restoreParsedBody(request: IncomingMessage & { body?: unknown; rawBody?: unknown }): void {
  if (!request.readableEnded || request.body === undefined || request.rawBody !== undefined) return
  if (!/json/i.test(request.headers['content-type'] ?? '')) return
  request.rawBody = Buffer.from(JSON.stringify(request.body))
}

/** The Host header as it came; `headers` has ours by then. */
function receivedHost({ rawHeaders }: { rawHeaders: string[] }): string {
  const at = rawHeaders.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'host')
  return (at < 0 ? undefined : rawHeaders[at + 1]) ?? ''
}

/**
 * Absolute-form targets, `*`, paths with a backslash, which some read as a slash, and methods that carry no meaning here are
 * refused before they are parsed as addresses.
 */
function isMeaningful({ url = '', method = '' }: IncomingMessage): boolean {
  return /^\/[^?\\]*(\?|$)/.test(url) && ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].includes(method)
}

export type RunningServer = { readonly server: Server; readonly port: number; stop(): Promise<void> }

/** A server that listens already, and until it is given something to serve only says that it is alive. */
export type OpenServer = { serve(tollgate: Tollgate): RunningServer; close(): Promise<void> }

/** Longest wait for requests under way when the server stops. */
const drainTimeout = 10_000

/** Listens at once, before the database is migrated: load balancers are told to wait rather than refused. */
export async function openServer({ host, port }: Pick<Config, 'host' | 'port'>): Promise<OpenServer> {
  let handler: NodeHandler = answerNotReady
  const server = createServer({ keepAlive: true, connectionsCheckingInterval: 5000 }, (request, response) =>
    handler(request, response),
  )
  // Slow senders: headers and bodies must arrive in time (security, F-slow).
  server.headersTimeout = 15_000
  server.requestTimeout = 60_000
  server.keepAliveTimeout = 65_000
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const address = server.address()
  const closeServer = async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    const late = setTimeout(() => server.closeAllConnections(), drainTimeout)
    // A connection whose last answer has gone out rests again; nothing more is to come on it.
    const resting = setInterval(() => server.closeIdleConnections(), 50)
    await closed
    clearTimeout(late)
    clearInterval(resting)
  }
  return {
    serve: (tollgate) => {
      const { lifecycle } = tollgate.internals.ctx
      const serving = toNodeHandler(tollgate)
      handler = (request, response) => {
        // A connection in use would otherwise be kept alive past the stop.
        if (lifecycle.state === 'draining') response.shouldKeepAlive = false
        serving(request, response)
      }
      return {
        server,
        port: typeof address === 'object' && address ? address.port : port,
        stop: async () => {
          lifecycle.state = 'draining'
          await closeServer()
          await tollgate.close()
        },
      }
    },
    close: closeServer,
  }
}

/** Listens and serves; stops gracefully: what is under way is finished, then jobs and database. */
export async function listen(tollgate: Tollgate): Promise<RunningServer> {
  const opened = await openServer(tollgate.internals.ctx.config)
  return opened.serve(tollgate)
}

function answerNotReady(request: IncomingMessage, response: ServerResponse): void {
  const isLive = request.url === '/api/health/live'
  response.writeHead(isLive ? 200 : 503, {
    'content-type': 'application/json',
    'x-request-id': newRequestId(),
    ...(!isLive && { 'retry-after': '1' }),
  })
  response.end(isLive ? '{"status":"live"}' : '{"status":"not ready","reason":"migrating"}')
}
