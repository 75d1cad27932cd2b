import { scopes } from '@tollgate/contract/billing'
import { newBillingSecret, newUuid } from '../../../foundation/ids.ts'
import { sha256 } from '../../../foundation/token.ts'
import type { Person, TestAnswer, TestServer } from '../../../testing.ts'
import { insertMerchant } from '../merchant/merchant.repository.ts'

/** An organization that may sell, its owner, and a token with all scopes. */
export type TestMerchant = {
  readonly organizationId: string
  readonly slug: string
  readonly owner: Person
  readonly token: string
  /** Calls below `/v1` with the token: `merchant.post('/products', {…})`. */
  get(path: string): Promise<TestAnswer>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<TestAnswer>
  patch(path: string, body?: unknown, headers?: Record<string, string>): Promise<TestAnswer>
  put(path: string, body?: unknown): Promise<TestAnswer>
  delete(path: string): Promise<TestAnswer>
}

let merchants = 0

/** Creates an approved merchant; each has a name and an owner of its own. */
export async function createTestMerchant(server: TestServer, given: readonly string[] = scopes): Promise<TestMerchant> {
  merchants += 1
  const owner = await server.signedUp(`Seller ${merchants}`)
  const slug = `seller-${merchants}`
  const { body } = await owner.post('/organization/create', { name: `Seller ${merchants}`, slug })
  const organizationId = body.id as string
  const { ctx } = server.tollgate.internals
  const token = await ctx.transaction(async (tx) => {
    const now = ctx.clock.now()
    await insertMerchant(tx, organizationId, now, true)
    await tx.updateTable('merchant').set({ approvedAt: now }).where('organizationId', '=', organizationId).execute()
    return insertTestToken(tx, organizationId, given, now)
  })
  const visitor = server.visitor()
  const authorization = `Bearer ${token}`
  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    visitor.request(method, `/v1${path}`, {
      headers: { authorization, ...headers },
      ...(method !== 'GET' && method !== 'DELETE' && { body: body ?? {} }),
    })
  return {
    organizationId,
    slug,
    owner,
    token,
    get: (path) => call('GET', path),
    post: (path, given, headers) => call('POST', path, given, headers),
    patch: (path, given, headers) => call('PATCH', path, given, headers),
    put: (path, given) => call('PUT', path, given),
    delete: (path) => call('DELETE', path),
  }
}

type Tx = Parameters<typeof insertMerchant>[0]

/** A token with some scopes, for an existing organization. */
export async function insertTestToken(
  tx: Tx,
  organizationId: string,
  held: readonly string[],
  now: Date,
): Promise<string> {
  const token = `tollgate_oat_${newBillingSecret()}`
  await tx
    .insertInto('organizationAccessToken')
    .values({
      id: newUuid(),
      organizationId,
      comment: 'Tests',
      tokenHash: sha256(token),
      lastFour: token.slice(-4),
      scopes: held,
      createdAt: now,
    })
    .execute()
  return token
}
