import { deletionMessages } from '../calls.ts'
import * as check from './checks.ts'
import { defineForm, noInput, urlIn } from './form.ts'
import { withQuery } from './paths.ts'
import { sentPicture } from './picture-check.ts'

/** Name and username. */
export const profile = defineForm({
  name: 'profile',
  pages: ['/account'],
  calls: ['updateUser'],
  fields: {
    name: check.name,
    username: check.username,
    displayUsername: check.unchecked,
  },
  kept: ['name', 'username', 'displayUsername'],
  usesUser: true,
  input({ name = '', username, displayUsername }, { user }) {
    // A username can change, but not be removed. A user without one leaves the field blank.
    const isBlank = username?.trim() === '' && !user?.username
    return {
      name: name.trim(),
      ...(username !== undefined && !isBlank && { username: username.trim() }),
      ...(displayUsername !== undefined && { displayUsername: displayUsername.trim() || null }),
    }
  },
  after: () => ({ done: 'saved' }),
})

export const picture = defineForm({
  name: 'picture',
  pages: ['/account'],
  calls: ['uploadUserImage'],
  fields: { picture: sentPicture },
  kept: [],
  takesFile: 'picture',
  input: (_, { file }) => ({ file }),
  after: () => ({ done: 'saved' }),
})

export const pictureRemove = defineForm({
  name: 'picture-remove',
  pages: ['/account'],
  calls: ['updateUser'],
  fields: {},
  kept: [],
  input: () => ({ image: null }),
  after: () => ({ done: 'saved' }),
})

/** Another address. A verified one changes only after its owner approves by mail; an unverified one changes at once. */
export const changeEmail = defineForm({
  name: 'change-email',
  pages: ['/account'],
  calls: ['changeEmail'],
  fields: { newEmail: check.email },
  kept: ['newEmail'],
  usesUser: true,
  input: ({ newEmail = '' }, { paths }) => ({ newEmail: newEmail.trim(), callbackURL: paths.emailChanged }),
  after: (_, { newEmail = '' }, { user }) =>
    user?.emailVerified
      ? { done: 'email-requested', values: { email: user.email } }
      : { done: 'email-changed', values: { email: newEmail.trim().toLowerCase() } },
})

export const changePassword = defineForm({
  name: 'change-password',
  pages: ['/account/security'],
  calls: ['changePassword'],
  fields: { currentPassword: check.password, newPassword: check.newPassword },
  kept: ['revokeOtherSessions'],
  input: ({ currentPassword = '', newPassword = '', revokeOtherSessions }) => ({
    currentPassword,
    newPassword,
    revokeOtherSessions: revokeOtherSessions !== undefined,
  }),
  after: () => ({ done: 'password-changed' }),
})

/** A user without a password sets one by the mail for a forgotten password. */
export const setPassword = defineForm({
  name: 'set-password',
  pages: ['/account/security'],
  calls: ['requestPasswordReset'],
  fields: {},
  kept: [],
  usesUser: true,
  instead: (_, { user, paths }) =>
    user === null ? { to: withQuery(paths.signIn, { callbackURL: paths.security }) } : undefined,
  input: (_, { user, paths }) => ({ email: user?.email ?? '', redirectTo: paths.resetPassword }),
  after: () => ({ done: 'reset-mail-sent' }),
})

export const revokeSession = defineForm({
  name: 'revoke-session',
  pages: ['/account/sessions'],
  calls: ['revokeSession'],
  fields: {},
  kept: [],
  input: ({ token = '' }) => ({ token }),
  after: () => ({ done: 'session-revoked' }),
})

export const revokeOtherSessions = defineForm({
  name: 'revoke-other-sessions',
  pages: ['/account/sessions'],
  calls: ['revokeOtherSessions'],
  fields: {},
  kept: [],
  input: noInput,
  after: () => ({ done: 'sessions-revoked' }),
})

/** Connects an account at a provider. */
export const linkAccount = defineForm({
  name: 'link-account',
  pages: ['/account/connections'],
  calls: ['linkSocial'],
  fields: { password: check.renewingPassword },
  kept: ['provider'],
  renewsSession: true,
  input: ({ provider = '' }, { paths }) => ({
    provider,
    callbackURL: withQuery(paths.connections, { done: 'account-linked' }),
    errorCallbackURL: paths.connections,
    requireFreshSession: true,
  }),
  after: (answer, { provider = '' }) => ({ to: urlIn(answer), provider }),
})

export const unlinkAccount = defineForm({
  name: 'unlink-account',
  pages: ['/account/connections'],
  calls: ['unlinkAccount'],
  fields: { password: check.renewingPassword },
  kept: ['accountId'],
  renewsSession: true,
  input: ({ accountId = '' }) => ({ accountId }),
  after: () => ({ done: 'account-unlinked' }),
})

/** Deletes the account with its password, or sends a mail with the link that does. */
export const deleteAccount = defineForm({
  name: 'delete-account',
  pages: ['/account/delete'],
  calls: ['deleteUser'],
  fields: {
    confirmation: (typed, _, { isDeletionWord }) => (isDeletionWord?.(typed) ? undefined : 'CONFIRMATION_WORD'),
    password: check.unchecked,
  },
  kept: ['confirmation'],
  input: ({ password }, { paths }) => ({ callbackURL: paths.accountDeleted, ...(password && { password }) }),
  after: ({ message }, _, { paths }) =>
    message === deletionMessages.deleted ? { to: paths.accountDeleted } : { done: 'delete-mail-sent' },
})

/** Ends the acting of an administrator as a user. */
export const stopImpersonating = defineForm({
  name: 'stop-impersonating',
  pages: ['/stop-impersonating'],
  calls: ['adminStopImpersonating'],
  fields: {},
  kept: [],
  usesUser: true,
  instead: (_, { isImpersonated, paths }) => (isImpersonated === false ? { to: paths.account } : undefined),
  input: noInput,
  after: (_, __, { paths }) => ({ to: paths.admin }),
})
