import type { Call } from './call.ts'

/** Signed tokens that other services verify by themselves (auth contract, section 7). */
export const jwtCalls = {
  getToken: { method: 'GET', path: '/token', auth: 'session', feature: 'jwt' },
  getJwks: { method: 'GET', path: '/jwks', auth: 'none', publicFor: 300, feature: 'jwt' },
} as const satisfies Record<string, Call>
