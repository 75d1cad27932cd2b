/** An answer, or status 0 where the connection broke before there was one. */
export type CallAnswer = {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any
  readonly text: string
}

export const password = 'correct horse battery'

type CallOptions = {
  readonly cookie?: string
  readonly headers?: Record<string, string>
  readonly timeout?: number
  /** What the path lies below; default: accounts and organizations. */
  readonly root?: '/api/auth' | '/v1'
}

/** GET of an API call, or POST where there is a body. */
export async function call(
  baseURL: string,
  path: string,
  body?: unknown,
  { cookie, headers, timeout = 40_000, root = '/api/auth' }: CallOptions = {},
): Promise<CallAnswer> {
  try {
    const response = await fetch(`${baseURL}${root}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json', origin: baseURL }),
        ...(cookie && { cookie }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeout),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: parse(text) }
  } catch {
    return { status: 0, headers: new Headers(), text: '', body: undefined }
  }
}

/** The status of a sign-up, 0 when the server was gone before its answer. */
export const signUp = async (baseURL: string, email: string): Promise<number> =>
  (await call(baseURL, '/sign-up/email', { name: 'Ada', email, password })).status

/** Signs a user up and returns their Cookie header. */
export async function signedUp(baseURL: string, email: string, name = 'Ada'): Promise<string> {
  const { status, headers, text } = await call(baseURL, '/sign-up/email', { name, email, password })
  if (status !== 200) throw new Error(`sign-up answered ${status}: ${text}`)
  return cookieOf(headers)
}

export const cookieOf = (headers: Headers): string =>
  headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
