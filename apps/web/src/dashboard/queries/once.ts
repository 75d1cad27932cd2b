/**
 * A fetch that creates nothing twice. A creating request carries a key, and an equal request reuses it until the
 * outcome is known (docs/billing-api.md, `Idempotency-Key`), even from another form or after the dialog was closed.
 */
export function createOnce(ask: typeof fetch): typeof fetch {
  const keys = new Map<string, string>()
  return async (url, init) => {
    if (init?.method !== 'POST') return ask(url, init)
    const request = `${url} ${init.body}`
    const key = keys.get(request) ?? randomKey()
    keys.set(request, key)
    const headers = new Headers(init.headers)
    headers.set('idempotency-key', key)
    const answer = await ask(url, { ...init, headers })
    // One that breaks off half-way is none.
    await answer.clone().arrayBuffer()
    if (isDecided(answer)) keys.delete(request)
    return answer
  }
}

/**
 * Whether an answer settles a request, so that an equal one gets a new key. 401, 403, 404 and 429 may come before the
 * key is checked; after 409 and 5xx the request may have succeeded.
 */
const isDecided = ({ ok, status }: Response): boolean => ok || status === 400 || status === 422

/** Not `randomUUID`, which needs a secure context. */
const randomKey = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('')
