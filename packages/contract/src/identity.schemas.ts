import { z } from 'zod'
import { deletionMessages } from './deletion.ts'
import type { Endpoint } from './endpoint.ts'
import {
  address,
  captchaErrors,
  flag,
  newPassword,
  password,
  passwordErrors,
  pictureErrors,
  requestErrors,
  status,
  text,
  timestamp,
  token,
  url,
  usernameErrors,
} from './fields.ts'
import type { identityCalls } from './identity.calls.ts'

export const user = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  image: z.string().nullable(),
  emailVerified: z.boolean(),
  createdAt: timestamp,
  updatedAt: timestamp,
})

/** The user in the session answer, with the fields of the enabled features. */
export const sessionUser = user.extend({
  role: z.string().nullable(),
  banned: z.boolean(),
  banReason: z.string().nullable(),
  banExpires: timestamp.nullable(),
  username: z.string().nullable(),
  displayUsername: z.string().nullable(),
})

export const session = z.object({
  id: z.string(),
  userId: z.string(),
  token: z.string().describe('Names the session. It is not a credential: the cookie is.'),
  expiresAt: timestamp,
  createdAt: timestamp,
  updatedAt: timestamp,
  ipAddress: z.string(),
  userAgent: z.string().nullable(),
  activeOrganizationId: z.string().nullable(),
  activeTeamId: z.string().nullable(),
  impersonatedBy: z.string().nullable(),
})

/** The active organization with the member's roles, read fresh; never part of the cookie cache. */
export const activeOrganization = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  roles: z.array(z.string()),
})

export const sessionAnswer = z
  .object({ session, user: sessionUser, organization: activeOrganization.nullable().optional() })
  .nullable()

const deleted = z.object({
  success: z.literal(true),
  message: z.enum([deletionMessages.deleted, deletionMessages.mailed]),
})
const resetRequested = z.object({ status: z.literal(true), message: z.string() })

const resetRequest = {
  summary: 'Mails a link to set a new password. The answer is the same for unknown addresses.',
  body: z.object({ email: address, redirectTo: url.optional() }),
  output: resetRequested,
  errors: [...requestErrors, ...captchaErrors, 'RESET_PASSWORD_DISABLED', 'INVALID_REDIRECT_URL'],
} satisfies Endpoint

/** Bodies, queries, answers and refusals of the identity calls (specification, sections 5, 7 and 8). */
export const identitySchemas = {
  ok: { summary: 'Answers when the server is up.', output: z.object({ ok: z.literal(true) }), errors: [] },
  errorPage: {
    summary: 'Shows the page that failed redirects lead to.',
    query: z.object({ error: text.optional() }),
    errors: [],
  },

  getSession: {
    summary: 'Returns the session and its user, or null. Extends the session if its update age has passed.',
    query: z.object({ disableCookieCache: flag, disableRefresh: flag }),
    output: sessionAnswer,
    errors: ['INVALID_QUERY'],
  },
  listSessions: {
    summary: 'Lists the active sessions of the signed-in user.',
    output: z.array(session),
    errors: ['UNAUTHORIZED'],
  },
  revokeSession: {
    summary: 'Revokes a session of the signed-in user by its token.',
    body: z.object({ token }),
    output: status,
    errors: [...requestErrors, 'UNAUTHORIZED', 'SESSION_NOT_FOUND', 'SESSION_OF_ANOTHER_USER'],
  },
  revokeSessions: {
    summary: 'Revokes all sessions of the signed-in user, this one included.',
    output: status,
    errors: [...requestErrors, 'UNAUTHORIZED', 'NOT_ALLOWED_WHILE_IMPERSONATING'],
  },
  revokeOtherSessions: {
    summary: 'Revokes all other sessions of the signed-in user.',
    output: status,
    errors: [...requestErrors, 'UNAUTHORIZED', 'NOT_ALLOWED_WHILE_IMPERSONATING'],
  },
  signOut: {
    summary: 'Ends the session and clears its cookies.',
    output: z.object({ success: z.literal(true) }),
    errors: [...requestErrors, 'FAILED_TO_GET_SESSION'],
  },

  signUpEmail: {
    summary: 'Creates a user with a password, and signs them in unless the address must be verified first.',
    body: z.object({
      name: text,
      email: address,
      password: newPassword,
      image: url.nullish(),
      callbackURL: url.optional(),
      rememberMe: z.boolean().optional(),
      username: text.optional(),
      displayUsername: text.nullish(),
      invitationId: token.optional().describe('With the proof of its mail: the address counts as verified.'),
      invitationProof: token.optional(),
      setupToken: token
        .optional()
        .describe('From the link that `tollgate dev` prints; creates the first administrator.'),
    }),
    output: z.object({ token: z.string().nullable(), user }),
    errors: [
      ...requestErrors,
      ...captchaErrors,
      ...passwordErrors,
      ...usernameErrors,
      'INVALID_EMAIL',
      'INVALID_NAME',
      'INVALID_IMAGE',
      'USER_ALREADY_EXISTS',
      'SETUP_TOKEN_INVALID',
      'SIGN_UP_DISABLED',
      'INVALID_CALLBACK_URL',
      'SESSION_DATA_TOO_LARGE',
      'FAILED_TO_CREATE_SESSION',
      'UNABLE_TO_CREATE_VERIFICATION',
    ],
  },
  signInEmail: {
    summary: 'Signs in with email and password.',
    body: z.object({ email: address, password, callbackURL: url.optional(), rememberMe: z.boolean().optional() }),
    output: z.object({ redirect: z.boolean(), token: z.string(), url: z.string().optional(), user }),
    errors: [
      ...requestErrors,
      ...captchaErrors,
      'BANNED_USER',
      'INVALID_EMAIL',
      'INVALID_EMAIL_OR_PASSWORD',
      'EMAIL_NOT_VERIFIED',
      'EMAIL_AND_PASSWORD_DISABLED',
      'INVALID_CALLBACK_URL',
      'SERVICE_BUSY',
      'FAILED_TO_CREATE_SESSION',
      'UNABLE_TO_CREATE_VERIFICATION',
    ],
  },

  sendVerificationEmail: {
    summary: 'Mails a link that verifies the address. The answer is the same for every address.',
    body: z.object({ email: address, callbackURL: url.optional() }),
    output: status,
    errors: [...requestErrors, 'VERIFICATION_EMAIL_DISABLED', 'INVALID_CALLBACK_URL'],
  },
  verifyEmail: {
    summary:
      'Verifies an address, or completes a change of address. Works once; redirects when a callbackURL is given.',
    query: z.object({ token, callbackURL: url.optional() }),
    output: z.object({ status: z.literal(true), user: user.nullable() }),
    errors: [
      'INVALID_QUERY',
      'INVALID_CALLBACK_URL',
      'VERIFY_INVALID_TOKEN',
      'VERIFY_TOKEN_EXPIRED',
      'VERIFY_USER_NOT_FOUND',
      'VERIFY_UNAUTHORIZED',
      'BANNED_USER',
      'TOO_MANY_REQUESTS',
      'FAILED_TO_CREATE_SESSION',
      'UNABLE_TO_CREATE_VERIFICATION',
    ],
  },

  forgetPassword: resetRequest,
  requestPasswordReset: resetRequest,
  resetPasswordCallback: {
    summary: 'Redirects from the mailed link to the page for the new password, with the token or error=INVALID_TOKEN.',
    // Any text is looked up by its hash: a malformed token redirects like any other invalid one.
    params: z.object({ token: z.string() }),
    query: z.object({ callbackURL: url.optional() }),
    errors: ['CALLBACK_URL_REQUIRED', 'INVALID_CALLBACK_URL', 'INVALID_QUERY', 'TOO_MANY_REQUESTS'],
  },
  resetPassword: {
    summary: 'Sets a new password with the token of a mailed link (in the body or the query). The token works once.',
    body: z.object({ newPassword, token: token.optional() }),
    query: z.object({ token: token.optional() }),
    output: status,
    errors: [...requestErrors, ...passwordErrors, 'INVALID_QUERY', 'RESET_TOKEN_INVALID', 'RESET_PASSWORD_DISABLED'],
  },

  changePassword: {
    summary: 'Changes the password; with revokeOtherSessions every session ends and a new one begins.',
    body: z.object({ newPassword, currentPassword: password, revokeOtherSessions: z.boolean().optional() }),
    output: z.object({ token: z.string().nullable(), user }),
    errors: [
      ...requestErrors,
      ...passwordErrors,
      'UNAUTHORIZED',
      'INVALID_PASSWORD',
      'CREDENTIAL_ACCOUNT_NOT_FOUND',
      'FAILED_TO_CREATE_SESSION',
      'NOT_ALLOWED_WHILE_IMPERSONATING',
      'BANNED_USER',
    ],
  },
  setPassword: {
    summary: 'Sets the password of a user who has none. For server code only.',
    body: z.object({ newPassword }),
    output: status,
    errors: [
      ...passwordErrors,
      'VALIDATION_ERROR',
      'UNAUTHORIZED',
      'USER_ALREADY_HAS_A_PASSWORD',
      'NOT_ALLOWED_WHILE_IMPERSONATING',
    ],
  },
  verifyPassword: {
    summary: 'Verifies the password again; a correct one makes the session fresh.',
    body: z.object({ password }),
    output: status,
    errors: [...requestErrors, 'UNAUTHORIZED', 'INVALID_PASSWORD', 'SERVICE_BUSY', 'NOT_ALLOWED_WHILE_IMPERSONATING'],
  },

  updateSession: {
    summary: 'Renews the session’s cookies. The session has no fields that its owner may set.',
    output: z.object({ session }),
    errors: [...requestErrors, 'UNAUTHORIZED'],
  },
  updateUser: {
    summary: 'Updates name, picture and username. Other fields are ignored.',
    body: z.object({
      name: text.optional(),
      image: url.nullish(),
      email: z.unknown().optional(),
      username: text.optional(),
      displayUsername: text.nullish(),
    }),
    output: status,
    errors: [
      ...requestErrors,
      ...usernameErrors,
      'UNAUTHORIZED',
      'NOT_ALLOWED_WHILE_IMPERSONATING',
      'EMAIL_CAN_NOT_BE_UPDATED',
      'INVALID_NAME',
      'INVALID_IMAGE',
      'SESSION_DATA_TOO_LARGE',
    ],
  },
  uploadUserImage: {
    summary: 'Stores a JPEG, PNG or WebP picture of at most 5 MB, made smaller, as the user’s picture.',
    output: z.object({ image: z.string() }),
    errors: [...pictureErrors, 'UNAUTHORIZED', 'SESSION_DATA_TOO_LARGE'],
  },
  changeEmail: {
    summary:
      'Changes the address: at once if the current one is unverified, otherwise after its owner approves by mail.',
    body: z.object({ newEmail: address, callbackURL: url.optional() }),
    output: status,
    errors: [
      ...requestErrors,
      'UNAUTHORIZED',
      'CHANGE_EMAIL_DISABLED',
      'EMAIL_IS_THE_SAME',
      'COULDNT_UPDATE_YOUR_EMAIL',
      'VERIFICATION_EMAIL_DISABLED',
      'INVALID_CALLBACK_URL',
      'SESSION_DATA_TOO_LARGE',
      'UNABLE_TO_CREATE_VERIFICATION',
      'NOT_ALLOWED_WHILE_IMPERSONATING',
    ],
  },
  deleteUser: {
    summary: 'Deletes the signed-in user with password, mailed token or fresh session; otherwise mails a link.',
    body: z.object({ callbackURL: url.optional(), password: password.optional(), token: token.optional() }),
    output: deleted,
    errors: [
      ...requestErrors,
      'UNAUTHORIZED',
      'INVALID_PASSWORD',
      'CREDENTIAL_ACCOUNT_NOT_FOUND',
      'SESSION_EXPIRED',
      'DELETE_USER_DISABLED',
      'DELETE_TOKEN_INVALID',
      'ADMIN_LAST_ADMIN',
      'INVALID_CALLBACK_URL',
      'SERVICE_BUSY',
      'UNABLE_TO_CREATE_VERIFICATION',
      'NOT_ALLOWED_WHILE_IMPERSONATING',
      'ONLY_OWNER',
    ],
  },
  deleteUserCallback: {
    summary: 'Deletes the signed-in user with the mailed link.',
    query: z.object({ token, callbackURL: url.optional() }),
    output: deleted,
    errors: [
      'INVALID_QUERY',
      'INVALID_CALLBACK_URL',
      'DELETE_USER_DISABLED',
      'DELETE_USER_NO_SESSION',
      'DELETE_TOKEN_INVALID',
      'ADMIN_LAST_ADMIN',
      'TOO_MANY_REQUESTS',
      'NOT_ALLOWED_WHILE_IMPERSONATING',
      'ONLY_OWNER',
    ],
  },
} as const satisfies Record<keyof typeof identityCalls, Endpoint>
