/** A cookie as the server set it: its value and its attributes in lower case. */
export type Cookie = { readonly value: string; readonly attributes: ReadonlyMap<string, string> }

/** What of a browser matters to the server: it keeps cookies, and says where a request comes from. */
export type Browser = {
  readonly cookies: Map<string, Cookie>
  /** For libraries that take a `fetch`. */
  readonly fetch: typeof fetch
  /** Follows a link as a click in a mail does, but stops before a redirect. */
  visit(address: string): Promise<Response>
}

/** A browser that shows pages of this origin. */
export function openBrowser(origin: string, userAgent = 'Mozilla/5.0 (X11; Linux x86_64) Tests'): Browser {
  const cookies = new Map<string, Cookie>()

  const send = async (request: Request, from: 'page' | 'mail', init: RequestInit): Promise<Response> => {
    const headers = new Headers(request.headers)
    const cookie = [...cookies].map(([name, { value }]) => `${name}=${value}`).join('; ')
    if (cookie) headers.set('cookie', cookie)
    headers.set('user-agent', userAgent)
    headers.set('sec-fetch-site', from === 'page' ? 'same-origin' : 'cross-site')
    // Browsers name the origin of whatever may change something; a plain link says nothing.
    if (request.method !== 'GET' && request.method !== 'HEAD') headers.set('origin', origin)
    const response = await fetch(new Request(request, { headers }), init)
    for (const line of response.headers.getSetCookie()) keep(cookies, line)
    return response
  }
  return {
    cookies,
    fetch: (input, init) => send(new Request(input, init), 'page', {}),
    visit: (address) => send(new Request(address), 'mail', { redirect: 'manual' }),
  }
}

function keep(cookies: Map<string, Cookie>, line: string): void {
  const [[name = '', value = ''] = [], ...rest] = line.split(';').map(toPair)
  const attributes = new Map(rest.map(([key, given]) => [key.toLowerCase(), given]))
  if (attributes.get('max-age') === '0') cookies.delete(name)
  else cookies.set(name, { value, attributes })
}

function toPair(text: string): [string, string] {
  const at = text.indexOf('=')
  return at < 0 ? [text.trim(), ''] : [text.slice(0, at).trim(), text.slice(at + 1).trim()]
}
