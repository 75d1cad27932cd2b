import type { PageDone, PageForm } from '@tollgate/contract/pages'
import type { SessionAnswer } from '@tollgate/contract/types'
import { isAddress } from './page-data.ts'
import type { Visit } from './visit.ts'

/** What a form leads to: the next page, or a refusal that only forms give, which no call would. */
export type Outcome = { readonly to: string } | { readonly refused: string }

type Posted = { readonly visit: Visit; readonly values: Readonly<Record<string, string>> }

type Form = {
  /** The pages that carry it. */
  readonly pages: readonly string[]
  /** Fields that come back with the page when the form is refused; never a password. */
  readonly kept: readonly string[]
  /** Sends it as the API would be called. */
  readonly submit: (posted: Posted) => Promise<Outcome>
}

/** Every form of the hosted pages: what it calls, and where it leads. */
export const forms: Readonly<Record<PageForm, Form>> = {
  'sign-in': {
    pages: ['/sign-in'],
    kept: ['email', 'rememberMe', 'callbackURL'],
    submit: async ({ visit, values: { email = '', password = '', rememberMe, callbackURL } }) => {
      if (password === '') return { refused: 'PASSWORD_REQUIRED' }
      // The callback is for the mail that an unverified address gets; where to go from here is decided below.
      const body = { email, password, rememberMe: rememberMe !== undefined, callbackURL: '/verify-email' }
      await visit.call('signInEmail', { body })
      return { to: visit.safeTarget(callbackURL) ?? '/account' }
    },
  },

  'sign-up': {
    pages: ['/sign-up'],
    kept: ['name', 'email', 'callbackURL', 'setupToken'],
    submit: async ({ visit, values: { name = '', email = '', password = '', callbackURL, setupToken } }) => {
      if (name.trim() === '') return { refused: 'NAME_REQUIRED' }
      const body = { name, email, password, callbackURL: '/verify-email', ...(setupToken && { setupToken }) }
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
      await visit.call('requestPasswordReset', { body: { email, redirectTo: '/reset-password' } })
      return { to: `/forgot-password?done=sent&email=${encodeURIComponent(email)}` }
    },
  },

  'reset-password': {
    pages: ['/reset-password'],
    kept: ['token'],
    submit: async ({ visit, values: { newPassword = '', token = '' } }) => {
      if (newPassword === '') return { refused: 'NEW_PASSWORD_REQUIRED' }
      await visit.call('resetPassword', { body: { newPassword, token } })
      return { to: '/sign-in?done=password-reset' }
    },
  },

  'resend-verification': {
    pages: ['/verify-email', '/account'],
    kept: ['email', 'callbackURL'],
    submit: async ({ visit, values }) => {
      const email = values.email?.trim() ?? ''
      if (!isAddress(email)) return { refused: 'INVALID_EMAIL' }
      await visit.call('sendVerificationEmail', { body: { email, callbackURL: '/verify-email' } })
      if (visit.url.pathname === '/account') return done('/account', 'resent')
      return { to: `/verify-email?email=${encodeURIComponent(email)}&done=resent` }
    },
  },

  profile: {
    pages: ['/account'],
    kept: ['name', 'image'],
    submit: async ({ visit, values: { name = '', image = '' } }) => {
      if (name.trim() === '') return { refused: 'NAME_REQUIRED' }
      await visit.call('updateUser', { body: { name, image: image.trim() || null } })
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

  'delete-account': {
    pages: ['/account/delete'],
    kept: ['confirmation'],
    submit: async ({ visit, values: { confirmation = '', password } }) => {
      if (!visit.build.confirmsDeletion(confirmation, visit.preferences.locale)) return { refused: 'CONFIRMATION_WORD' }
      const body = { callbackURL: '/account-deleted', ...(password && { password }) }
      const answer = await visit.call('deleteUser', { body })
      if (answer?.message === 'User deleted') return { to: '/account-deleted' }
      return done('/account/delete', 'delete-mail-sent')
    },
  },

  'sign-out': {
    pages: ['/sign-out'],
    kept: [],
    submit: async ({ visit }) => {
      // Without a session there is nothing to end, and the visitor is where they wanted to be.
      if (await visit.session()) await visit.call('signOut')
      return { to: '/sign-in?done=signed-out' }
    },
  },
}

const done = (path: string, what: PageDone): Outcome => ({ to: `${path}?done=${what}` })

/** The form that was posted to a page: the one it names, else the page's only one. */
export function postedForm(path: string, named: string | undefined): PageForm | undefined {
  const names = (Object.keys(forms) as PageForm[]).filter((name) => forms[name].pages.includes(path))
  return named === undefined && names.length === 1 ? names[0] : names.find((name) => name === named)
}
