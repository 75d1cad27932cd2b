import type { Environment } from './environment.ts'

/** Why a call failed. `code` and `message` are the server's; a call that never got an answer has status 500. */
export type ClientError = {
  status: number
  statusText: string
  code?: string
  message?: string
  /** Seconds after which the server wants to hear from us again (429 and 503). */
  retryAfter?: number
  /** All that is wrong with a request of the billing API, by its members. */
  issues?: readonly InputIssue[]
  /** Names the request in the server's log, for whoever looks into it. */
  requestId?: string
}

/** What is wrong with one member of a request: the way to it in the wire's spelling, in words, and its kind. */
export type InputIssue = { readonly loc: readonly (string | number)[]; readonly msg: string; readonly type: string }

/** What every call answers: one of the two is always null. */
export type Result<Data> = { data: Data; error: null } | { data: null; error: ClientError }

/** What a single call may set besides its input. */
export type CallOptions<Data = unknown> = {
  headers?: HeadersInit
  signal?: AbortSignal
  /** How often a failed GET is tried again, one second apart. Writes are never repeated. */
  retry?: number
  onSuccess?: (data: Data) => void
  onError?: (error: ClientError) => void
}

/** What `$fetch` takes: POST when there is a body and GET otherwise, unless the method is named. */
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
  body?: string
  signal?: AbortSignal
}

const retryDelay = 1000

/** Builds the request of a call below `base`; unset members of the query are left out, lists are several of one name. */
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
  // A POST without input still says that it is JSON: the server refuses every other content type.
  if (verb !== 'GET' && !merged.has('content-type')) merged.set('content-type', 'application/json')
  merged.set('accept', 'application/json')

  return {
    url: `${base}/${path.replace(/^\/+/, '')}${search.size > 0 ? `?${search}` : ''}`,
    method: verb,
    headers: merged,
    ...(verb === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }),
    ...(signal ? { signal } : {}),
  }
}

/** Sends a request and turns whatever comes back, or does not, into a result. Never rejects. */
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
    // The answer's shape is the contract's: the server is held to it by its own tests.
    return response.ok ? { data: body as Data, error: null } : { data: null, error: toError(response, body) }
  } catch (cause) {
    return unanswered(cause)
  }
}

/** A call that got no answer, or could not even be made (specification, section 8: "Client errors"). */
export function unanswered(cause: unknown): { data: null; error: ClientError } {
  const message = cause instanceof Error ? cause.message : String(cause)
  return { data: null, error: { status: 500, statusText: 'Fetch error', message } }
}

/** An empty or non-JSON body counts as null: refusals from a proxy are seldom JSON. */
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
  // The billing API says it in its ecosystem's words.
  const { error: name, detail } = (body ?? {}) as { error?: unknown; detail?: unknown }
  if (typeof name === 'string') error.code ??= name
  if (typeof detail === 'string') error.message ??= detail
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

/** What is wrong with which member, such as "customer_email: Field required"; where it stands in the request goes unsaid. */
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
