import type { Call } from './call.ts'

/** Signed tokens that another service can verify by itself (auth contract, section 7). */
export const jwtCalls = {
  getToken: { method: 'GET', path: '/token', auth: 'session' },
  getJwks: { method: 'GET', path: '/jwks', auth: 'none', publicFor: 300 },
} as const satisfies Record<string, Call>
