import { deletionMessages } from '@tollgate/contract/calls'
import type { PageForm } from '@tollgate/contract/pages'
import type { SessionAnswer } from '@tollgate/contract/types'
import { namesOf } from '../foundation/proof/proven.ts'
import { done, type Form, type Outcome, type Posted, withQuery } from './form.ts'
import { joiningForms } from './joining-forms.ts'
import { organizationForms } from './organization-forms.ts'
import { isAddress, lastMethodCookie, providersOf } from './page-data.ts'
import { pricingForms } from './pricing-forms.ts'
import type { Visit } from './visit.ts'

/** Every form of the hosted pages: its calls and its outcome. */
export const forms: Readonly<Record<PageForm, Form>> = {
  ...organizationForms,
  ...joiningForms,
  ...pricingForms,

  'sign-in': {
    pages: ['/sign-in'],
    kept: ['email', 'rememberMe', 'callbackURL'],
    submit: async ({ visit, values: { email = '', password = '', rememberMe, callbackURL } }) => {
      if (password === '') return { refused: 'PASSWORD_REQUIRED' }
      // This callback is for the verification mail of an unverified address; the redirect below ignores it.
      const rest = { password, rememberMe: rememberMe !== undefined, callbackURL: '/verify-email' }
      const username = email.trim()
      const isUsername = visit.ctx.config.username !== false && username !== '' && !username.includes('@')
      if (isUsername) await visit.call('signInUsername', { body: { username, ...rest } })
      else await visit.call('signInEmail', { body: { email, ...rest } })
      rememberMethod(visit, 'password')
      return { to: visit.safeTarget(callbackURL) ?? '/account' }
    },
  },

  'social-sign-in': {
    pages: ['/sign-in', '/sign-up'],
    kept: ['callbackURL'],
    submit: async ({ visit, values: { provider = '', callbackURL } }) => {
      const isSignUp = visit.route === '/sign-up'
      const target = visit.safeTarget(callbackURL) ?? '/account'
      const body = {
        provider,
        callbackURL: target,
        errorCallbackURL: withCallback('/sign-in', callbackURL),
        ...(isSignUp && { requestSignUp: true }),
      }
      const answer = await visit.call('signInSocial', { body })
      rememberMethod(visit, provider)
      return leaving(visit, provider, answer)
    },
  },

  'magic-link': {
    pages: ['/sign-in', '/magic-link/sent'],
    kept: ['email', 'callbackURL'],
    submit: async ({ visit, values }) => {
      const email = values.email?.trim() ?? ''
      if (!isAddress(email)) return { refused: email === '' ? 'EMAIL_REQUIRED' : 'INVALID_EMAIL' }
      const callbackURL = visit.safeTarget(values.callbackURL)
      const body = { email, callbackURL: callbackURL ?? '/account', errorCallbackURL: '/sign-in' }
      await visit.call('signInMagicLink', { body })
      rememberMethod(visit, 'magic-link')
      const done = visit.route === '/sign-in' ? undefined : 'resent'
      return { to: withQuery('/magic-link/sent', { email, callbackURL, done }) }
    },
  },

  'magic-link-confirm': {
    pages: ['/magic-link'],
    kept: ['token', 'callbackURL'],
    submit: async ({ visit, values: { token = '', callbackURL } }) => {
      await visit.call('verifyMagicLink', { query: { token } })
      return { to: visit.safeTarget(callbackURL) ?? '/account' }
    },
  },

  'magic-link-code': {
    pages: ['/magic-link/sent'],
    kept: ['email', 'callbackURL'],
    submit: async ({ visit, values: { email = '', code = '', callbackURL } }) => {
      // A code copied from a mail may contain blanks or dashes.
      const otp = code.replace(/[\s-]/g, '')
      if (otp === '') return { refused: 'CODE_REQUIRED' }
      await visit.call('signInEmailOtp', { body: { email, otp, rememberMe: true } })
      return { to: visit.safeTarget(callbackURL) ?? '/account' }
    },
  },

  'sign-up': {
    pages: ['/sign-up'],
    kept: ['name', 'email', 'username', 'callbackURL', 'setupToken', 'invitationId', 'invitationProof'],
    submit: async ({ visit, values }) => {
      const { name = '', email = '', password = '', callbackURL, setupToken, invitationId, invitationProof } = values
      if (name.trim() === '') return { refused: 'NAME_REQUIRED' }
      const profile = { name, email, ...usernamesOf(values, values.username?.trim() === '') }
      const body = {
        ...profile,
        password,
        callbackURL: backToJoining(visit, callbackURL) ?? '/verify-email',
        ...(setupToken && { setupToken }),
        ...(invitationId && invitationProof && { invitationId, invitationProof }),
      }
      const answer = await visit.call('signUpEmail', { body })
      if (answer?.token) return { to: visit.safeTarget(callbackURL) ?? '/account' }
      return { to: `/verify-email?email=${encodeURIComponent(email.trim())}` }
    },
  },

  'forgot-password': {
    pages: ['/forgot-password'],
    kept: ['email', 'callbackURL'],
    submit: async ({ visit, values }) => {
      const email = values.email?.trim() ?? ''
      if (!isAddress(email)) return { refused: 'INVALID_EMAIL' }
      const callbackURL = visit.safeTarget(values.callbackURL)
      // The mailed link carries the callback, because it may open in another browser.
      await visit.call('requestPasswordReset', {
        body: { email, redirectTo: withCallback('/reset-password', callbackURL) },
      })
      return { to: withQuery('/forgot-password', { done: 'sent', email, callbackURL }) }
    },
  },

  'reset-password': {
    pages: ['/reset-password'],
    kept: ['token', 'callbackURL'],
    submit: async ({ visit, values: { newPassword = '', token = '', callbackURL } }) => {
      if (newPassword === '') return { refused: 'NEW_PASSWORD_REQUIRED' }
      await visit.call('resetPassword', { body: { newPassword, token } })
      return { to: withQuery('/sign-in', { done: 'password-reset', callbackURL: visit.safeTarget(callbackURL) }) }
    },
  },

  'resend-verification': {
    pages: ['/verify-email', '/account'],
    kept: ['email', 'callbackURL'],
    submit: async ({ visit, values }) => {
      const email = values.email?.trim() ?? ''
      if (!isAddress(email)) return { refused: 'INVALID_EMAIL' }
      const callbackURL = backToJoining(visit, values.callbackURL) ?? '/verify-email'
      await visit.call('sendVerificationEmail', { body: { email, callbackURL } })
      if (visit.route === '/account') return done('/account', 'resent')
      return { to: `/verify-email?email=${encodeURIComponent(email)}&done=resent` }
    },
  },

  profile: {
    pages: ['/account'],
    kept: ['name', 'image', 'username', 'displayUsername'],
    submit: async ({ visit, values }) => {
      const { name = '', image = '' } = values
      if (name.trim() === '') return { refused: 'NAME_REQUIRED' }
      const isBlank = values.username?.trim() === ''
      const names = usernamesOf(values, isBlank && (await visit.session())?.user.username === null)
      await visit.call('updateUser', { body: { name, image: image.trim() || null, ...names } })
      return done('/account', 'saved')
    },
  },

  'change-email': {
    pages: ['/account'],
    kept: ['newEmail'],
    submit: async ({ visit, values }) => {
      const newEmail = values.newEmail?.trim() ?? ''
      if (!isAddress(newEmail)) return { refused: newEmail === '' ? 'EMAIL_REQUIRED' : 'INVALID_EMAIL' }
      const session = await visit.session()
      await visit.call('changeEmail', { body: { newEmail, callbackURL: '/account/email-changed' } })
      return done('/account', session?.user.emailVerified ? 'email-requested' : 'email-changed')
    },
  },

  'change-password': {
    pages: ['/account/security'],
    kept: ['revokeOtherSessions'],
    submit: async ({ visit, values: { currentPassword = '', newPassword = '', revokeOtherSessions } }) => {
      if (currentPassword === '') return { refused: 'PASSWORD_REQUIRED' }
      const body = { currentPassword, newPassword, revokeOtherSessions: revokeOtherSessions !== undefined }
      await visit.call('changePassword', { body })
      return done('/account/security', 'password-changed')
    },
  },

  'set-password': {
    pages: ['/account/security'],
    kept: [],
    submit: async ({ visit }) => {
      const session: SessionAnswer = await visit.session()
      if (!session) return { refused: 'UNAUTHORIZED' }
      await visit.call('requestPasswordReset', { body: { email: session.user.email, redirectTo: '/reset-password' } })
      return done('/account/security', 'reset-mail-sent')
    },
  },

  'revoke-session': {
    pages: ['/account/sessions'],
    kept: [],
    submit: async ({ visit, values: { token = '' } }) => {
      await visit.call('revokeSession', { body: { token } })
      return done('/account/sessions', 'session-revoked')
    },
  },

  'revoke-other-sessions': {
    pages: ['/account/sessions'],
    kept: [],
    submit: async ({ visit }) => {
      await visit.call('revokeOtherSessions')
      return done('/account/sessions', 'sessions-revoked')
    },
  },

  'link-account': {
    pages: ['/account/connections'],
    kept: ['provider'],
    submit: async ({ visit, values: { provider = '', password } }) => {
      if (password === '') return { refused: 'PASSWORD_REQUIRED' }
      if (password !== undefined) await visit.call('verifyPassword', { body: { password } })
      const callbackURL = '/account/connections?done=account-linked'
      const answer = await visit.call('linkSocial', {
        body: { provider, callbackURL, errorCallbackURL: '/account/connections', requireFreshSession: true },
      })
      return leaving(visit, provider, answer)
    },
  },

  'unlink-account': {
    pages: ['/account/connections'],
    kept: ['accountId'],
    submit: async ({ visit, values: { accountId = '', password } }) => {
      if (password === '') return { refused: 'PASSWORD_REQUIRED' }
      // The password field appears when the session is not fresh; the right password renews it.
      if (password !== undefined) await visit.call('verifyPassword', { body: { password } })
      await visit.call('unlinkAccount', { body: { accountId } })
      return done('/account/connections', 'account-unlinked')
    },
  },

  'delete-account': {
    pages: ['/account/delete'],
    kept: ['confirmation'],
    submit: async ({ visit, values: { confirmation = '', password } }) => {
      if (!visit.build.confirmsDeletion(confirmation, visit.preferences.locale)) return { refused: 'CONFIRMATION_WORD' }
      const body = { callbackURL: '/account-deleted', ...(password && { password }) }
      const answer = await visit.call('deleteUser', { body })
      if (answer?.message === deletionMessages.deleted) return { to: '/account-deleted' }
      return done('/account/delete', 'delete-mail-sent')
    },
  },

  'sign-out': {
    pages: ['/sign-out'],
    kept: [],
    submit: async ({ visit, values: { callbackURL } }) => {
      // Without a session the visitor is already signed out.
      if (await visit.session()) await visit.call('signOut')
      // An invitation for another account returns to its page.
      return { to: visit.safeTarget(callbackURL) ?? '/sign-in?done=signed-out' }
    },
  },

  'stop-impersonating': {
    pages: ['/stop-impersonating'],
    kept: [],
    submit: async ({ visit }) => {
      const session = await visit.session()
      if (!session?.session.impersonatedBy) return { to: '/account' }
      await visit.call('adminStopImpersonating')
      return { to: '/admin' }
    },
  },
}

/** The interstitial before a provider. The call answers with a URL, because the form sent no token. */
function leaving(visit: Visit, provider: string, answer: object | undefined): Outcome {
  const url = answer && 'url' in answer && typeof answer.url === 'string' ? answer.url : undefined
  if (url === undefined) return { refused: 'INTERNAL_SERVER_ERROR' }
  const name = providersOf(visit).find(({ id }) => id === provider)?.name ?? provider
  return { page: visit.data('leaving', { url, provider: name }), refresh: url }
}

/** Returns users who verify their address to the invitation, link or organization that required it. */
function backToJoining(visit: Visit, target: string | undefined): string | undefined {
  const back = visit.safeTarget(target)
  return back && /^\/(?:accept-invitation|join|org)\//.test(back) ? back : undefined
}

const year = 31_536_000

/** The username fields of a form. A blank username of a user without one is ignored. */
function usernamesOf(
  { username, displayUsername }: Posted['values'],
  isLeftOut: boolean,
): { username?: string; displayUsername?: string | null } {
  return {
    ...(username !== undefined && !isLeftOut && { username: username.trim() }),
    ...(displayUsername !== undefined && { displayUsername: displayUsername.trim() || null }),
  }
}

/** Remembers the method for the mark "last used". The value is not personal, so scripts may read the cookie. */
function rememberMethod({ ctx, setCookie }: Visit, method: string): void {
  const secure = ctx.config.secureCookies ? '; Secure' : ''
  setCookie(`${lastMethodCookie}=${encodeURIComponent(method)}; Max-Age=${year}; Path=/; SameSite=Lax${secure}`)
}

const withCallback = (path: string, callbackURL: string | undefined): string => withQuery(path, { callbackURL })

/** The posted form of a page: the named one, otherwise its only one or the one named like the route. */
export function postedForm(route: string, named: string | undefined): PageForm | undefined {
  const names = namesOf(forms).filter((name) => forms[name].pages.includes(route))
  if (named === undefined && names.length === 1) return names[0]
  return names.find((name) => name === (named ?? route.slice(1)))
}
