import { createHash } from 'node:crypto'
import type { SocialProvider } from '@tollgate/contract/calls'
import { generateKeyPair, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { after, type Clock, minutes } from '../../../foundation/clock.ts'
import { providerRecords, type RecordedAnswers } from '../profiles.test-data.ts'
import type { Json } from '../protocol/provider.ts'
import { type Habits, habits } from './habits.ts'
import { newKeySet } from './keys.ts'

/** One provider as documented, reached at its real addresses through `fetch`. */
export type StandIn = {
  readonly id: SocialProvider
  readonly clientId: string
  readonly clientSecret: string
  /** Replaces the network: no other address answers. */
  readonly fetch: typeof fetch
  /** The requests in order: method and address without its query. */
  readonly asked: string[]
  /** The signed-in person, with their claims. */
  person: RecordedAnswers
  /** The token call's answer, without the id token. */
  token: Json
  /** Answers in place of the call at an address, until removed. */
  readonly instead: Map<string, (init: RequestInit) => Response | Promise<Response>>
  /** Changes the claims or header of id tokens, or replaces the tokens. */
  idToken: (claims: Json, sign: (claims: Json) => Promise<string>) => Promise<string>
  /** Makes an id token as it would for an application. */
  sign(claims: Json): Promise<string>
  /**
   * The person consents: reads the authorization request as the provider would, and returns what it sends to the
   * callback. Throws where the provider would show an error page.
   */
  agree(authorization: string): Record<string, string>
  /** Rotates its signing keys and publishes only the new ones. */
  changeKeys(): Promise<void>
}

/** A granted consent until its code is exchanged. */
type Grant = { readonly request: URLSearchParams; used: boolean }

/** Characters that some providers take literally in a Basic header. */
const clientId = 'our-client_id'
const clientSecret = 'our_client-secret'

/** Shared, because making a pair takes longer than a whole sign-in. */
const firstKeys = await newKeySet()

export function createStandIn(id: SocialProvider, clock: Clock): StandIn {
  const habit = habits[id]
  const record = providerRecords[id]
  const grants = new Map<string, Grant>()
  const live = { accessToken: '', refreshToken: '', count: 0 }
  let keys = firstKeys

  const sign = (claims: Json): Promise<string> =>
    new SignJWT({
      iss: habit.issuer ?? '',
      aud: clientId,
      iat: Math.floor(clock.now().getTime() / 1000),
      exp: Math.floor(after(clock.now(), minutes(60)).getTime() / 1000),
      ...claims,
    } as JWTPayload) // Taken as given: tests pass values that should be refused.
      .setProtectedHeader({ alg: 'RS256', kid: keys.id })
      .sign(keys.privateKey)

  const giveTokens = async (nonce: string | null): Promise<Json> => {
    live.count += 1
    const { access_token, refresh_token } = standIn.token
    const claims = standIn.person.claims
    live.accessToken = `${access_token}.${live.count}`
    if (refresh_token !== undefined) live.refreshToken = `${refresh_token}.${live.count}`
    return {
      ...standIn.token,
      access_token: live.accessToken,
      ...(refresh_token !== undefined && { refresh_token: live.refreshToken }),
      ...(claims && { id_token: await standIn.idToken({ ...claims, ...(nonce && { nonce }) }, sign) }),
    }
  }

  const answerToken = async (init: RequestInit): Promise<Response> => {
    const form = new URLSearchParams(String(init.body))
    const fault = await clientFault(habit, clock, form, new Headers(init.headers))
    if (fault) return json({ error: 'invalid_client', error_description: fault }, 401)
    if (form.get('grant_type') === 'refresh_token') {
      if (form.get('refresh_token') !== live.refreshToken || live.refreshToken === '')
        return json({ error: 'invalid_grant', error_description: 'refresh token' }, 400)
      if (habit.deviceId && form.get('device_id') !== habit.deviceId)
        return json({ error: 'invalid_request', error_description: 'device_id' })
      return json(await giveTokens(null))
    }
    const grant = grants.get(form.get('code') ?? '')
    const wrong = grantFault(habit, grant, form)
    if (!grant || wrong) return json({ error: 'invalid_grant', error_description: wrong }, 400)
    grant.used = true
    return json(await giveTokens(grant.request.get('nonce')))
  }

  const answerPerson = (answer: unknown, address: URL, init: RequestInit): Response => {
    const headers = new Headers(init.headers)
    const form = new URLSearchParams(typeof init.body === 'string' ? init.body : '')
    const shown = habit.tokenInForm ? form.get('access_token') : headers.get('authorization')?.replace(/^Bearer /, '')
    const fault =
      shown !== live.accessToken
        ? 'access token'
        : habit.profileMethod !== undefined && init.method !== habit.profileMethod
          ? 'method'
          : habit.userAgent && !habit.userAgent.test(headers.get('user-agent') ?? '')
            ? 'user agent'
            : habit.profileParams?.find((name) => !address.searchParams.has(name) && !form.has(name))
    if (fault !== undefined) return json({ error: 'invalid_request', error_description: fault }, 401)
    return answer === undefined ? json({ error: 'not_found' }, 404) : json(answer)
  }

  const standIn: StandIn = {
    id,
    clientId,
    clientSecret,
    asked: [],
    instead: new Map(),
    person: record.full,
    token: record.token,
    sign,
    idToken: (claims, signIt) => signIt(claims),
    agree: (authorization) => {
      const url = new URL(authorization)
      const request = url.searchParams
      const fault = authorizationFault(habit, url)
      if (fault) throw new Error(`${id} refuses the authorization request: ${fault}\n${authorization}`)
      const code = `code ${grants.size + 1}`
      grants.set(code, { request, used: false })
      const { user } = standIn.person
      return {
        code,
        state: request.get('state') ?? '',
        ...(habit.deviceId && { device_id: habit.deviceId }),
        ...(user && { user }),
      }
    },
    changeKeys: async () => {
      keys = await newKeySet()
    },
    fetch: async (input, init = {}) => {
      const address = new URL(input instanceof Request ? input.url : input)
      const place = address.origin + address.pathname
      standIn.asked.push(`${init.method ?? 'GET'} ${place}`)
      const other = standIn.instead.get(place)
      if (other) return other(init)
      if (place === habit.token) return init.method === 'POST' ? answerToken(init) : json({ error: 'method' }, 405)
      if (place === habit.jwks) return json({ keys: [keys.publicKey] })
      if (place === habit.profile) return answerPerson(standIn.person.profile ?? standIn.person.claims, address, init)
      if (place === habit.email) return answerPerson(standIn.person.email, address, init)
      throw new TypeError(`no server at ${place}`)
    },
  }
  return standIn
}

export const json = (body: unknown, status = 200): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })

/** What the provider's page would refuse. */
function authorizationFault(habit: Habits, url: URL): string | undefined {
  const request = url.searchParams
  const expected: Record<string, string> = {
    response_type: 'code',
    [habit.clientIdName ?? 'client_id']: clientId,
    ...habit.authorization,
  }
  if (url.origin + url.pathname !== habit.authorize) return 'address'
  if (url.search.includes('+')) return 'a blank that is written as +'
  for (const [name, value] of Object.entries(expected)) if (request.get(name) !== value) return name
  if (!/^[A-Za-z0-9]{32}$/.test(request.get('state') ?? '')) return 'state'
  if (!request.get('redirect_uri')) return 'redirect_uri'
  const scopes = (request.get('scope') ?? '').split(habit.scopeSeparator ?? ' ').filter(Boolean)
  if (habit.scopes.some((scope) => !scopes.includes(scope))) return 'scope'
  if (habit.pkce !== 'none' && request.get('code_challenge_method') !== 'S256') return 'code_challenge_method'
  if (habit.pkce === 'none' && request.has('code_challenge')) return 'code_challenge'
  if (habit.nonce && !request.get('nonce')) return 'nonce'
  return undefined
}

/** Why the application's authentication is invalid (RFC 6749, section 2.3); undefined when it is valid. */
async function clientFault(habit: Habits, clock: Clock, form: URLSearchParams, headers: Headers) {
  const basic = headers.get('authorization')
  const shown = {
    id: form.get(habit.clientIdName ?? 'client_id'),
    secret: form.get('client_secret'),
  }
  if (habit.userAgent && habit.userAgentAtToken && !habit.userAgent.test(headers.get('user-agent') ?? ''))
    return 'user agent'
  // Compared without decoding.
  const isBasic = basic === `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
  const isPost = shown.id === clientId && shown.secret === clientSecret && basic === null
  if (habit.client === 'basic') return isBasic && shown.secret === null ? undefined : 'the Basic header'
  if (habit.client === 'post') return isPost ? undefined : 'id and secret in the body'
  if (habit.client === 'either') return isBasic || isPost ? undefined : 'id and secret'
  if (habit.client === 'none')
    return shown.id === clientId && shown.secret === null && basic === null ? undefined : 'the id alone'
  return shown.id === clientId && (await isSignedSecret(shown.secret ?? '', clock)) ? undefined : 'the signed secret'
}

/** The key that signs our secret at Apple. */
export const appleKey = await generateKeyPair('ES256', { extractable: true })
export const appleTeam = { teamId: 'TEAM123456', keyId: 'KEY1234567' }

async function isSignedSecret(secret: string, clock: Clock): Promise<boolean> {
  const { protectedHeader, payload } = await jwtVerify(secret, appleKey.publicKey, {
    issuer: appleTeam.teamId,
    subject: clientId,
    audience: 'https://appleid.apple.com',
    algorithms: ['ES256'],
    requiredClaims: ['iat', 'exp'],
    currentDate: clock.now(),
  })
  return protectedHeader.kid === appleTeam.keyId && (payload.exp ?? 0) - (payload.iat ?? 0) <= 15_777_000
}

/** Why a code is invalid (RFC 6749, section 4.1.3; RFC 7636, section 4.6); undefined when it is valid. */
function grantFault(habit: Habits, grant: Grant | undefined, form: URLSearchParams): string | undefined {
  if (form.get('grant_type') !== 'authorization_code') return 'grant_type'
  if (!grant || grant.used) return 'code'
  if (form.get('redirect_uri') !== grant.request.get('redirect_uri')) return 'redirect_uri'
  const verifier = form.get('code_verifier')
  if (habit.pkce === 'none') return verifier === null ? undefined : 'code_verifier'
  if (!/^[A-Za-z0-9]{128}$/.test(verifier ?? '')) return 'code_verifier'
  const digest = createHash('sha256')
    .update(verifier ?? '')
    .digest(habit.pkce === 'hex' ? 'hex' : 'base64url')
  if (digest !== grant.request.get('code_challenge')) return 'code_verifier'
  if (habit.deviceId && form.get('device_id') !== habit.deviceId) return 'device_id'
  return undefined
}
