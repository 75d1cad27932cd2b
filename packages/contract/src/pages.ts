/**
 * Entry `pages`: the data that the server passes to a hosted page. The server writes it, the page's build renders it,
 * and the browser gets the same data to hydrate. Types only.
 */

import type { BillingForm, BillingPages } from './billing-pages.ts'
import type { AuthCallName } from './calls.ts'
import type { CaptchaProvider } from './captcha.ts'
import type {
  AccountOrganizations,
  OrganizationDone,
  OrganizationForm,
  OrganizationPages,
} from './organization-pages.ts'
import type { Answer, Session, SessionAnswer } from './types.ts'

export type { BillingPages, PageReceipt } from './billing-pages.ts'
export type {
  DashboardAdministration,
  DashboardOrganization,
  DashboardProps,
  DashboardRenderer,
  DashboardSeller,
  DrawnDashboard,
} from './dashboard-pages.ts'

export type {
  AccountOrganizations,
  OrganizationDone,
  OrganizationForm,
  OrganizationFrame,
  OrganizationPages,
  PageMember,
  PageOrganization,
  PageRole,
} from './organization-pages.ts'

/** The languages of the hosted pages and of mails. */
export type PageLocale = 'en' | 'de' | 'es' | 'fr' | 'pl' | 'ru' | 'tr' | 'uk'

/** Every form of the hosted pages; each sends its name in a hidden field `form`. */
export type PageForm =
  | 'sign-in'
  | 'sign-up'
  | 'forgot-password'
  | 'reset-password'
  | 'resend-verification'
  | 'profile'
  /** `picture`, a file. */
  | 'picture'
  | 'picture-remove'
  | 'change-email'
  | 'change-password'
  | 'set-password'
  | 'revoke-session'
  | 'revoke-other-sessions'
  | 'delete-account'
  | 'sign-out'
  /** A provider's button: `provider`, `callbackURL`. */
  | 'social-sign-in'
  /** Requests a mailed link: `email`, `callbackURL`. On the sign-in page a second button of its form sends it. */
  | 'magic-link'
  /** The button of the page that the mailed link leads to: `token`, `callbackURL`. */
  | 'magic-link-confirm'
  /** The six digits of the mail: `email`, `code`, `callbackURL`. */
  | 'magic-link-code'
  /** `provider`. */
  | 'link-account'
  /** `accountId` is the row's id. A `password` is checked first, which makes the session fresh again. */
  | 'unlink-account'
  | 'stop-impersonating'
  | OrganizationForm
  | BillingForm

/** A form's success message, or the notice of another page above it. */
export type PageDone =
  /** SignIn: a notice above the form. */
  | 'password-reset'
  | 'email-verified'
  | 'signed-out'
  | 'account-deleted'
  /** ForgotPassword: the same for known and unknown addresses; `values.email` is shown. */
  | 'sent'
  /** ResetPassword: the new password is saved. */
  | 'reset'
  /** VerifyEmail, and the resend button of the profile. */
  | 'resent'
  /** AccountSettings. The ones about mails show `values.email`. */
  | 'saved'
  | 'email-changed'
  | 'email-requested'
  | 'password-changed'
  | 'reset-mail-sent'
  | 'session-revoked'
  | 'sessions-revoked'
  | 'account-linked'
  | 'account-unlinked'
  /** DeleteAccount: the mail with the link has been sent. */
  | 'delete-mail-sent'
  | OrganizationDone

/**
 * The state of a form: the server renders it after a post without JavaScript, and the same form shows it with
 * JavaScript. Absent before the first submission.
 */
export type PageState = {
  /** The submitted form, on pages with several. */
  form?: PageForm
  /** The refusal's wire code, e.g. `INVALID_EMAIL_OR_PASSWORD`, or one that only forms use (`CONFIRMATION_WORD`). */
  code?: string
  /** The server's English text; shown only for a code without a text in the pages. */
  message?: string
  /** Refusals that belong to a field: its name → a code. */
  fields?: Readonly<Record<string, string>>
  /** The submitted values, by field name; never a password. */
  values?: Readonly<Record<string, string>>
  /** Seconds until the server accepts the form again (429). */
  retryAfter?: number
  done?: PageDone
}

/** The captcha's provider, and the calls that require it. */
export type PageCaptcha = {
  readonly provider: CaptchaProvider
  readonly siteKey: string
  readonly calls: readonly AuthCallName[]
}

/** The data of every page. */
type Common = {
  readonly locale: PageLocale
  readonly appName: string
  /** The picture in place of the product's mark, where the installation has one. */
  readonly logo?: string
  readonly mode: 'development' | 'production'
  /** Overrides the viewer's system setting. */
  readonly scheme?: 'light' | 'dark'
  /** The API's base address, for the client. */
  readonly basePath: string
  /** The page's own address with its query, for links to the same page in other languages. */
  readonly address: string
  /** Address of the mail inbox, in development mode. */
  readonly inbox?: string
  readonly passwordRules: { readonly min: number; readonly max: number }
  /** Length limits of a username; letters, digits, `_` and `.` unless the server has a rule of its own (`custom`). */
  readonly usernameRules: { readonly min: number; readonly max: number; readonly custom?: boolean }
  /** The widget for the forms that make one of these calls. */
  readonly captcha?: PageCaptcha
  readonly state?: PageState
  /** The end of the impersonation, if an administrator acts as this user. */
  readonly impersonation?: { readonly name: string; readonly until: string; readonly now: string }
}

/** A provider that people can sign in with. */
export type PageProvider = { readonly id: string; readonly name: string }

/** The code of a failed redirect, unchanged. */
type Redirected = { readonly error?: string }

/** The ways to sign in besides email and password, and the address to go to afterwards. */
type SignInWays = {
  /** Checked by the server: a safe path of ours or an address of a trusted origin. */
  readonly callbackURL?: string
  readonly providers: readonly PageProvider[]
  /** Whether people have usernames, and can sign in with them. */
  readonly username: boolean
  readonly magicLink: boolean
  /** Whether passwords are on: for signing in on the sign-in page, for signing up on the other. */
  readonly password: boolean
}

/** The additional data of an account page. */
type Account = {
  readonly session: NonNullable<SessionAnswer>
  /** The server's time, for "3 days ago". */
  readonly now: string
  /** Whether the viewer administers the installation. */
  readonly administers?: boolean
  readonly hasPassword: boolean
  readonly features: {
    readonly changeEmail: boolean
    readonly deleteUser: boolean
    readonly verification: boolean
    readonly username: boolean
    /** Whether there are providers to connect. */
    readonly connections: boolean
    /** Whether there are organizations. */
    readonly organizations: boolean
  }
}

/** The data of each page, by name. */
export type Pages = {
  readonly 'sign-in': SignInWays &
    Redirected & {
      /** The user who is signed in already. */
      readonly signedInAs?: { readonly name: string; readonly email: string }
      readonly signUp: boolean
      readonly forgotPassword: boolean
      /** The way in that this browser last used: `password`, `magic-link` or a provider's id. */
      readonly lastMethod?: string
    }
  readonly 'sign-up': SignInWays & {
    readonly closed: boolean
    /** The user who is signed in already. */
    readonly signedInAs?: { readonly name: string; readonly email: string }
    readonly setupToken?: string
    /** The link no longer makes its user an administrator. */
    readonly isSetupOver?: boolean
    /** The invited address, for a visitor who follows an invitation's mail. */
    readonly invitation?: {
      readonly id: string
      readonly proof: string
      readonly email: string
      readonly organizationName: string
    }
  }
  /** Without JavaScript, a form reaches a provider through this page: the policy restricts forms to our own origin. */
  readonly leaving: { readonly url: string; readonly provider: string }
  /** "Check your email" with the field for the code. */
  readonly 'magic-link-sent': {
    readonly email: string
    readonly callbackURL?: string
    readonly codeLength: number
    /** Seconds until the mail can be sent again. */
    readonly resendAfter: number
  }
  /** The target of the mailed link. The address is present only for a valid token. */
  readonly 'magic-link': {
    readonly status: 'ready' | 'expired' | 'invalid'
    readonly token?: string
    readonly email?: string
    readonly callbackURL?: string
  }
  readonly 'forgot-password': { readonly callbackURL?: string; readonly email?: string }
  readonly 'reset-password': {
    readonly token?: string
    readonly error?: string
    /** The user of the password, and the link's expiry (ISO 8601); present only for a valid token. */
    readonly email?: string
    readonly validUntil?: string
    /** The page that a visitor with a forgotten password wanted. */
    readonly callbackURL?: string
  }
  readonly 'verify-email': {
    /** `unconfirmed`: this browser has not submitted anything yet. */
    readonly status:
      | 'sent'
      | 'unconfirmed'
      | 'verified'
      | 'already'
      | 'expired'
      | 'invalid'
      | 'user_not_found'
      | 'unauthorized'
    readonly email?: string
    /** The signed-in user, if the verified address belongs to another one. */
    readonly signedInAs?: string
    /** The next address after verification. */
    readonly callbackURL?: string
  }
  readonly error: { readonly code?: string }
  readonly 'email-changed': {
    readonly status: 'changed' | 'verified' | 'expired' | 'invalid' | 'unauthorized'
    readonly email?: string
  }
  readonly 'account-deleted': object
  readonly 'not-found': object
  /** The page failed: a fault of ours, or too many requests. */
  readonly failure: { readonly code: string }
  readonly 'account-profile': Account
  readonly 'account-security': Account
  readonly 'account-sessions': Account & { readonly sessions: readonly Session[] }
  readonly 'account-connections': Account &
    Redirected & {
      readonly accounts: Answer<'listAccounts'>
      readonly providers: readonly PageProvider[]
      /** Whether the last account may be unlinked too. */
      readonly mayUnlinkAll: boolean
      readonly mayLink: boolean
    }
  readonly 'account-organizations': Account & AccountOrganizations
  readonly 'account-delete': Account & {
    /** The effect on the organizations that only this user owns. */
    readonly preview: Answer<'previewUserDeletion'>
  }
} & OrganizationPages &
  BillingPages

export type PageName = keyof Pages

/** The data of the named page, or of any page. */
export type PageData<Name extends PageName = PageName> = {
  [N in Name]: { readonly page: N } & Common & Pages[N]
}[Name]

/** The data of every page, whichever it is. */
export type PageFrame = Common

/** A rendered page, for the server's document. */
export type RenderedPage = {
  readonly title: string
  readonly lang: string
  readonly dir: 'ltr' | 'rtl'
  /** The hydrated part, for the element with the id `page`. */
  readonly html: string
  /** The static part above it, during an impersonation. */
  readonly banner?: string
  /** The static part below it. */
  readonly footer: string
  readonly style: PageStyle
  /** The bundle that hydrates the page, and its data; absent for static pages. */
  readonly script?: { readonly entry: PageScript; readonly props: object }
}

/** The style sheets. */
export type PageStyle = 'front-door' | 'account' | 'organization' | 'checkout' | 'pricing'

/**
 * The bundles that hydrate pages. Pages that look alike have several, so that signing in loads neither sign-up nor the
 * mailed links' pages. The bundle that draws a captcha comes before the page's own.
 */
export type PageScript =
  | Exclude<PageStyle, 'front-door' | 'pricing'>
  | 'sign-in'
  | 'sign-up'
  | 'mail-door'
  | 'captcha'
  | 'joining'
  | 'receipt'
  | 'pay'

/** The exports of the server build. */
export type PageRenderer = {
  /** The languages that pages can be rendered in. */
  readonly pageLocales: readonly PageLocale[]
  render(data: PageData): RenderedPage
  /** Whether the text is the word that confirms a deletion, in the page's language. */
  confirmsDeletion(typed: string, locale: PageLocale): boolean
}
