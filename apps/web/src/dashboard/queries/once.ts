/**
 * A fetch by which nothing is made twice: whatever makes something is sent with a key, and the same again with the same one,
 * as long as nobody knows what has become of it (docs/billing-api.md, `Idempotency-Key`). It does not matter which form it
 * is sent from, or whether the one before was closed meanwhile.
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
 * Whether an answer says what has become of a request. After that the same is a wish of its own. 401, 403, 404 and 429 may be
 * said before anybody has looked at the key; 409 and 5xx say that it may have been done.
 */
const isDecided = ({ ok, status }: Response): boolean => ok || status === 400 || status === 422

/** Not `randomUUID`, which browsers keep to themselves on pages without TLS. */
const randomKey = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('')
