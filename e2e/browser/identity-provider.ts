import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK } from 'jose'
import { type InteractionResults, Provider } from 'oidc-provider'
import { createStore } from '../../packages/server/src/features/social/testing/identity-provider.ts'
import { newKeySet } from '../../packages/server/src/features/social/testing/keys.ts'

/** The claims of a user with an account at the provider. */
export type Claims = { readonly name: string; readonly email: string; readonly email_verified: boolean }

/** A real OpenID Connect provider with its own sign-in and consent pages. */
export type IdentityProvider = AsyncDisposable & {
  readonly issuer: string
  readonly client: { readonly clientId: string; readonly clientSecret: string }
  /** Where a client that does not read the metadata finds it. */
  readonly endpoints: { readonly authorization: string; readonly token: string; readonly profile: string }
  /** Who has an account there, by the name that they type in. */
  readonly people: Map<string, Claims>
  /** Registers an application, as its developers do: answers may go to these addresses as well. */
  register(redirectUris: readonly string[]): Promise<void>
}

const clientId = 'tollgate'
const clientSecret = 'a secret between Tollgate and the provider'

export async function openIdentityProvider(): Promise<IdentityProvider> {
  let handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>
  const server = createServer((request, response) => void handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // By another name of this machine than the site has: for browsers the provider then is another site, and the cookies of
  // ours stay at home as they do in the world.
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}` // listening on a port, so not a pipe
  const people = new Map<string, Claims>()
  const store = createStore()
  const keys = await newKeySet()
  const allowed: string[] = []

  const provider = new Provider(issuer, {
    adapter: store,
    jwks: { keys: [{ ...(await exportJWK(keys.privateKey)), kid: keys.id, alg: 'RS256', use: 'sig' }] },
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ sub, ...people.get(sub) }) }),
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: false,
    // Of the two that one client stands for, one never sends a proof.
    pkce: { required: () => false },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    cookies: { keys: ['a key of tests'] },
    ttl: { AccessToken: 3600, IdToken: 3600, Grant: 3600, Interaction: 600, Session: 3600 },
  })

  const answer = provider.callback()
  handle = async (request, response) => {
    const [path = ''] = request.url?.split('?') ?? []
    // Browsers ask for it on their own.
    if (path === '/favicon.ico') return void response.writeHead(204).end()
    if (!path.startsWith('/interaction/')) return answer(request, response)
    const { prompt, params, session } = await provider.interactionDetails(request, response)
    if (request.method !== 'POST') return show(response, prompt.name === 'login' ? signInPage() : consentPage())

    const posted = await readForm(request)
    const finish = (result: InteractionResults) =>
      provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true })
    if (posted.has('cancel')) return finish({ error: 'access_denied', error_description: 'They refused' })
    if (prompt.name === 'login') {
      const account = posted.get('account') ?? ''
      return people.has(account) ? finish({ login: { accountId: account } }) : show(response, signInPage(account))
    }
    const grant = new provider.Grant({ accountId: session?.accountId ?? '', clientId: String(params.client_id) })
    grant.addOIDCScope(String(params.scope))
    return finish({ consent: { grantId: await grant.save() } })
  }

  return {
    issuer,
    client: { clientId, clientSecret },
    endpoints: { authorization: `${issuer}/auth`, token: `${issuer}/token`, profile: `${issuer}/me` },
    people,
    register: async (redirectUris) => {
      allowed.push(...redirectUris)
      const client = { client_id: clientId, client_secret: clientSecret, redirect_uris: allowed }
      await store('Client').upsert(clientId, { ...client, token_endpoint_auth_method: 'client_secret_post' }, 0)
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  let body = ''
  for await (const chunk of request) body += chunk
  return new URLSearchParams(body)
}

function show(response: ServerResponse, page: string): void {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }).end(page)
}

/** `unknown` is not a user's name there. */
const signInPage = (unknown?: string): string =>
  pageOf(
    'Sign in to Northwind',
    `${unknown === undefined ? '' : '<p role="alert">Nobody has this name.</p>'}
<label for="account">Account</label> <input id="account" name="account" autocomplete="username">
<button>Continue</button>`,
  )

const consentPage = (): string =>
  pageOf('Let Tollgate know who you are?', '<button>Allow</button> <button name="cancel" value="1">Cancel</button>')

const pageOf = (title: string, content: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>:focus-visible { outline: 3px solid #06c }</style>
</head>
<body>
<main><h1>${title}</h1><form method="post">${content}</form></main>
</body>
</html>
`
