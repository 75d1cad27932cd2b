import { deletionMessages, type identityCalls } from '@tollgate/contract/calls'
import { Redirect, redirecting } from '../../foundation/http/route.ts'
import type { AuthRoutes } from './auth-routes.ts'
import { type DoneSign, leaveSign } from './done-sign.service.ts'
import { sendVerificationEmail, verifyEmail } from './email-verification.service.ts'
import {
  changePassword,
  followResetLink,
  requestPasswordReset,
  resetPassword,
  setPassword,
  verifyPassword,
} from './password.service.ts'
import {
  findCurrentSession,
  getSession,
  listSessions,
  revokeOtherSessions,
  revokeSession,
  revokeSessions,
  signOut,
  updateSession,
} from './session.service.ts'
import { signInEmail } from './sign-in.service.ts'
import { signUpEmail } from './sign-up.service.ts'
import { changeEmail, confirmDeletion, deleteUser, updateUser } from './user.service.ts'

const accountDeleted: DoneSign = { done: 'account-deleted', email: '' }

/** Accounts and sessions: each call of the contract and the service that handles it. */
export const identityRoutes: AuthRoutes<typeof identityCalls> = {
  ok: () => ({ ok: true }),

  getSession: ({ ctx, caller, query }) => getSession(ctx, caller, query),
  listSessions: ({ ctx, session }) => listSessions(ctx, session),
  revokeSession: ({ ctx, session, body }) => revokeSession(ctx, session, body.token),
  revokeSessions: ({ ctx, session }) => revokeSessions(ctx, session),
  revokeOtherSessions: ({ ctx, session }) => revokeOtherSessions(ctx, session),
  signOut: ({ ctx, caller }) => signOut(ctx, caller),

  signUpEmail: async ({ ctx, caller, body }) => {
    const answer = await signUpEmail(ctx, caller, body)
    // The same answer whether or not the address was free: its owner gets mail in both cases.
    const { emailVerification, emailAndPassword } = ctx.config
    const mails = emailVerification.sendOnSignUp || emailAndPassword.requireEmailVerification
    if (answer.token === null && emailVerification.enabled && mails)
      leaveSign(ctx, caller, body.callbackURL, { done: 'verification-sent', email: answer.user.email })
    return answer
  },
  signInEmail: ({ ctx, caller, body }) => signInEmail(ctx, caller, body),

  sendVerificationEmail: ({ ctx, caller, body }) => sendVerificationEmail(ctx, caller, body),
  verifyEmail: ({ ctx, caller, query }) => redirecting(query.callbackURL, () => verifyEmail(ctx, caller, query)),

  forgetPassword: ({ ctx, caller, body }) => requestPasswordReset(ctx, caller, body),
  requestPasswordReset: ({ ctx, caller, body }) => requestPasswordReset(ctx, caller, body),
  resetPasswordCallback: ({ ctx, params, query }) => followResetLink(ctx, params.token, query.callbackURL),
  resetPassword: ({ ctx, caller, body, query }) => resetPassword(ctx, caller, body, query),

  changePassword: ({ ctx, caller, session, body }) => changePassword(ctx, caller, session, body),
  setPassword: ({ ctx, session, body }) => setPassword(ctx, session, body),
  verifyPassword: ({ ctx, session, body }) => verifyPassword(ctx, session, body.password),

  updateSession: ({ ctx, caller, session }) => updateSession(ctx, caller, session),
  updateUser: ({ ctx, caller, session, body }) => updateUser(ctx, caller, session, body),
  changeEmail: ({ ctx, caller, session, body }) => changeEmail(ctx, caller, session, body),
  deleteUser: async ({ ctx, caller, session, body }) => {
    const answer = await deleteUser(ctx, caller, session, body)
    if (answer.message === deletionMessages.deleted) leaveSign(ctx, caller, body.callbackURL, accountDeleted)
    return answer
  },
  deleteUserCallback: async ({ ctx, caller, query }) => {
    const answer = await confirmDeletion(ctx, caller, await findCurrentSession(ctx, caller), query.token)
    leaveSign(ctx, caller, query.callbackURL, accountDeleted)
    return query.callbackURL ? new Redirect(query.callbackURL) : answer
  },
}
