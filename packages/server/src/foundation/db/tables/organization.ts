import type { Statements } from '@tollgate/contract/calls'
import type { Answer } from '@tollgate/contract/types'
import { flag, id, integer, json, nullable, oneOf, text, time } from './columns.ts'

export const organizationTables = {
  organization: {
    id: id('organization'),
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
    id: id('member'),
    organizationId: id('organization'),
    userId: id('user'),
    /** Comma-separated roles (specification, section 3). */
    role: text(),
    createdAt: time(),
  },
  /** Custom roles of organizations; the configuration's roles are in no table. */
  organizationRole: {
    id: id('organizationRole'),
    organizationId: id('organization'),
    role: text(),
    permission: json<Statements>(),
    createdAt: time(),
    updatedAt: time(),
  },
  team: {
    id: id('team'),
    organizationId: id('organization'),
    name: text(),
    createdAt: time(),
    updatedAt: nullable(time()),
  },
  /** Team members; a row ends with the membership (foreign key). */
  teamMember: {
    id: id('teamMember'),
    teamId: id('team'),
    memberId: id('member'),
    userId: id('user'),
    createdAt: time(),
  },
  invitation: {
    id: id('invitation'),
    organizationId: id('organization'),
    email: text(),
    role: text(),
    status: text<Answer<'inviteMember'>['status']>(),
    /** The invited person's future teams, comma-separated. */
    teamId: nullable(text()),
    inviterId: id('user'),
    /** SHA-256 of the secret in the mail, which proves the address. */
    proofHash: nullable(text()),
    expiresAt: time(),
    createdAt: time(),
  },
  /** Shareable links; the secret is stored sealed, so that the link can be shown again. */
  invitationLink: {
    id: id('invitationLink'),
    organizationId: id('organization'),
    tokenHash: text(),
    sealedToken: text(),
    role: text(),
    teamId: nullable(id('team')),
    maxUses: nullable(integer()),
    uses: integer(),
    /** Comma-separated domains; empty allows all. */
    emailDomains: nullable(text()),
    requiresApproval: flag(),
    creatorId: id('user'),
    revokedAt: nullable(time()),
    expiresAt: nullable(time()),
    createdAt: time(),
  },
  joinRequest: {
    id: id('joinRequest'),
    organizationId: id('organization'),
    userId: id('user'),
    role: text(),
    teamId: nullable(id('team')),
    /** The link that the request came by; null if it came by the address's domain. */
    linkId: nullable(id('invitationLink')),
    status: oneOf(['pending', 'approved', 'denied']),
    decidedBy: nullable(id('user')),
    decidedAt: nullable(time()),
    createdAt: time(),
  },
  organizationDomain: {
    id: id('organizationDomain'),
    organizationId: id('organization'),
    domain: text(),
    /** The value of the TXT record; not a secret. */
    proof: text(),
    joinMode: text<Answer<'addDomain'>['joinMode']>(),
    verifiedAt: nullable(time()),
    createdAt: time(),
  },
} as const
