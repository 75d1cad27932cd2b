import * as check from './checks.ts'
import { type After, type At, defineForm, noInput, urlIn, type Values } from './form.ts'
import { withQuery } from './paths.ts'

/** The page in the end: the wanted one, or the one for signed-in users. */
const targetOf = ({ callbackURL, paths }: At): string => callbackURL ?? paths.signedIn

/** A name without `@` is a username, where people have one. */
const usernameIn = ({ email = '' }: Values, at: At): string | undefined =>
  at.username && !email.includes('@') ? email.trim() : undefined

/** Sign-in with an address or a username, and a password. */
export const signIn = defineForm({
  name: 'sign-in',
  pages: ['/sign-in'],
  calls: ['signInEmail', 'signInUsername'],
  choose: (values, at) => (usernameIn(values, at) === undefined ? 'signInEmail' : 'signInUsername'),
  fields: {
    email: (value, values, at) => {
      if (usernameIn(values, at) === undefined) return check.email(value, values, at)
      return value.trim() === '' ? 'IDENTIFIER_REQUIRED' : undefined
    },
    password: check.password,
  },
  kept: ['email', 'rememberMe', 'callbackURL'],
  input(values, at) {
    const { email = '', password = '', rememberMe } = values
    const rest = { password, rememberMe: rememberMe !== undefined }
    const username = usernameIn(values, at)
    // Leads the verification mail of an unverified address back.
    const verify = { callbackURL: at.paths.verifyEmail }
    if (username !== undefined) return { username, ...rest, ...verify }
    // The server checks where a script wants to go, and its client goes there.
    const back = at.isScripted ? !at.keepsPage && at.callbackURL && { callbackURL: at.callbackURL } : verify
    return { email: email.trim(), ...rest, ...back }
  },
  after: (_, __, at) => ({ to: targetOf(at), method: 'password' }),
})

/** A provider's button. */
export const socialSignIn = defineForm({
  name: 'social-sign-in',
  pages: ['/sign-in', '/sign-up'],
  calls: ['signInSocial'],
  fields: {},
  kept: ['callbackURL'],
  input: ({ provider = '' }, at) => ({
    provider,
    callbackURL: targetOf(at),
    errorCallbackURL: withQuery(at.paths.signIn, { callbackURL: at.callbackURL }),
    ...(at.page === at.paths.signUp && { requestSignUp: true }),
  }),
  after: (answer, { provider = '' }) => ({ to: urlIn(answer), provider, method: provider }),
})

/** Requests a mailed link, on the sign-in page and again on the page that follows. */
export const magicLink = defineForm({
  name: 'magic-link',
  pages: ['/sign-in', '/magic-link/sent'],
  calls: ['signInMagicLink'],
  fields: { email: check.email },
  kept: ['email', 'callbackURL'],
  input: ({ email = '' }, at) => ({
    email: email.trim(),
    callbackURL: targetOf(at),
    errorCallbackURL: at.paths.signIn,
  }),
  after(_, { email = '' }, { paths, page, callbackURL }) {
    const sent = { email: email.trim(), callbackURL }
    const method = 'magic-link'
    return page === paths.magicLinkSent
      ? { done: 'resent', to: withQuery(page, { ...sent, done: 'resent' }), method }
      : { to: withQuery(paths.magicLinkSent, sent), method }
  },
})

/** The button of the page that the mailed link leads to. */
export const magicLinkConfirm = defineForm({
  name: 'magic-link-confirm',
  pages: ['/magic-link'],
  calls: ['verifyMagicLink'],
  fields: {},
  kept: ['token', 'callbackURL'],
  input: ({ token = '' }) => ({ token }),
  after: (_, __, at) => ({ to: targetOf(at) }),
})

/** The code of the same mail. */
export const magicLinkCode = defineForm({
  name: 'magic-link-code',
  pages: ['/magic-link/sent'],
  calls: ['signInEmailOtp'],
  fields: { code: check.filled('CODE_REQUIRED') },
  kept: ['email', 'callbackURL'],
  // A code copied from a mail may contain blanks or dashes.
  input: ({ email = '', code = '' }) => ({ email, otp: code.replace(/[\s-]/g, ''), rememberMe: true }),
  after: (_, __, at) => ({ to: targetOf(at) }),
})

/** A new account. */
export const signUp = defineForm({
  name: 'sign-up',
  pages: ['/sign-up'],
  calls: ['signUpEmail'],
  fields: { name: check.name, email: check.email, username: check.username, password: check.newPassword },
  kept: ['name', 'email', 'username', 'callbackURL', 'setupToken', 'invitationId', 'invitationProof'],
  input({ name = '', email = '', username, password = '', setupToken, invitationId, invitationProof }, at) {
    return {
      name: name.trim(),
      email: email.trim(),
      password,
      callbackURL: verifiedTarget(at),
      ...(username?.trim() && { username: username.trim() }),
      ...(setupToken && { setupToken }),
      ...(invitationId && invitationProof && { invitationId, invitationProof }),
    }
  },
  after: ({ token }, { email = '' }, at) => ({
    to: token ? targetOf(at) : withQuery(at.paths.verifyEmail, { email: email.trim() }),
  }),
})

/** Returns users who verify their address to the invitation, link or organization that required it. */
function verifiedTarget({ callbackURL, paths }: At): string {
  const isBack = [paths.join, paths.acceptInvitation, paths.organization].some((way) =>
    callbackURL?.startsWith(`${way}/`),
  )
  return callbackURL !== undefined && isBack ? callbackURL : paths.verifyEmail
}

/** Requests the mail with the link to a new password. */
export const forgotPassword = defineForm({
  name: 'forgot-password',
  pages: ['/forgot-password'],
  calls: ['requestPasswordReset'],
  fields: { email: check.email },
  kept: ['email', 'callbackURL'],
  input: ({ email = '' }, { paths, callbackURL }) => ({
    email: email.trim(),
    // The mailed link carries the callback, because it may open in another browser.
    redirectTo: withQuery(paths.resetPassword, { callbackURL }),
  }),
  after: (_, { email = '' }, { paths, callbackURL }) => {
    const address = email.trim()
    return {
      done: 'sent',
      values: { email: address },
      to: withQuery(paths.forgotPassword, { done: 'sent', email: address, callbackURL }),
    }
  },
})

/** Sets the new password with the token of the link. */
export const resetPassword = defineForm({
  name: 'reset-password',
  pages: ['/reset-password'],
  calls: ['resetPassword'],
  fields: { newPassword: check.newPassword },
  kept: ['token', 'callbackURL'],
  input: ({ newPassword = '', token = '' }) => ({ newPassword, token }),
  after: (_, __, { paths, callbackURL }) => ({
    done: 'reset',
    to: withQuery(paths.signIn, { done: 'password-reset', callbackURL }),
  }),
})

/** Sends the mail that verifies an address once more. */
export const resendVerification = defineForm({
  name: 'resend-verification',
  pages: ['/verify-email', '/account'],
  calls: ['sendVerificationEmail'],
  fields: {},
  kept: ['email', 'callbackURL'],
  input: ({ email = '' }, at) => ({ email: email.trim(), callbackURL: verifiedTarget(at) }),
  after: (_, { email = '' }, { paths, page }) => ({
    done: 'resent',
    values: { email },
    ...(page === paths.verifyEmail && { to: withQuery(page, { email, done: 'resent' }) }),
  }),
})

/** A button that signs out. */
export const signOut = defineForm({
  name: 'sign-out',
  pages: ['/sign-out'],
  calls: ['signOut'],
  fields: {},
  kept: [],
  usesUser: true,
  // Without a session the visitor is already signed out.
  instead: (_, at) => (at.user === null ? signedOut(at) : undefined),
  input: noInput,
  after: (_, __, at) => signedOut(at),
})

/** An invitation for another account returns to its page. */
const signedOut = ({ callbackURL, paths }: At): After => ({
  to: callbackURL ?? withQuery(paths.signIn, { done: 'signed-out' }),
})
