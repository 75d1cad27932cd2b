import type { Statements } from '@tollgate/contract/calls'
import type { Answer } from '@tollgate/contract/types'
import { flag, integer, json, nullable, oneOf, text, time } from './columns.ts'

export const organizationTables = {
  organization: {
    id: text(),
    name: text(),
    slug: text(),
    logo: nullable(text()),
    metadata: nullable(json<Record<string, unknown>>()),
    /** Only members with a verified address may act in it. */
    requireVerifiedEmail: flag(),
    createdAt: time(),
    updatedAt: time(),
  },
  member: {
    id: text(),
    organizationId: text(),
    userId: text(),
    /** Comma-separated roles (specification, section 3). */
    role: text(),
    createdAt: time(),
  },
  /** Custom roles of organizations; the configuration's roles are in no table. */
  organizationRole: {
    id: text(),
    organizationId: text(),
    role: text(),
    permission: json<Statements>(),
    createdAt: time(),
    updatedAt: time(),
  },
  team: {
    id: text(),
    organizationId: text(),
    name: text(),
    createdAt: time(),
    updatedAt: nullable(time()),
  },
  /** Team members; a row ends with the membership (foreign key). */
  teamMember: {
    id: text(),
    teamId: text(),
    memberId: text(),
    userId: text(),
    createdAt: time(),
  },
  invitation: {
    id: text(),
    organizationId: text(),
    email: text(),
    role: text(),
    status: text<Answer<'inviteMember'>['status']>(),
    /** The invited person's future teams, comma-separated. */
    teamId: nullable(text()),
    inviterId: text(),
    /** SHA-256 of the secret in the mail, which proves the address. */
    proofHash: nullable(text()),
    expiresAt: time(),
    createdAt: time(),
  },
  /** Shareable links; the secret is stored sealed, so that the link can be shown again. */
  invitationLink: {
    id: text(),
    organizationId: text(),
    tokenHash: text(),
    sealedToken: text(),
    role: text(),
    teamId: nullable(text()),
    maxUses: nullable(integer()),
    uses: integer(),
    /** Comma-separated domains; empty allows all. */
    emailDomains: nullable(text()),
    requiresApproval: flag(),
    creatorId: text(),
    revokedAt: nullable(time()),
    expiresAt: nullable(time()),
    createdAt: time(),
  },
  joinRequest: {
    id: text(),
    organizationId: text(),
    userId: text(),
    role: text(),
    teamId: nullable(text()),
    /** The link that the request came by; null if it came by the address's domain. */
    linkId: nullable(text()),
    status: oneOf(['pending', 'approved', 'denied']),
    decidedBy: nullable(text()),
    decidedAt: nullable(time()),
    createdAt: time(),
  },
  organizationDomain: {
    id: text(),
    organizationId: text(),
    domain: text(),
    /** The value of the TXT record; not a secret. */
    proof: text(),
    joinMode: text<Answer<'addDomain'>['joinMode']>(),
    verifiedAt: nullable(time()),
    createdAt: time(),
  },
} as const
