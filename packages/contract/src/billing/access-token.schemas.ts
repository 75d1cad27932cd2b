import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { storable } from '../fields.ts'
import type { accessTokenCalls } from './access-token.calls.ts'
import { byId, foreignId, listOf, listQuery, sellerErrors, stamped, utc, writeErrors } from './fields.ts'
import { scopes } from './scopes.ts'

const scope = z.enum(scopes as [(typeof scopes)[number], ...(typeof scopes)[number][]])
const scopeList = z
  .array(scope)
  .min(1)
  .max(100)
  .transform((list) => [...new Set(list)])
const comment = storable(256).trim().min(1)

/** A token without its secret, which only its creation returns. */
const accessToken = z.object({
  ...stamped,
  comment: z.string(),
  scopes: z.array(z.string()),
  /** The last four characters, to tell tokens apart. */
  lastFour: z.string(),
  expiresAt: utc.nullable(),
  lastUsedAt: utc.nullable(),
  organizationId: z.string(),
})

/** Bodies, queries, answers and refusals of the calls about organization access tokens. */
export const accessTokenSchemas = {
  listAccessTokens: {
    summary: 'Lists an organization’s access tokens.',
    query: z.object(listQuery(['created_at', 'comment', 'last_used_at', 'expires_at'])),
    output: listOf(accessToken),
    errors: sellerErrors,
  },
  createAccessToken: {
    summary: 'Creates an access token; only this answer contains its secret.',
    body: z.object({
      comment,
      scopes: scopeList,
      /** An ISO 8601 duration, or seconds; null for no expiry. */
      expiresIn: z.union([storable(64), z.int().positive()]).nullish(),
      organizationId: foreignId.nullish(),
    }),
    output: z.object({ organizationAccessToken: accessToken, token: z.string() }),
    errors: writeErrors,
  },
  updateAccessToken: {
    summary: 'Updates an access token’s scopes or name.',
    params: byId,
    body: z.object({ comment: comment.nullish(), scopes: scopeList.nullish() }),
    output: accessToken,
    errors: writeErrors,
  },
  deleteAccessToken: { summary: 'Revokes an access token at once.', params: byId, errors: writeErrors },
} as const satisfies Record<keyof typeof accessTokenCalls, Endpoint>
