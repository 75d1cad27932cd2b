import type { ColumnType } from 'kysely'

/**
 * Every table and the kind of each column, listed once. The TypeScript types and the codec between rows and values are
 * derived from this list; the migrations make the same tables. A column name has one kind in every table, so that a
 * result row can be decoded by its names alone (`codec.ts` refuses to start otherwise).
 *
 * Kinds: `text`, `text?` (nullable), `time`, `time?`, `flag`, `integer`, `integer?`, `json`, `json?`.
 */
export const tables = {
  user: {
    id: 'text',
    email: 'text',
    emailVerified: 'flag',
    name: 'text',
    image: 'text?',
    username: 'text?',
    displayUsername: 'text?',
    role: 'text?',
    banned: 'flag',
    banReason: 'text?',
    banExpires: 'time?',
    createdAt: 'time',
    updatedAt: 'time',
  },
  account: {
    id: 'text',
    providerId: 'text',
    accountId: 'text',
    userId: 'text',
    accessToken: 'text?',
    refreshToken: 'text?',
    idToken: 'text?',
    accessTokenExpiresAt: 'time?',
    refreshTokenExpiresAt: 'time?',
    scope: 'text?',
    /** What vk calls the browser that signed in: its tokens are refreshed for that one only. */
    deviceId: 'text?',
    password: 'text?',
    createdAt: 'time',
    updatedAt: 'time',
  },
  session: {
    id: 'text',
    userId: 'text',
    token: 'text',
    expiresAt: 'time',
    ipAddress: 'text',
    userAgent: 'text?',
    activeOrganizationId: 'text?',
    activeTeamId: 'text?',
    impersonatedBy: 'text?',
    /** Why an administrator acts as this user. */
    impersonationReason: 'text?',
    /** The administrator's own session that this one was begun in, and ends with. */
    impersonatedFrom: 'text?',
    /** When the person last proved who they are; freshness counts from here. */
    authenticatedAt: 'time',
    createdAt: 'time',
    updatedAt: 'time',
  },
  /** One-time proofs: reset, verification, deletion. `identifier` names the purpose and the hash of the secret. */
  verification: {
    id: 'text',
    identifier: 'text',
    /** Whose it is: a user's id, or nothing where there is no user yet. */
    value: 'text',
    /** What belongs to it besides, sealed: where to go on, what to check. */
    content: 'text?',
    expiresAt: 'time',
    createdAt: 'time',
    updatedAt: 'time',
  },
  /** What was mailed to sign in with: one link with its code per mailbox, so that a new one ends the one before. */
  magicLink: {
    /** SHA-256 of the address. */
    mailbox: 'text',
    tokenHash: 'text',
    /** Keyed: six digits would be found out from a plain hash. */
    codeHash: 'text',
    /** How often a code has been tried. */
    tries: 'integer',
    /** Whom it signs in, sealed. */
    content: 'text',
    expiresAt: 'time',
    createdAt: 'time',
  },
  /** Keys that sign tokens for other services; the private half is sealed. */
  jwks: {
    id: 'text',
    publicKey: 'text',
    privateKey: 'text',
    createdAt: 'time',
    /** Set when another key has taken over: until then it is still published. */
    retiresAt: 'time?',
  },
  organization: {
    id: 'text',
    name: 'text',
    slug: 'text',
    logo: 'text?',
    metadata: 'json?',
    /** Only members with a verified address may act in it. */
    requireVerifiedEmail: 'flag',
    createdAt: 'time',
    updatedAt: 'time',
  },
  member: {
    id: 'text',
    organizationId: 'text',
    userId: 'text',
    /** Roles with commas between them (specification, section 3). */
    role: 'text',
    createdAt: 'time',
  },
  /** Roles that organizations made for themselves; those of the configuration are in no table. */
  organizationRole: {
    id: 'text',
    organizationId: 'text',
    role: 'text',
    permission: 'json',
    createdAt: 'time',
    updatedAt: 'time',
  },
  team: {
    id: 'text',
    organizationId: 'text',
    name: 'text',
    createdAt: 'time',
    updatedAt: 'time?',
  },
  /** Who is in which team; ends with the membership (foreign key). */
  teamMember: {
    id: 'text',
    teamId: 'text',
    memberId: 'text',
    userId: 'text',
    createdAt: 'time',
  },
  invitation: {
    id: 'text',
    organizationId: 'text',
    email: 'text',
    role: 'text',
    status: 'text',
    /** The teams that the invited person will be in, with commas between them. */
    teamId: 'text?',
    inviterId: 'text',
    /** SHA-256 of the secret in the mail, which proves the address. */
    proofHash: 'text?',
    expiresAt: 'time',
    createdAt: 'time',
  },
  /** Links to share; the secret is kept sealed, so that the link can be shown again. */
  invitationLink: {
    id: 'text',
    organizationId: 'text',
    tokenHash: 'text',
    sealedToken: 'text',
    role: 'text',
    teamId: 'text?',
    maxUses: 'integer?',
    uses: 'integer',
    /** Domains with commas between them; none: all. */
    emailDomains: 'text?',
    requiresApproval: 'flag',
    creatorId: 'text',
    revokedAt: 'time?',
    expiresAt: 'time?',
    createdAt: 'time',
  },
  joinRequest: {
    id: 'text',
    organizationId: 'text',
    userId: 'text',
    role: 'text',
    teamId: 'text?',
    /** The link that led here; none: the domain of the address did. */
    linkId: 'text?',
    status: 'text',
    decidedBy: 'text?',
    decidedAt: 'time?',
    createdAt: 'time',
  },
  organizationDomain: {
    id: 'text',
    organizationId: 'text',
    domain: 'text',
    /** What the TXT record says; no secret. */
    proof: 'text',
    joinMode: 'text',
    verifiedAt: 'time?',
    createdAt: 'time',
  },
  /** What happened, written in the transaction that made it happen: audit log and source of webhooks. */
  event: {
    id: 'text',
    type: 'text',
    actorId: 'text?',
    userId: 'text?',
    /** The organization that it happened in. */
    organizationId: 'text?',
    data: 'json?',
    createdAt: 'time',
  },
  /** Work to do after a commit; see `jobs.ts`. */
  job: {
    id: 'text',
    kind: 'text',
    payload: 'text',
    runAt: 'time',
    attempts: 'integer',
    leaseUntil: 'time?',
    /** Set when the last attempt failed for good: the job stays, listed, until somebody retries or removes it. */
    deadAt: 'time?',
    lastError: 'text?',
    createdAt: 'time',
  },
  /** Counters of everything that guesses, shared between processes (`rateLimit.storage: 'database'`). */
  rateLimit: {
    key: 'text',
    count: 'integer',
    expiresAt: 'time',
  },
  /** Values of the installation itself, such as the offset of the development clock. */
  setting: {
    key: 'text',
    value: 'text',
    updatedAt: 'time',
  },
  /** The developer inbox: mails are kept here in development mode only. */
  inboxMessage: {
    id: 'text',
    recipient: 'text',
    sender: 'text',
    subject: 'text',
    textBody: 'text',
    htmlBody: 'text',
    createdAt: 'time',
  },
} as const satisfies Record<string, Record<string, ColumnKind>>

export type ColumnKind = 'text' | 'text?' | 'time' | 'time?' | 'flag' | 'integer' | 'integer?' | 'json' | 'json?'

type Values = {
  text: string
  'text?': ColumnType<string | null, string | null | undefined, string | null>
  time: Date
  'time?': ColumnType<Date | null, Date | null | undefined, Date | null>
  flag: boolean
  integer: number
  'integer?': ColumnType<number | null, number | null | undefined, number | null>
  /** Written as JSON text (`toJson`), read back as the value. */
  json: ColumnType<unknown, string, string>
  'json?': ColumnType<unknown, string | null | undefined, string | null>
}

/** The database as Kysely sees it. */
export type Tables = {
  [Name in keyof typeof tables]: {
    [Column in keyof (typeof tables)[Name]]: (typeof tables)[Name][Column] extends infer Kind extends ColumnKind
      ? Values[Kind]
      : never
  }
}

/** JSON columns are written as text on both databases: `pg` would turn a list into a PostgreSQL array. */
export const toJson = (value: unknown): string => JSON.stringify(value)
