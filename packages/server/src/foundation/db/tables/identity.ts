import { flag, id, integer, nullable, text, time } from './columns.ts'

export const identityTables = {
  user: {
    id: id('user'),
    email: text(),
    emailVerified: flag(),
    name: text(),
    image: nullable(text()),
    username: nullable(text()),
    displayUsername: nullable(text()),
    role: nullable(text()),
    banned: flag(),
    banReason: nullable(text()),
    banExpires: nullable(time()),
    createdAt: time(),
    updatedAt: time(),
  },
  account: {
    id: id('account'),
    providerId: text(),
    accountId: text(),
    userId: id('user'),
    accessToken: nullable(text()),
    refreshToken: nullable(text()),
    idToken: nullable(text()),
    accessTokenExpiresAt: nullable(time()),
    refreshTokenExpiresAt: nullable(time()),
    scope: nullable(text()),
    /** vk's id of the browser that signed in: vk refreshes tokens for that device only. */
    deviceId: nullable(text()),
    password: nullable(text()),
    createdAt: time(),
    updatedAt: time(),
  },
  session: {
    id: id('session'),
    userId: id('user'),
    token: text(),
    expiresAt: time(),
    ipAddress: text(),
    userAgent: nullable(text()),
    activeOrganizationId: nullable(id('organization')),
    activeTeamId: nullable(id('team')),
    impersonatedBy: nullable(id('user')),
    /** The administrator's reason for the impersonation. */
    impersonationReason: nullable(text()),
    /** The administrator's own session, which this one started in and ends with. */
    impersonatedFrom: nullable(id('session')),
    /** The expiry is never extended: for sessions without "remember me" and impersonated ones. */
    neverExtended: flag(),
    /** The sign-in methods, comma-separated. Empty in sessions older than this column. */
    methods: text(),
    /** When the user last authenticated; freshness counts from here. */
    authenticatedAt: time(),
    createdAt: time(),
    updatedAt: time(),
  },
  /** One-time proofs: reset, verification, deletion. `identifier` names the purpose and the hash of the secret. */
  verification: {
    id: id('verification'),
    identifier: text(),
    /** The user's id; empty while there is no user. */
    value: id('user'),
    /** Further data, sealed: the redirect target, values to check. */
    content: nullable(text()),
    expiresAt: time(),
    createdAt: time(),
    updatedAt: time(),
  },
  /** A mailed sign-in: one link and code per mailbox, so that a new one replaces the earlier one. */
  magicLink: {
    /** SHA-256 of the address. */
    mailbox: text(),
    tokenHash: text(),
    /** A keyed hash: six digits can be guessed from a plain one. */
    codeHash: text(),
    /** The number of attempts. */
    tries: integer(),
    /** The user it signs in, sealed. */
    content: text(),
    expiresAt: time(),
    createdAt: time(),
  },
  /** Keys that sign tokens for other services; the private half is sealed. */
  jwks: {
    id: id('jwks'),
    publicKey: text(),
    privateKey: text(),
    createdAt: time(),
    /** Set when another key takes over: the time until which this one stays published. */
    retiresAt: nullable(time()),
  },
} as const
