import type { SocialProvider } from '@tollgate/contract/calls'
import { exportPKCS8 } from 'jose'
import { type Clock, standingClock } from '../../../foundation/clock.ts'
import type { ProviderOptions, TollgateConfig } from '../../../foundation/config/config.ts'
import { createTestServer, type TestAnswer, type TestServer, testStart, type Visitor } from '../../../testing.ts'
import { habits } from './habits.ts'
import { appleKey, appleTeam, createStandIn, type StandIn } from './stand-in.ts'

/** A server where people sign in at providers, and the stand-ins for those providers. */
export type SocialServer = TestServer & { at(id: SocialProvider): StandIn }

/** Provider settings that a stand-in accepts. */
export async function settingsOf({ id, clientId, clientSecret }: StandIn): Promise<ProviderOptions> {
  if (id !== 'apple') return { clientId, clientSecret }
  return { clientId, ...appleTeam, privateKey: await exportPKCS8(appleKey.privateKey) }
}

/** A server with these providers, each reached at its own addresses. `further` is added to each one's settings. */
export async function createSocialServer(
  ids: readonly SocialProvider[],
  {
    further = {},
    env,
    ...config
  }: TollgateConfig & { further?: Partial<ProviderOptions>; env?: Record<string, string> } = {},
  clock: Clock = standingClock(testStart),
): Promise<SocialServer> {
  const standIns = new Map<string, StandIn>()
  const socialProviders: Record<string, ProviderOptions> = {}
  for (const id of ids) {
    const standIn = createStandIn(id, clock)
    standIns.set(id, standIn)
    socialProviders[id] = { ...(await settingsOf(standIn)), ...further }
  }
  const server = await createTestServer(
    { ...config, socialProviders: { ...socialProviders, ...config.socialProviders } },
    { clock, fetch: fetchOf([...standIns.values()]), ...(env && { env }) },
  )
  const at = (id: SocialProvider): StandIn => {
    const standIn = standIns.get(id)
    if (!standIn) throw new Error(`${id} is not on`)
    return standIn
  }
  return Object.assign(server, { at })
}

/** Routes each request to the provider whose host it names. */
function fetchOf(standIns: readonly StandIn[]): typeof fetch {
  const hostsOf = ({ id }: StandIn): string[] => {
    const { token, profile, email, jwks } = habits[id]
    return [token, profile, email, jwks].flatMap((address) => (address ? [new URL(address).host] : []))
  }
  return async (input, init) => {
    const { host } = new URL(input instanceof Request ? input.url : input)
    const standIn = standIns.find((each) => hostsOf(each).includes(host))
    if (!standIn) throw new TypeError(`no server at ${host}`)
    return standIn.fetch(input, init)
  }
}

/** The address of the provider's sign-in page. */
export async function begin(visitor: Visitor, provider: string, body: Record<string, unknown> = {}): Promise<string> {
  const answer = await visitor.post('/sign-in/social', { provider, ...body })
  if (answer.status !== 200) throw new Error(`sign-in/social answered ${answer.status}: ${answer.text}`)
  return answer.body.url
}

/** The same for linking an account. */
export async function beginLink(
  visitor: Visitor,
  provider: string,
  body: Record<string, unknown> = {},
): Promise<string> {
  const answer = await visitor.post('/link-social', { provider, ...body })
  if (answer.status !== 200) throw new Error(`link-social answered ${answer.status}: ${answer.text}`)
  return answer.body.url
}

/** The browser returns from the provider with these values. */
export const comeBack = (visitor: Visitor, provider: string, values: Record<string, string>): Promise<TestAnswer> =>
  visitor.get(`/callback/${provider}?${new URLSearchParams(values)}`)

/**
 * From the provider's page to the end, by link or by posted form. The browser sends no cookies with a form posted by
 * another site (SameSite=Lax).
 */
export async function finish(
  server: TestServer,
  visitor: Visitor,
  standIn: StandIn,
  authorization: string,
): Promise<TestAnswer> {
  const values = standIn.agree(authorization)
  if (!habits[standIn.id].formPost) return comeBack(visitor, standIn.id, values)
  const posted = await post(server, standIn.id, values)
  if (posted.status !== 303) throw new Error(`the posted answer got ${posted.status}: ${posted.text}`)
  return visitor.request('GET', posted.headers.get('location') ?? '')
}

/** A form posted by the provider's page. */
export const post = (server: TestServer, provider: string, values: Record<string, string>): Promise<TestAnswer> =>
  server.visitor().request('POST', `/api/auth/callback/${provider}`, {
    raw: new URLSearchParams(values).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: new URL(habits.apple.authorize).origin },
  })

/** Begins and finishes a sign-in; returns the final redirect. */
export async function signIn(
  server: SocialServer,
  visitor: Visitor,
  provider: SocialProvider,
  body: Record<string, unknown> = {},
): Promise<string> {
  const standIn = server.at(provider)
  return target(await finish(server, visitor, standIn, await begin(visitor, provider, body)))
}

/** Begins and finishes the linking of an account. */
export async function link(
  server: SocialServer,
  visitor: Visitor,
  provider: SocialProvider,
  body: Record<string, unknown> = {},
): Promise<string> {
  const standIn = server.at(provider)
  return target(await finish(server, visitor, standIn, await beginLink(visitor, provider, body)))
}

/** The redirect of a callback; every callback redirects. */
export function target({ status, headers, text }: TestAnswer): string {
  if (status !== 302) throw new Error(`a callback answered ${status}: ${text}`)
  return headers.get('location') ?? ''
}

/** The error page of a server, with a code. */
export const errorPage = (code: string): string => `http://localhost:3000/api/auth/error?error=${code}`

/** The signed-in user; null without one. */
export const whoIs = async (visitor: Visitor) => (await visitor.get('/get-session')).body?.user ?? null
