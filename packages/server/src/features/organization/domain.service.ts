import type { OrganizationEventType } from '@tollgate/contract/events'
import type { Answer } from '@tollgate/contract/types'
import type { Context } from '../../foundation/context.ts'
import { type Db, type Id, isUniqueViolation, type Tx } from '../../foundation/db/database.ts'
import type { SessionRow } from '../../foundation/db/session-row.ts'
import { TollgateError } from '../../foundation/error.ts'
import { newId } from '../../foundation/ids.ts'
import { actorOf, emit } from '../../foundation/outbox.ts'
import { transactionAsAdministrator } from '../identity/access.ts'
import type { AuthHandler } from '../identity/auth-handler.ts'
import {
  type DomainRow,
  deleteDomain,
  findAnyDomain,
  findDomain,
  insertDomain,
  listDomainsOf,
  markDomainVerified,
  updateJoinMode,
} from './domain.repository.ts'
import { normalizeDomain, proofRecord } from './domain-rules.ts'
import { lockOrganization } from './membership.repository.ts'
import { type Membership, requireMember, requirePermission } from './membership.ts'
import { namedOrganization } from './named-organization.ts'
import { publicMailDomains } from './public-mail-domains.ts'

/** Maximum number of domains per organization, verified or not. */
const domainLimit = 20

/** Adds a domain, without effect until it is verified. */
export const addDomain: AuthHandler<'addDomain'> = async ({ ctx, session, body }) => {
  const organizationId = namedOrganization(session, body)
  await requireManager(ctx, ctx.db, session, organizationId)
  const domain = normalizeDomain(body.domain)
  if (domain === null) throw new TollgateError('DOMAIN_INVALID')
  if (publicMailDomains.has(domain)) throw new TollgateError('DOMAIN_IS_PUBLIC')

  const now = ctx.clock.now()
  const row = await ctx.transaction(async (tx) => {
    await lockOrganization(tx, organizationId)
    await requireManager(ctx, tx, session, organizationId)
    const present = await listDomainsOf(tx, organizationId)
    if (present.some((each) => each.domain === domain)) throw new TollgateError('DOMAIN_ALREADY_ADDED')
    if (present.length >= domainLimit) throw new TollgateError('DOMAIN_LIMIT_REACHED')
    const added = await insertDomain(tx, {
      id: newId(),
      organizationId,
      domain,
      proof: newId(),
      joinMode: body.joinMode ?? 'request',
      createdAt: now,
    })
    await emitOf(ctx, tx, session, 'domain.added', added)
    return added
  })
  return toDomain(row)
}

export const listDomains: AuthHandler<'listDomains'> = async ({ ctx, session, query }) => {
  const { organizationId } = await requireManager(ctx, ctx.db, session, namedOrganization(session, query))
  return domainsOf(ctx, organizationId)
}

/** Looks up the TXT record and verifies the domain. A verified domain stays verified. */
export const verifyDomain: AuthHandler<'verifyDomain'> = async ({ ctx, session, body }) => {
  const { organizationId } = await requireManager(ctx, ctx.db, session, namedOrganization(session, body))
  const domain = await findDomain(ctx.db, organizationId, body.domainId)
  if (!domain) throw new TollgateError('DOMAIN_NOT_FOUND')
  if (domain.verifiedAt !== null) return toDomain(domain)
  // Rate-limited, because each lookup queries external name servers.
  if (!(await ctx.limits.mail('verify-domain', organizationId)))
    throw new TollgateError('TOO_MANY_REQUESTS', { retryAfter: 600 })
  if (!(await isProven(ctx, domain))) throw new TollgateError('DOMAIN_NOT_PROVEN')

  const row = await takingDomain(() =>
    ctx.transaction(async (tx) => {
      await lockOrganization(tx, organizationId)
      await requireManager(ctx, tx, session, organizationId)
      return markVerified(ctx, tx, session, domain.id)
    }),
  )
  return toDomain(row)
}

/** Verifies a domain without its record, for administrators, whose right is checked again under their lock. */
export async function vouchForDomain(
  ctx: Context,
  current: SessionRow,
  domainId: Id<'organizationDomain'>,
): Promise<DomainRow> {
  const domain = await findAnyDomain(ctx.db, domainId)
  if (!domain) throw new TollgateError('DOMAIN_NOT_FOUND')
  return takingDomain(() =>
    transactionAsAdministrator(ctx, current, 'ADMIN_VERIFY_DOMAINS', async (tx) => {
      await lockOrganization(tx, domain.organizationId)
      return markVerified(ctx, tx, current, domain.id)
    }),
  )
}

export const updateDomain: AuthHandler<'updateDomain'> = async ({ ctx, session, body }) => {
  return changingDomain(ctx, session, body, 'domain.updated', (tx, organizationId) =>
    updateJoinMode(tx, organizationId, body.domainId, body.joinMode),
  )
}

/** Removes a domain; members who joined by it stay. */
export const removeDomain: AuthHandler<'removeDomain'> = async ({ ctx, session, body }) => {
  return changingDomain(ctx, session, body, 'domain.removed', (tx, organizationId) =>
    deleteDomain(tx, organizationId, body.domainId),
  )
}

async function changingDomain(
  ctx: Context,
  current: SessionRow,
  body: { organizationId?: Id<'organization'> | undefined },
  type: OrganizationEventType,
  change: (tx: Tx, organizationId: Id<'organization'>) => Promise<DomainRow | undefined>,
): Promise<Answer<'updateDomain'>> {
  const organizationId = namedOrganization(current, body)
  await requireManager(ctx, ctx.db, current, organizationId)
  const row = await ctx.transaction(async (tx) => {
    await lockOrganization(tx, organizationId)
    await requireManager(ctx, tx, current, organizationId)
    const changed = await change(tx, organizationId)
    if (!changed) throw new TollgateError('DOMAIN_NOT_FOUND')
    await emitOf(ctx, tx, current, type, changed)
    return changed
  })
  return toDomain(row)
}

/** Requires a member who may update the organization. */
async function requireManager(
  ctx: Context,
  db: Db,
  current: SessionRow,
  organizationId: Id<'organization'>,
): Promise<Membership> {
  const membership = await requireMember(ctx, db, current, organizationId, 'YOU_ARE_NOT_A_MEMBER')
  requirePermission(membership, 'organization', 'update', 'ORGANIZATION_UPDATE_NOT_ALLOWED')
  return membership
}

/** Whether the record exists. A name server that does not answer counts as a missing record. */
async function isProven(ctx: Context, { domain, proof }: DomainRow): Promise<boolean> {
  const { name, value } = proofRecord(domain, proof)
  try {
    return (await ctx.resolveTxt(name)).some((pieces) => pieces.join('') === value)
  } catch (error) {
    ctx.log.info({ err: error, name }, 'Domain record lookup failed')
    return false
  }
}

/** Runs under the organization's lock; of two concurrent calls the second finds the domain verified. */
async function markVerified(
  ctx: Context,
  tx: Tx,
  current: SessionRow,
  id: Id<'organizationDomain'>,
): Promise<DomainRow> {
  const verified = await markDomainVerified(tx, id, ctx.clock.now())
  if (verified) {
    await emitOf(ctx, tx, current, 'domain.verified', verified)
    return verified
  }
  const present = await findAnyDomain(tx, id)
  if (!present) throw new TollgateError('DOMAIN_NOT_FOUND')
  return present
}

/** The unique index gives a domain to the first organization that proves it. */
const takingDomain = (work: () => Promise<DomainRow>): Promise<DomainRow> =>
  work().catch((cause) => {
    throw isUniqueViolation(cause) ? new TollgateError('DOMAIN_TAKEN', { cause }) : cause
  })

const emitOf = (
  ctx: Context,
  tx: Tx,
  current: SessionRow,
  type: OrganizationEventType,
  { organizationId, domain, joinMode }: DomainRow,
): Promise<void> =>
  emit(tx, ctx.clock.now(), {
    type,
    actorId: actorOf(current),
    userId: null,
    organizationId,
    data: { domain, joinMode },
  })

/** Includes the proof, so only for members who may verify the domain. */
export const toDomain = (row: DomainRow): Answer<'addDomain'> => ({
  id: row.id,
  organizationId: row.organizationId,
  domain: row.domain,
  joinMode: row.joinMode,
  verifiedAt: row.verifiedAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  record: proofRecord(row.domain, row.proof),
})

/** The domains of an organization, for members who may see them. */
export const domainsOf = async (ctx: Context, organizationId: Id<'organization'>): Promise<Answer<'listDomains'>> =>
  (await listDomainsOf(ctx.db, organizationId)).map(toDomain)
