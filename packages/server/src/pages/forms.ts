import { deletionMessages } from '@tollgate/contract/calls'
import type { PageForm } from '@tollgate/contract/pages'
import { namesOf } from '../foundation/proof/proven.ts'
import {
  acting,
  done,
  type Form,
  FormRefused,
  form,
  nameIn,
  type Outcome,
  renewSession,
  required,
  requiredAddress,
  type Values,
  withQuery,
} from './form.ts'
import { joiningForms } from './joining-forms.ts'
import { organizationForms } from './organization-forms.ts'
import { lastMethodCookie, providersOf } from './page-data.ts'
import { pricingForms } from './pricing-forms.ts'
import type { Visit } from './visit.ts'

/** Every form of the hosted pages: its calls and its outcome. */
export const forms: Readonly<Record<PageForm, Form>> = {
  ...organizationForms,
  ...joiningForms,
  ...pricingForms,

  'sign-in': form(['/sign-in'], ['email', 'rememberMe', 'callbackURL'], async (visit, values) => {
    const { email = '', rememberMe, callbackURL } = values
    const password = required(values.password, 'PASSWORD_REQUIRED')
    // This callback is for the verification mail of an unverified address; the redirect below ignores it.
    const rest = { password, rememberMe: rememberMe !== undefined, callbackURL: '/verify-email' }
    const username = email.trim()
    const isUsername = visit.ctx.config.username !== false && username !== '' && !username.includes('@')
    if (isUsername) await visit.call('signInUsername', { body: { username, ...rest } })
    else await visit.call('signInEmail', { body: { email, ...rest } })
    rememberMethod(visit, 'password')
    return { to: targetOf(visit, callbackURL) }
  }),

  'social-sign-in': form(['/sign-in', '/sign-up'], ['callbackURL'], async (visit, { provider = '', callbackURL }) => {
    const body = {
      provider,
      callbackURL: targetOf(visit, callbackURL),
      errorCallbackURL: withQuery('/sign-in', { callbackURL }),
      ...(visit.route === '/sign-up' && { requestSignUp: true }),
    }
    const answer = await visit.call('signInSocial', { body })
    rememberMethod(visit, provider)
    return leaving(visit, provider, answer)
  }),

  'magic-link': form(['/sign-in', '/magic-link/sent'], ['email', 'callbackURL'], async (visit, values) => {
    const email = requiredAddress(values.email, 'EMAIL_REQUIRED')
    const callbackURL = visit.safeTarget(values.callbackURL)
    const body = { email, callbackURL: callbackURL ?? '/account', errorCallbackURL: '/sign-in' }
    await visit.call('signInMagicLink', { body })
    rememberMethod(visit, 'magic-link')
    const done = visit.route === '/sign-in' ? undefined : 'resent'
    return { to: withQuery('/magic-link/sent', { email, callbackURL, done }) }
  }),

  'magic-link-confirm': form(['/magic-link'], ['token', 'callbackURL'], async (visit, { token = '', callbackURL }) => {
    await visit.call('verifyMagicLink', { query: { token } })
    return { to: targetOf(visit, callbackURL) }
  }),

  'magic-link-code': form(
    ['/magic-link/sent'],
    ['email', 'callbackURL'],
    async (visit, { email = '', code, callbackURL }) => {
      // A code copied from a mail may contain blanks or dashes.
      const otp = required(code?.replace(/[\s-]/g, ''), 'CODE_REQUIRED')
      await visit.call('signInEmailOtp', { body: { email, otp, rememberMe: true } })
      return { to: targetOf(visit, callbackURL) }
    },
  ),

  'sign-up': form(
    ['/sign-up'],
    ['name', 'email', 'username', 'callbackURL', 'setupToken', 'invitationId', 'invitationProof'],
    async (visit, values) => {
      const { email = '', password = '', callbackURL, setupToken, invitationId, invitationProof } = values
      const body = {
        name: nameIn(values),
        email,
        ...usernamesOf(values, values.username?.trim() === ''),
        password,
        callbackURL: backToJoining(visit, callbackURL) ?? '/verify-email',
        ...(setupToken && { setupToken }),
        ...(invitationId && invitationProof && { invitationId, invitationProof }),
      }
      const { token } = await visit.call('signUpEmail', { body })
      return { to: token ? targetOf(visit, callbackURL) : `/verify-email?email=${encodeURIComponent(email.trim())}` }
    },
  ),

  'forgot-password': form(['/forgot-password'], ['email', 'callbackURL'], async (visit, values) => {
    const email = requiredAddress(values.email)
    const callbackURL = visit.safeTarget(values.callbackURL)
    // The mailed link carries the callback, because it may open in another browser.
    const redirectTo = withQuery('/reset-password', { callbackURL })
    await visit.call('requestPasswordReset', { body: { email, redirectTo } })
    return { to: withQuery('/forgot-password', { done: 'sent', email, callbackURL }) }
  }),

  'reset-password': form(
    ['/reset-password'],
    ['token', 'callbackURL'],
    async (visit, { newPassword, token = '', callbackURL }) => {
      const body = { newPassword: required(newPassword, 'NEW_PASSWORD_REQUIRED'), token }
      await visit.call('resetPassword', { body })
      return { to: withQuery('/sign-in', { done: 'password-reset', callbackURL: visit.safeTarget(callbackURL) }) }
    },
  ),

  'resend-verification': form(['/verify-email', '/account'], ['email', 'callbackURL'], async (visit, values) => {
    const email = requiredAddress(values.email)
    const callbackURL = backToJoining(visit, values.callbackURL) ?? '/verify-email'
    await visit.call('sendVerificationEmail', { body: { email, callbackURL } })
    if (visit.route === '/account') return done('/account', 'resent')
    return { to: `/verify-email?email=${encodeURIComponent(email)}&done=resent` }
  }),

  profile: acting('/account', 'saved', ['name', 'image', 'username', 'displayUsername'], async (visit, values) => {
    const name = nameIn(values)
    const isBlank = values.username?.trim() === ''
    const names = usernamesOf(values, isBlank && (await visit.session())?.user.username === null)
    await visit.call('updateUser', { body: { name, image: values.image?.trim() || null, ...names } })
  }),

  'change-email': form(['/account'], ['newEmail'], async (visit, values) => {
    const newEmail = requiredAddress(values.newEmail, 'EMAIL_REQUIRED')
    const session = await visit.session()
    await visit.call('changeEmail', { body: { newEmail, callbackURL: '/account/email-changed' } })
    return done('/account', session?.user.emailVerified ? 'email-requested' : 'email-changed')
  }),

  'change-password': acting('/account/security', 'password-changed', ['revokeOtherSessions'], (visit, values) => {
    const currentPassword = required(values.currentPassword, 'PASSWORD_REQUIRED')
    const { newPassword = '', revokeOtherSessions } = values
    const body = { currentPassword, newPassword, revokeOtherSessions: revokeOtherSessions !== undefined }
    return visit.call('changePassword', { body })
  }),

  'set-password': acting('/account/security', 'reset-mail-sent', [], async (visit) => {
    const session = await visit.session()
    if (!session) throw new FormRefused('UNAUTHORIZED')
    const { email } = session.user
    await visit.call('requestPasswordReset', { body: { email, redirectTo: '/reset-password' } })
  }),

  'revoke-session': acting('/account/sessions', 'session-revoked', [], (visit, { token = '' }) =>
    visit.call('revokeSession', { body: { token } }),
  ),

  'revoke-other-sessions': acting('/account/sessions', 'sessions-revoked', [], (visit) =>
    visit.call('revokeOtherSessions'),
  ),

  'link-account': form(['/account/connections'], ['provider'], async (visit, { provider = '', password }) => {
    await renewSession(visit, password)
    const callbackURL = '/account/connections?done=account-linked'
    const answer = await visit.call('linkSocial', {
      body: { provider, callbackURL, errorCallbackURL: '/account/connections', requireFreshSession: true },
    })
    return leaving(visit, provider, answer)
  }),

  'unlink-account': acting('/account/connections', 'account-unlinked', ['accountId'], async (visit, values) => {
    await renewSession(visit, values.password)
    await visit.call('unlinkAccount', { body: { accountId: values.accountId ?? '' } })
  }),

  'delete-account': form(['/account/delete'], ['confirmation'], async (visit, { confirmation = '', password }) => {
    if (!visit.build.confirmsDeletion(confirmation, visit.preferences.locale))
      throw new FormRefused('CONFIRMATION_WORD')
    const body = { callbackURL: '/account-deleted', ...(password && { password }) }
    const { message } = await visit.call('deleteUser', { body })
    if (message === deletionMessages.deleted) return { to: '/account-deleted' }
    return done('/account/delete', 'delete-mail-sent')
  }),

  'sign-out': form(['/sign-out'], [], async (visit, { callbackURL }) => {
    // Without a session the visitor is already signed out.
    if (await visit.session()) await visit.call('signOut')
    // An invitation for another account returns to its page.
    return { to: visit.safeTarget(callbackURL) ?? '/sign-in?done=signed-out' }
  }),

  'stop-impersonating': form(['/stop-impersonating'], [], async (visit) => {
    const session = await visit.session()
    if (!session?.session.impersonatedBy) return { to: '/account' }
    await visit.call('adminStopImpersonating')
    return { to: '/admin' }
  }),
}

/** The safe callback of a form, otherwise the account. */
const targetOf = (visit: Visit, callbackURL: string | undefined): string => visit.safeTarget(callbackURL) ?? '/account'

/** The interstitial before a provider. The call answers with a URL, because the form sent no token. */
function leaving(visit: Visit, provider: string, answer: object): Outcome {
  const url = required('url' in answer && typeof answer.url === 'string' ? answer.url : '', 'INTERNAL_SERVER_ERROR')
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
  { username, displayUsername }: Values,
  isLeftOut: boolean,
): { username?: string; displayUsername?: string | null } {
  return {
    ...(username !== undefined && !isLeftOut && { username: username.trim() }),
    ...(displayUsername !== undefined && { displayUsername: displayUsername.trim() || null }),
  }
}

/** Remembers the method for the mark "last used". The value is not personal, so scripts may read the cookie. */
const rememberMethod = ({ setCookie }: Visit, method: string): void =>
  setCookie(lastMethodCookie, encodeURIComponent(method), year, 'Path=/')

/** The posted form of a page: the named one, otherwise its only one or the one named like the route. */
export function postedForm(route: string, named: string | undefined): PageForm | undefined {
  const names = namesOf(forms).filter((name) => forms[name].pages.includes(route))
  if (named === undefined && names.length === 1) return names[0]
  return names.find((name) => name === (named ?? route.slice(1)))
}
