import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'
import type { jwtCalls } from './jwt.calls.ts'

/** A public key as a JSON Web Key (RFC 7517, RFC 8037). */
const publicKey = z.looseObject({ kid: z.string(), kty: z.string(), alg: z.string().optional() })

/** Answers of the token calls. */
export const jwtSchemas = {
  getToken: {
    summary: 'Returns a signed token of the session’s user, which other services verify with /jwks.',
    output: z.object({ token: z.string() }),
    errors: ['UNAUTHORIZED', 'NOT_FOUND'],
  },
  getJwks: {
    summary: 'Returns the public keys that verify tokens.',
    output: z.object({ keys: z.array(publicKey) }),
    errors: ['NOT_FOUND'],
  },
} as const satisfies Record<keyof typeof jwtCalls, Endpoint>
