import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK } from 'jose'
import { type Adapter, type AdapterPayload, Provider } from 'oidc-provider'
import { systemClock } from '../../../foundation/clock.ts'
import type { Json, ProviderEndpoints } from '../protocol/provider.ts'
import { type Habits, habits } from './habits.ts'
import { newKeySet } from './keys.ts'

/** A real OpenID Connect provider in this process: a custom one, or at the addresses of a known one. */
export type IdentityProvider = AsyncDisposable & {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** The known provider's addresses, on this machine: for servers in their own processes. */
  readonly endpoints: ProviderEndpoints
  /** Replaces the network: the provider's addresses lead here. */
  readonly fetch: typeof fetch
  /** The provider's accounts by id, with their claims. */
  readonly people: Map<string, Json>
  /**
   * Opens the authorization request as a browser does, and signs in as a person or refuses (`null`). Returns the
   * values and the method of the provider's answer.
   */
  visit(authorization: string, person: string | null): Promise<Comeback>
}

export type Comeback = { readonly method: 'GET' | 'POST'; readonly values: Record<string, string> }

type Kind = 'google' | 'microsoft' | 'apple' | 'linkedin' | 'own'

const clientId = 'our-client_id'
const clientSecret = 'our_client-secret'
const keys = await newKeySet()
const privateJwk = { ...(await exportJWK(keys.privateKey)), kid: keys.id, alg: 'RS256', use: 'sig' }

/** Starts a provider on a free port; `redirectUris` are the addresses it may redirect to. */
export async function startIdentityProvider(kind: Kind, redirectUris: readonly string[]): Promise<IdentityProvider> {
  const habit = kind === 'own' ? undefined : habits[kind]
  const people = new Map<string, Json>()
  const choice: { person: string | null } = { person: null }
  let handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>
  const server = createServer((request, response) => void handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // Listening on a port, so not a pipe.
  const issuer = habit?.issuer ?? address

  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [...redirectUris],
        grant_types: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_method: habit ? 'client_secret_post' : 'client_secret_basic',
      },
    ],
    adapter: createStore(),
    jwks: { keys: [privateJwk] },
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ sub, ...people.get(sub) }) }),
    claims: {
      openid: ['sub', 'tid', 'xms_edov'],
      email: ['email', 'email_verified'],
      profile: ['name', 'picture', 'preferred_username'],
    },
    // Like the known providers: all claims are in the id token.
    conformIdTokenClaims: false,
    pkce: { required: () => habit?.pkce !== 'none' },
    issueRefreshToken: async () => true,
    rotateRefreshToken: true,
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    cookies: { keys: ['a key of tests'] },
    ttl: { AccessToken: 3600, IdToken: 86_400, RefreshToken: 86_400, Grant: 86_400, Interaction: 600, Session: 600 },
    ...(habit && { routes: routesOf(habit) }),
  })

  const answer = provider.callback()
  handle = async (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return answer(request, response)
    const { params } = await provider.interactionDetails(request, response)
    const { person } = choice
    if (person === null)
      return provider.interactionFinished(request, response, {
        error: 'access_denied',
        error_description: 'They refused',
      })
    const grant = new provider.Grant({ accountId: person, clientId: String(params.client_id) })
    grant.addOIDCScope('openid email profile')
    const result = { login: { accountId: person }, consent: { grantId: await grant.save() } }
    return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
  }

  const local = (target: string): string => {
    const { pathname, search } = new URL(target, address)
    return address + pathname + search
  }
  return {
    issuer,
    clientId,
    clientSecret,
    endpoints: {
      authorization: local(habit?.authorize ?? '/auth'),
      token: local(habit?.token ?? '/token'),
      profile: local(habit?.profile ?? '/me'),
      jwks: local(habit?.jwks ?? '/jwks'),
    },
    people,
    fetch: (input, init) => fetch(local(input instanceof Request ? input.url : String(input)), init),
    visit: async (authorization, person) => {
      choice.person = person
      const url = new URL(authorization)
      // Apple issues id tokens to every client that requests a name.
      const scopes = url.searchParams.get('scope') ?? ''
      if (!scopes.includes('openid')) url.searchParams.set('scope', `openid ${scopes}`)
      return follow(local(url.href), local, new URL(url.searchParams.get('redirect_uri') ?? ''))
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The provider's memory for the length of the test. */
export function createStore(): (model: string) => Adapter {
  const kept = new Map<string, AdapterPayload>()
  return (model) => {
    const keyOf = (id: string): string => `${model}:${id}`
    const find = async (fits: (payload: AdapterPayload) => boolean) =>
      [...kept].find(([key, payload]) => key.startsWith(`${model}:`) && fits(payload))?.[1]
    return {
      upsert: async (id, payload) => void kept.set(keyOf(id), payload),
      find: async (id) => kept.get(keyOf(id)),
      findByUid: (uid) => find((payload) => payload.uid === uid),
      findByUserCode: (userCode) => find((payload) => payload.userCode === userCode),
      consume: async (id) => {
        // By the machine's clock, like the rest of the provider.
        Object.assign(kept.get(keyOf(id)) ?? {}, { consumed: Math.floor(systemClock.now().getTime() / 1000) })
      },
      destroy: async (id) => void kept.delete(keyOf(id)),
      revokeByGrantId: async (grantId) => {
        for (const [key, payload] of kept) if (payload.grantId === grantId) kept.delete(key)
      },
    }
  }
}

/** Its calls at the known provider's paths. */
function routesOf({ authorize, token, jwks, profile }: Habits): Record<string, string> {
  const named = { authorization: authorize, token, jwks, userinfo: profile }
  return Object.fromEntries(Object.entries(named).flatMap(([name, at]) => (at ? [[name, new URL(at).pathname]] : [])))
}

/** Follows the provider's pages like a browser, until they redirect to the application. */
async function follow(start: string, local: (target: string) => string, back: URL): Promise<Comeback> {
  const cookies = new Map<string, string>()
  let address = start
  for (let step = 0; step < 10; step += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(address, { redirect: 'manual', headers: { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const page = await response.text()
    const to = response.headers.get('location')
    if (to === null) return readForm(page, back)
    const target = new URL(to, address)
    if (target.origin + target.pathname === back.origin + back.pathname)
      return { method: 'GET', values: Object.fromEntries(target.searchParams) }
    address = local(target.href)
  }
  throw new Error("the provider's pages redirect in a loop")
}

/** The form that the provider's page would post (OAuth 2.0 Form Post Response Mode). */
function readForm(page: string, back: URL): Comeback {
  const action = /<form[^>]*\baction="([^"]*)"/.exec(page)?.[1]
  if (action !== back.href) throw new Error(`the provider shows a page of its own: ${page}`)
  const fields = [...page.matchAll(/<input[^>]*\bname="([^"]*)"[^>]*\bvalue="([^"]*)"/g)]
  return { method: 'POST', values: Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value])) }
}
