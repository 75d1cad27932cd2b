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

/** A token without its secret: whoever made it has seen that once. */
const accessToken = z.object({
  ...stamped,
  comment: z.string(),
  scopes: z.array(z.string()),
  /** Its last four characters, to tell tokens apart. */
  lastFour: z.string(),
  expiresAt: utc.nullable(),
  lastUsedAt: utc.nullable(),
  organizationId: z.string(),
})

/** Bodies, queries, answers and refusals of the calls about organization access tokens. */
export const accessTokenSchemas = {
  listAccessTokens: {
    summary: 'The access tokens of an organization.',
    query: z.object(listQuery(['created_at', 'comment', 'last_used_at', 'expires_at'])),
    output: listOf(accessToken),
    errors: sellerErrors,
  },
  createAccessToken: {
    summary: 'Makes an access token; its secret is in this answer only.',
    body: z.object({
      comment,
      scopes: scopeList,
      /** An ISO 8601 duration, or seconds; null: it does not expire. */
      expiresIn: z.union([storable(64), z.int().positive()]).nullish(),
      organizationId: foreignId.nullish(),
    }),
    output: z.object({ organizationAccessToken: accessToken, token: z.string() }),
    errors: writeErrors,
  },
  updateAccessToken: {
    summary: 'Changes what an access token may do, or what it is called.',
    params: byId,
    body: z.object({ comment: comment.nullish(), scopes: scopeList.nullish() }),
    output: accessToken,
    errors: writeErrors,
  },
  deleteAccessToken: { summary: 'Ends an access token at once.', params: byId, errors: writeErrors },
} as const satisfies Record<keyof typeof accessTokenCalls, Endpoint>
