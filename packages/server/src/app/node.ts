import { isUtf8 } from 'node:buffer'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { authCalls } from '@tollgate/contract/calls'
import { authApi } from '../features/auth-api.ts'
import type { SessionBody } from '../features/identity/session-answers.ts'
import type { Config } from '../foundation/config/config.ts'
import { apiHeaders, toResponse, transportHeaders } from '../foundation/http/answer.ts'
import { corsHeaders } from '../foundation/http/cors.ts'
import { byName, fromNode, isPlain, send } from '../foundation/http/node-request.ts'
import { createOrigins } from '../foundation/http/origin.ts'
import { fromFetch } from '../foundation/http/request.ts'
import { newRequestId } from '../foundation/ids.ts'
import type { Tollgate } from './server.ts'

type NodeHandler = (request: IncomingMessage, response: ServerResponse) => void

/** The handler for Express, Next.js (pages router) and bare `node:http`. */
export function toNodeHandler({ internals }: Tollgate): NodeHandler {
  const { ctx, app, answer } = internals
  const { basePath, baseURL, mode } = ctx.config
  const { getSession, hasPermission } = authCalls
  const sessionPath = basePath + getSession.path
  const permissionPath = authApi.isServed(ctx.config, hasPermission) ? basePath + hasPermission.path : undefined
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
  const optionsOf = (incoming: IncomingMessage) => ({
    remoteAddress: incoming.socket?.remoteAddress,
    ...(mode === 'development' && { host: receivedHost(incoming) }),
  })
  // The types of the listener also allow HTTP/2, which this server does not speak.
  const general = getRequestListener(
    async (request, { incoming }) =>
      toResponse(await answer(fromFetch(request), optionsOf(incoming as IncomingMessage))),
    {
      // The Host header never decides links, checks, or the base that request URLs are parsed with.
      hostname: baseURL.host,
      overrideGlobalObjects: false,
    },
  )

  const answerSession = (response: ServerResponse, { text, length, headers }: SessionBody) => {
    response.writeHead(200, ['content-length', length, 'x-request-id', newRequestId(), ...fixedHeaders, ...headers])
    response.end(text)
  }

  return (request, response) => {
    // The hottest call, answered without allocating a request. Other origins get their headers on the general path.
    if (request.url === sessionPath && request.method === 'GET' && request.headers.origin === undefined) {
      const { cookie } = request.headers
      const kept = sessionAnswers.find(cookie)
      if (kept) return answerSession(response, kept)
      sessionAnswers.read(cookie ?? '').then(
        (body) => (body ? answerSession(response, body) : answerGenerally(request, response)),
        () => answerGenerally(request, response), // the general path fails in the same way, and answers it
      )
      return
    }
    if (request.url === permissionPath && isShortQuestion(request, baseURL.origin)) answerPermission(request, response)
    else answerGenerally(request, response)
  }

  /** Reading consumes the body, so the general path gets the bytes already read. */
  function answerPermission(request: IncomingMessage & { rawBody?: unknown }, response: ServerResponse): void {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => void chunks.push(chunk))
    request.on('error', () => {}) // the connection ended, so no client waits
    request.on('end', async () => {
      const body = Buffer.concat(chunks)
      const { headers, socket } = request
      const address = clientAddress(byName(headers), socket.remoteAddress)
      const asked = { cookie: headers.cookie ?? '', body: body.toString('utf8'), address }
      // The general path refuses a body that is no text. If reading fails here, it fails there too and answers.
      const text = isUtf8(body) ? await permissionAnswers.read(asked).catch(() => undefined) : undefined
      if (text === undefined) {
        request.rawBody = body
        answerGenerally(request, response)
        return
      }
      // It is pure ASCII.
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
    // One spelling for all readers; the peer's own is never used.
    request.headers.host = baseURL.host
    restoreParsedBody(request)
    if (isPlain(request) && app.isForApi(request.method ?? '', request.url ?? '')) void answerOfApi(request, response)
    else void general(request, response)
  }

  /** Answers API calls without a `Request` and a `Response`, which cost more than most calls. */
  async function answerOfApi(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const answered = await answer(fromNode(request, baseURL.origin), optionsOf(request))
      // The rest of a refused body stays unread, so the connection cannot carry another request.
      if (answered.status === 413) response.shouldKeepAlive = false
      await send(answered, response)
      discardRest(request)
    } catch (err) {
      // An uncaught rejection would end the process.
      ctx.log.error({ err }, 'Sending a response failed')
      response.destroy()
    }
  }
}

/**
 * Reads past what a call left of an upload: the stream that it got holds the bytes back, and with them the connection's
 * next request. Node does the same for bodies that have no stream.
 */
function discardRest(request: IncomingMessage): void {
  if (request.complete) return
  request.removeAllListeners('data')
  request.resume()
}

/** The longest permission query on the fast path, in bytes. */
const questionLimit = 8192

/**
 * Whether a request comes from our own pages or from servers: a short unread JSON body, and either our own origin or
 * no sign of a browser. The general path checks everything else.
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

/** `express.json()` before us has consumed the stream: the call would see an empty body and do less than requested. */
function restoreParsedBody(request: IncomingMessage & { body?: unknown; rawBody?: unknown }): void {
  if (!request.readableEnded || request.body === undefined || request.rawBody !== undefined) return
  if (!/json/i.test(request.headers['content-type'] ?? '')) return
  request.rawBody = Buffer.from(JSON.stringify(request.body))
}

/** The original Host header; `headers` already has ours. */
function receivedHost({ rawHeaders }: { rawHeaders: string[] }): string {
  const at = rawHeaders.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'host')
  return (at < 0 ? undefined : rawHeaders[at + 1]) ?? ''
}

/**
 * Refused before URL parsing: absolute-form targets, `*`, paths with a backslash, which some parsers read as a slash,
 * and methods without meaning here.
 */
function isMeaningful({ url = '', method = '' }: IncomingMessage): boolean {
  return /^\/[^?\\]*(\?|$)/.test(url) && ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].includes(method)
}

export type RunningServer = { readonly server: Server; readonly port: number; stop(): Promise<void> }

/** A listening server. Until it gets something to serve, it answers only the health check. */
export type OpenServer = { readonly server: Server; serve(tollgate: Tollgate): RunningServer; close(): Promise<void> }

/** The longest wait for running requests at a stop, in milliseconds. */
const drainTimeout = 10_000

/** Listens at once, before migrations: load balancers get a "wait" instead of a refused connection. */
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
    // A connection is idle again after its last answer; while stopping, it takes no more requests.
    const resting = setInterval(() => server.closeIdleConnections(), 50)
    await closed
    clearTimeout(late)
    clearInterval(resting)
  }
  return {
    server,
    serve: (tollgate) => {
      const { lifecycle } = tollgate.internals.ctx
      const serving = toNodeHandler(tollgate)
      handler = (request, response) => {
        // Otherwise keep-alive would hold a used connection open past the stop.
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

/** Listens and serves. Stops gracefully: finishes running requests, then jobs, then the database. */
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
