import type { Environment } from './environment.ts'

/** Why a call failed. `code` and `message` are the server's; a call without an answer has status 500. */
export type ClientError = {
  status: number
  statusText: string
  code?: string
  message?: string
  /** Seconds until the server accepts a retry (429 and 503). */
  retryAfter?: number
  /** All validation issues of a billing request, by member. */
  issues?: readonly InputIssue[]
  /** Where the customer pays, if the payment failed because it needs them. */
  paymentUrl?: string
  /** The request's id in the server's log, for support. */
  requestId?: string
}

/** A validation issue: its path in the wire's spelling, its message, and its type. */
export type InputIssue = { readonly loc: readonly (string | number)[]; readonly msg: string; readonly type: string }

/** The result of every call: one of the two is always null. */
export type Result<Data> = { data: Data; error: null } | { data: null; error: ClientError }

/** Options of a single call. */
export type CallOptions<Data = unknown> = {
  headers?: HeadersInit
  signal?: AbortSignal
  /** How often a failed GET is retried, one second apart. Writes are never retried. */
  retry?: number
  onSuccess?: (data: Data) => void
  onError?: (error: ClientError) => void
}

/** Options of `$fetch`: POST with a body and GET otherwise, unless the method is named. */
export type FetchOptions<Data = unknown> = CallOptions<Data> & {
  method?: string
  body?: unknown
  query?: object
}

/** One request, ready to be sent. */
export type Request = {
  url: string
  method: string
  headers: Headers
  body?: string | Blob
  signal?: AbortSignal
}

const retryDelay = 1000

/** Builds the request of a call below `base`. Undefined query members are left out; a list repeats its name. */
export function buildRequest(
  base: string,
  path: string,
  { method, body, query, headers, signal }: Pick<FetchOptions, 'method' | 'body' | 'query' | 'headers' | 'signal'>,
  shared: HeadersInit | undefined,
): Request {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === undefined || value === null) continue
    for (const each of [value].flat()) search.append(name, String(each))
  }
  const merged = new Headers(shared)
  new Headers(headers).forEach((value, name) => {
    merged.set(name, value)
  })
  const verb = method?.toUpperCase() ?? (body === undefined ? 'GET' : 'POST')
  const isFile = body instanceof Blob
  // A POST without input still declares JSON: the server refuses other content types. A file declares its own.
  if (verb !== 'GET' && !isFile && !merged.has('content-type')) merged.set('content-type', 'application/json')
  merged.set('accept', 'application/json')

  return {
    url: `${base}/${path.replace(/^\/+/, '')}${search.size > 0 ? `?${search}` : ''}`,
    method: verb,
    headers: merged,
    ...(verb === 'GET' ? {} : { body: isFile ? body : JSON.stringify(body ?? {}) }),
    ...(signal ? { signal } : {}),
  }
}

/** Sends a request and converts any outcome into a result. Never rejects. */
export async function send<Data>(
  request: Request,
  fetcher: typeof fetch,
  retries: number,
  after: Environment['after'],
): Promise<Result<Data>> {
  for (let attempt = 0; ; attempt++) {
    const result = await attemptOnce<Data>(request, fetcher)
    const transient = result.error && (result.error.status >= 500 || result.error.status === 408)
    const mayRepeat = transient && request.method === 'GET' && attempt < retries && !request.signal?.aborted
    if (!mayRepeat) return result
    await wait(after, request.signal)
  }
}

async function attemptOnce<Data>(request: Request, fetcher: typeof fetch): Promise<Result<Data>> {
  try {
    const { url, ...init } = request
    const response = await fetcher(url, { ...init, credentials: 'include' })
    const body = await readJson(response)
    // The contract guarantees the answer's shape; the server's tests check it.
    return response.ok ? { data: body as Data, error: null } : { data: null, error: toError(response, body) }
  } catch (cause) {
    return unanswered(cause)
  }
}

/** A call without an answer, or one that could not be made (specification, section 8: "Client errors"). */
export function unanswered(cause: unknown): { data: null; error: ClientError } {
  const message = cause instanceof Error ? cause.message : String(cause)
  return { data: null, error: { status: 500, statusText: 'Fetch error', message } }
}

/** An empty or non-JSON body counts as null: proxies seldom refuse in JSON. */
async function readJson(response: Response): Promise<unknown> {
  const text = await response.text()
  try {
    return text ? JSON.parse(text) : null
  } catch {
    return null
  }
}

function toError(response: Response, body: unknown): ClientError {
  const error: ClientError = { status: response.status, statusText: response.statusText }
  const { code, message } = (body ?? {}) as { code?: unknown; message?: unknown }
  if (typeof code === 'string') error.code = code
  if (typeof message === 'string') error.message = message
  // The billing API uses its ecosystem's error shape.
  const { error: name, detail, payment_url: paymentUrl } = (body ?? {}) as Readonly<Record<string, unknown>>
  if (typeof name === 'string') error.code ??= name
  if (typeof detail === 'string') error.message ??= detail
  if (typeof paymentUrl === 'string') error.paymentUrl = paymentUrl
  if (Array.isArray(detail)) {
    error.issues = detail as InputIssue[] // the server's own, by its contract
    error.message ??= error.issues.map(issueText).join('; ')
  }

  const requestId = response.headers.get('x-request-id')
  if (requestId !== null) error.requestId = requestId
  const wait = Number(response.headers.get('retry-after') ?? response.headers.get('x-retry-after') ?? Number.NaN)
  if (Number.isFinite(wait) && wait >= 0) error.retryAfter = Math.ceil(wait)
  return error
}

/** The member and message of an issue, such as "customer_email: Field required", without its place. */
function issueText({ loc, msg }: InputIssue): string {
  const member = loc.slice(1).join('.')
  return member ? `${member}: ${msg}` : msg
}

function wait(after: Environment['after'], signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const cancel = after(retryDelay, resolve)
    signal?.addEventListener(
      'abort',
      () => {
        cancel()
        resolve()
      },
      { once: true },
    )
  })
}
