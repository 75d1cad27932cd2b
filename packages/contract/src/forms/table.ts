import * as account from './account.ts'
import * as entrance from './entrance.ts'
import type { Form } from './form.ts'
import * as joining from './joining.ts'

/** Every row under the name of its form, for the server and for tests. A page imports the rows of its forms. */
export const formRows = {
  'sign-in': entrance.signIn,
  'social-sign-in': entrance.socialSignIn,
  'magic-link': entrance.magicLink,
  'magic-link-confirm': entrance.magicLinkConfirm,
  'magic-link-code': entrance.magicLinkCode,
  'sign-up': entrance.signUp,
  'forgot-password': entrance.forgotPassword,
  'reset-password': entrance.resetPassword,
  'resend-verification': entrance.resendVerification,
  'sign-out': entrance.signOut,
  profile: account.profile,
  'change-email': account.changeEmail,
  'change-password': account.changePassword,
  'set-password': account.setPassword,
  'revoke-session': account.revokeSession,
  'revoke-other-sessions': account.revokeOtherSessions,
  'link-account': account.linkAccount,
  'unlink-account': account.unlinkAccount,
  'delete-account': account.deleteAccount,
  'stop-impersonating': account.stopImpersonating,
  'invitation-accept': joining.invitationAccept,
  'invitation-reject': joining.invitationReject,
  'link-join': joining.linkJoin,
  'organization-join': joining.organizationJoin,
} satisfies Readonly<Record<string, Form>>
