import { z } from 'zod'
import { recurringIntervals } from './billing/fields.ts'
import type { Endpoint } from './endpoint.ts'
import { organizationEvent } from './event.schemas.ts'
import { byResource, pictureErrors, requestErrors, storable, text, timestamp, url } from './fields.ts'
import type { organizationCalls } from './organization.calls.ts'

/** Ids of rows; the services check that the row exists. */
export const id = storable(64)
/** One role, a list, or a comma-separated text. */
export const role = z.union([storable(512).min(1), z.array(storable(64).min(1)).min(1).max(20)])
export const permissions = byResource(z.array(storable(64)).max(50))
/** Query values are text. */
export const count = z.coerce.number().int().nonnegative()
export const limit = count.max(200).optional()
export const offset = count.max(10_000_000).optional()
const metadata = z.record(storable(100), z.unknown())

/** Refusals of every organization call that changes something. */
export const guarded = [...requestErrors, 'UNAUTHORIZED', 'ORGANIZATION_WANTS_VERIFIED_EMAIL'] as const
/** Refusals of every organization call that only reads. */
export const reading = ['UNAUTHORIZED', 'INVALID_QUERY', 'ORGANIZATION_WANTS_VERIFIED_EMAIL'] as const

/** An organization in every answer; `metadata` is a map, absent without content. */
export const organization = z.object({
  id: z.string(),
  name: z.string(),
  slug: z.string(),
  logo: z.string().nullable(),
  createdAt: timestamp,
  metadata: z.record(z.string(), z.unknown()).nullable().optional(),
  /** Whether only members with a verified address may act in it. */
  requireVerifiedEmail: z.boolean(),
})

/** The fields that name an organization and link to its pages. */
const organizationName = organization.pick({ id: true, name: true, slug: true })

const openAmounts = z.array(
  z.object({
    currency: z.string(),
    /** The decimal places of the currency's amounts: a dollar has 2, a yen none. */
    places: z.int(),
    count: z.int(),
    amount: z.int(),
  }),
)

/** What a deletion ends of the purchases of an account, and of organizations that buy. */
const endingPurchases = z.object({
  /** The subscriptions that end at once, without credit; 100 at most, of `subscriptionCount`. */
  subscriptions: z.array(
    z.object({
      id: z.string(),
      /** The organization that sells it. */
      seller: z.string(),
      product: z.string(),
      amount: z.int(),
      currency: z.string(),
      recurringInterval: z.enum(recurringIntervals),
      recurringIntervalCount: z.int(),
      /** Until when it would have run; null while it is paused. */
      currentPeriodEnd: z.iso.datetime().nullable(),
    }),
  ),
  subscriptionCount: z.int(),
  /** Open orders of these subscriptions, which are voided, by currency. */
  voided: openAmounts,
  /** Other open orders, which stay due, by currency. */
  due: openAmounts,
  /** How many saved cards are removed. */
  paymentMethodCount: z.int(),
})

/** The effect of deleting an account. */
export const deletionPlan = z.object({
  blocking: z
    .array(organizationName)
    .describe('These block the deletion: other members would have no owner, or the organization has sold something.'),
  ending: z.array(organizationName).describe('These have no other member, and are deleted with the account.'),
  purchases: endingPurchases.describe('These end with the account and with the organizations that end.'),
})

/** The effect of deleting an organization. */
export const organizationDeletionPlan = z.object({
  hasSold: z.boolean().describe('It has sold something, which blocks the deletion.'),
  purchases: endingPurchases.describe('These end with the organization.'),
})

export const member = z.object({
  id: z.string(),
  organizationId: z.string(),
  userId: z.string(),
  /** Comma-separated roles. */
  role: z.string(),
  /** The member's first team; absent where teams are off. */
  teamId: z.string().nullable().optional(),
  createdAt: timestamp,
})

export const memberUser = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  image: z.string().nullable(),
})

export const memberWithUser = member.extend({ user: memberUser })

export const invitationStatus = z.enum(['pending', 'accepted', 'rejected', 'canceled'])

export const invitation = z.object({
  id: z.string(),
  organizationId: z.string(),
  email: z.string(),
  role: z.string(),
  status: invitationStatus,
  /** The invited user's future teams, comma-separated. */
  teamId: z.string().nullable(),
  inviterId: z.string(),
  expiresAt: timestamp,
  createdAt: timestamp,
})

export const team = z.object({
  id: z.string(),
  name: z.string(),
  organizationId: z.string(),
  createdAt: timestamp,
  updatedAt: timestamp.nullable(),
})

export const fullOrganization = organization.extend({
  members: z.array(memberWithUser),
  invitations: z.array(invitation),
  teams: z.array(team).nullable(),
})

/** Bodies, queries, answers and refusals of the calls about organizations themselves. */
export const organizationSchemas = {
  createOrganization: {
    summary: 'Creates an organization; its creator becomes a member with the creator’s role.',
    body: z.object({
      name: text.min(1),
      slug: text.min(1),
      userId: id.optional().describe('For administrators and server code only.'),
      logo: url.nullish(),
      metadata: metadata.optional(),
      keepCurrentActiveOrganization: z.boolean().optional(),
    }),
    output: organization.extend({ members: z.array(member) }),
    errors: [
      ...guarded,
      'NOT_ALLOWED_WHILE_IMPERSONATING',
      'USER_NOT_FOUND',
      'INVALID_NAME',
      'INVALID_SLUG',
      'INVALID_LOGO',
      'METADATA_TOO_LARGE',
      'ORGANIZATION_ALREADY_EXISTS',
      'ORGANIZATION_CREATE_NOT_ALLOWED',
      'ORGANIZATION_LIMIT_REACHED',
    ],
  },
  checkOrganizationSlug: {
    summary: 'Tells whether a slug is available.',
    body: z.object({ slug: text }),
    output: z.object({ status: z.literal(true) }),
    errors: [...guarded, 'SLUG_TAKEN', 'INVALID_SLUG'],
  },
  uploadOrganizationLogo: {
    summary: 'Stores a JPEG, PNG or WebP picture of at most 5 MB, made smaller, as the logo.',
    query: z.object({ organizationId: id.optional() }),
    output: organization,
    errors: [
      ...pictureErrors,
      'INVALID_QUERY',
      'UNAUTHORIZED',
      'ORGANIZATION_WANTS_VERIFIED_EMAIL',
      'NOT_A_MEMBER',
      'ORGANIZATION_NOT_FOUND',
      'ORGANIZATION_UPDATE_NOT_ALLOWED',
    ],
  },
  updateOrganization: {
    summary: 'Updates name, slug, logo, metadata, or the verification rule.',
    body: z.object({
      data: z.object({
        name: text.min(1).optional(),
        slug: text.min(1).optional(),
        logo: url.nullish(),
        metadata: metadata.nullish(),
        requireVerifiedEmail: z.boolean().optional(),
      }),
      organizationId: id.optional(),
    }),
    output: organization,
    errors: [
      ...guarded,
      'INVALID_NAME',
      'INVALID_SLUG',
      'INVALID_LOGO',
      'METADATA_TOO_LARGE',
      'NOT_A_MEMBER',
      'ORGANIZATION_ALREADY_EXISTS',
      'ORGANIZATION_NOT_FOUND',
      'ORGANIZATION_UPDATE_NOT_ALLOWED',
    ],
  },
  deleteOrganization: {
    summary: 'Deletes an organization with everything in it.',
    body: z.object({ organizationId: id }),
    output: organization,
    errors: [
      ...guarded,
      'NOT_ALLOWED_WHILE_IMPERSONATING',
      'NOT_A_MEMBER',
      'ORGANIZATION_DELETE_NOT_ALLOWED',
      'ORGANIZATION_DELETION_DISABLED',
      'ORGANIZATION_HAS_ORDERS',
      'ORGANIZATION_NOT_FOUND',
    ],
  },
  listOrganizations: {
    summary: 'Lists the organizations of the signed-in user, newest membership last; 1,000 at most at a time.',
    query: z.object({ limit: count.max(1000).optional(), offset }),
    output: z.array(organization),
    errors: ['UNAUTHORIZED', 'INVALID_QUERY'],
  },
  previewUserDeletion: {
    summary: 'Previews the effect of deleting the signed-in user on organizations without another owner.',
    output: deletionPlan,
    errors: ['UNAUTHORIZED'],
  },
  previewOrganizationDeletion: {
    summary: 'Previews the effect of deleting an organization on what it sells and buys.',
    query: z.object({ organizationId: id }),
    output: organizationDeletionPlan,
    errors: [...reading, 'NOT_A_MEMBER', 'ORGANIZATION_DELETE_NOT_ALLOWED', 'ORGANIZATION_DELETION_DISABLED'],
  },
  getOrganization: {
    summary: 'Returns an organization of the signed-in user: the active one, or the named one.',
    query: z.object({ organizationId: id.optional(), organizationSlug: text.optional() }),
    output: organization.nullable(),
    errors: [...reading, 'NOT_A_MEMBER_FORBIDDEN'],
  },
  getFullOrganization: {
    summary: 'Returns an organization with its members, invitations and teams; null if none is active or named.',
    query: z.object({
      organizationId: id.optional(),
      organizationSlug: text.optional(),
      membersLimit: count.max(1000).optional(),
    }),
    output: fullOrganization.nullable(),
    errors: [...reading, 'NOT_A_MEMBER_FORBIDDEN'],
  },
  setActiveOrganization: {
    summary: 'Sets the session’s active organization, or none; without an argument, returns the active one.',
    body: z.object({ organizationId: id.nullish(), organizationSlug: text.optional() }),
    output: fullOrganization.nullable(),
    errors: [...guarded, 'NOT_A_MEMBER_FORBIDDEN'],
  },
  transferOwnership: {
    summary: 'Transfers ownership to another member; the caller becomes an admin of the organization.',
    body: z.object({ memberId: id, organizationId: id.optional() }),
    output: z.object({ member, previousOwner: member }),
    errors: [
      ...guarded,
      'NOT_ALLOWED_WHILE_IMPERSONATING',
      'SESSION_IS_NOT_FRESH',
      'NO_ACTIVE_ORGANIZATION',
      'MEMBER_NOT_FOUND',
      'ORGANIZATION_TRANSFER_NOT_ALLOWED',
    ],
  },
  listOrganizationEvents: {
    summary: 'Lists an organization’s events, newest first, with names and addresses of its members.',
    query: z.object({
      organizationId: id.optional(),
      type: storable(64).optional(),
      actorId: id.optional(),
      limit,
      cursor: storable(64).optional().describe('`nextCursor` of the previous page.'),
    }),
    output: z.object({ events: z.array(organizationEvent), nextCursor: z.string().nullable() }),
    errors: [...reading, 'NO_ACTIVE_ORGANIZATION', 'ORGANIZATION_EVENTS_NOT_ALLOWED', 'YOU_ARE_NOT_A_MEMBER'],
  },
} as const satisfies Record<keyof typeof organizationCalls, Endpoint>
