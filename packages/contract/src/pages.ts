/**
 * Entry `pages`: what the server hands to a hosted page. The server writes it, the page's build renders it, and the
 * browser gets the same again to go on from there. Types only.
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

/** Every form of the hosted pages; each carries its name in a hidden field `form`. */
export type PageForm =
  | 'sign-in'
  | 'sign-up'
  | 'forgot-password'
  | 'reset-password'
  | 'resend-verification'
  | 'profile'
  | 'change-email'
  | 'change-password'
  | 'set-password'
  | 'revoke-session'
  | 'revoke-other-sessions'
  | 'delete-account'
  | 'sign-out'
  /** A provider's button: `provider`, `callbackURL`. */
  | 'social-sign-in'
  /** Asks for a mailed link: `email`, `callbackURL`. On the sign-in page a second button of its form sends it. */
  | 'magic-link'
  /** The button of the page that the mailed link leads to: `token`, `callbackURL`. */
  | 'magic-link-confirm'
  /** The six digits of the mail: `email`, `code`, `callbackURL`. */
  | 'magic-link-code'
  /** `provider`. */
  | 'link-account'
  /** `accountId` is the row's id; with `password` it is checked first, which makes the session fresh again. */
  | 'unlink-account'
  | 'stop-impersonating'
  | OrganizationForm
  | BillingForm

/** What a form has to say that it is finished, or that another page wants said above it. */
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
  /** AccountSettings. `values.email` is shown with the ones about mails. */
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
 * How a form stands: what the server renders after a post without JavaScript, and what the same form shows with it.
 * An absent state is a form that nobody has sent yet.
 */
export type PageState = {
  /** The form that was sent, on pages with several. */
  form?: PageForm
  /** Wire code of the refusal, e.g. `INVALID_EMAIL_OR_PASSWORD`, or one that only forms give, such as `CONFIRMATION_WORD`. */
  code?: string
  /** The server's English text; shown only for a code that we have no text for. */
  message?: string
  /** Refusals that belong to a field: its name → a code. */
  fields?: Readonly<Record<string, string>>
  /** What was entered, by field name; never a password. */
  values?: Readonly<Record<string, string>>
  /** Seconds until the server takes the form again (429). */
  retryAfter?: number
  done?: PageDone
}

/** Who asks whether somebody is a person, and before which calls. */
export type PageCaptcha = {
  readonly provider: CaptchaProvider
  readonly siteKey: string
  readonly calls: readonly AuthCallName[]
}

/** What every page is given. */
type Common = {
  readonly locale: PageLocale
  readonly appName: string
  readonly mode: 'development' | 'production'
  /** Overrides the viewer's system setting. */
  readonly scheme?: 'light' | 'dark'
  /** Where the API is, for the client. */
  readonly basePath: string
  /** The page's own address with its query, for links to the same page in other languages. */
  readonly address: string
  /** Address of the mail inbox, in development mode. */
  readonly inbox?: string
  readonly passwordRules: { readonly min: number; readonly max: number }
  /** Lengths of a username; letters, digits, `_` and `.` unless the server has a rule of its own (`custom`). */
  readonly usernameRules: { readonly min: number; readonly max: number; readonly custom?: boolean }
  /** The widget to draw in the forms that make one of these calls. */
  readonly captcha?: PageCaptcha
  readonly state?: PageState
  /** An administrator acts as this user, until then. */
  readonly impersonation?: { readonly name: string; readonly until: string; readonly now: string }
}

/** A provider that people can sign in with. */
export type PageProvider = { readonly id: string; readonly name: string }

/** What a failed redirect has brought along: its code, as it was given. */
type Redirected = { readonly error?: string }

/** The ways to sign in besides e-mail and password, and where to go afterwards. */
type SignInWays = {
  /** Checked by the server: a safe path of ours or an address of a trusted origin. */
  readonly callbackURL?: string
  readonly providers: readonly PageProvider[]
  /** Whether people have usernames, and can sign in with them. */
  readonly username: boolean
  readonly magicLink: boolean
  /** Whether people come in by password: on the sign-in page to sign in, on the other one to sign up. */
  readonly password: boolean
}

/** What an account page is given besides. */
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

/** The data of each page, by its name. */
export type Pages = {
  readonly 'sign-in': SignInWays &
    Redirected & {
      /** Somebody who is signed in already. */
      readonly signedInAs?: { readonly name: string; readonly email: string }
      readonly signUp: boolean
      readonly forgotPassword: boolean
      /** What this browser has signed in with before: `password`, `magic-link` or a provider's id. */
      readonly lastMethod?: string
    }
  readonly 'sign-up': SignInWays & {
    readonly closed: boolean
    /** Somebody who is signed in already. */
    readonly signedInAs?: { readonly name: string; readonly email: string }
    readonly setupToken?: string
    /** The link makes nobody an administrator any more. */
    readonly isSetupOver?: boolean
    /** Whoever follows the mail of an invitation makes an account for the invited address. */
    readonly invitation?: {
      readonly id: string
      readonly proof: string
      readonly email: string
      readonly organizationName: string
    }
  }
  /** Without JavaScript a form leads to a provider by this page: the policy of the pages keeps forms to our own origin. */
  readonly leaving: { readonly url: string; readonly provider: string }
  /** "Check your email" with the field for the code. */
  readonly 'magic-link-sent': {
    readonly email: string
    readonly callbackURL?: string
    readonly codeLength: number
    /** Seconds until the mail can be sent again. */
    readonly resendAfter: number
  }
  /** Where the mailed link leads. The address is known only where the token is right. */
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
    /** Whose password it is, and until when the link works (ISO 8601): for who has the right token. */
    readonly email?: string
    readonly validUntil?: string
    /** Where somebody was going who had forgotten it. */
    readonly callbackURL?: string
  }
  readonly 'verify-email': {
    /** `unconfirmed`: nothing was sent from this browser yet. */
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
    /** Who is signed in, where the address that was verified is somebody else's. */
    readonly signedInAs?: string
    /** Where to go on from a verified address. */
    readonly callbackURL?: string
  }
  readonly error: { readonly code?: string }
  readonly 'email-changed': {
    readonly status: 'changed' | 'verified' | 'expired' | 'invalid' | 'unauthorized'
    readonly email?: string
  }
  readonly 'account-deleted': object
  readonly 'not-found': object
  /** The page could not be made: a fault of ours, or too many requests. */
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
    }
  readonly 'account-organizations': Account & AccountOrganizations
  readonly 'account-delete': Account & {
    /** What becomes of the organizations that nobody else owns. */
    readonly preview: Answer<'previewUserDeletion'>
  }
} & OrganizationPages &
  BillingPages

export type PageName = keyof Pages

/** The data of a page of a name, or of any page. */
export type PageData<Name extends PageName = PageName> = {
  [N in Name]: { readonly page: N } & Common & Pages[N]
}[Name]

/** What every page has: the part that does not depend on which page it is. */
export type PageFrame = Common

/** What the server hands to the dashboard: who works in it, and what it may offer. */
export type DashboardProps = {
  readonly appName: string
  readonly mode: 'development' | 'production'
  /** Overrides the viewer's system setting. */
  readonly scheme?: 'light' | 'dark'
  /** Where the API is, for the client. */
  readonly basePath: string
  readonly session: NonNullable<SessionAnswer>
  /** The server's time, for "3 days ago" and for bans that end. */
  readonly now: string
  /** At `/admin`: what administrators of the installation choose from. */
  readonly administration?: DashboardAdministration
  /** At `/dashboard/:slug`: the organization that sells. */
  readonly seller?: DashboardSeller
}

export type DashboardAdministration = {
  /** The roles that users can be given; the first is what a user without one counts as. */
  readonly roles: readonly string[]
  /** Ids of the ways to sign in that accounts can belong to; `credential` is e-mail and password. */
  readonly providers: readonly string[]
  readonly passwordRules: { readonly min: number; readonly max: number }
  readonly features: {
    readonly username: boolean
    readonly resetPassword: boolean
    readonly organizations: boolean
    /** Whether anything is sold here. */
    readonly billing: boolean
    /** Whether administrators decide which organizations may sell. */
    readonly selling: boolean
  }
}

export type DashboardSeller = {
  readonly organization: DashboardOrganization
  /** What the viewer may do in it, by resource. */
  readonly permissions: Readonly<Record<string, readonly string[]>>
  /** Whether the operator lets it sell; until then there are its settings only. */
  readonly maySell: boolean
  /** Whether payments are tried and no money moves. */
  readonly sandbox: boolean
  /** Where the viewer may sell, or see what is sold; this one included. */
  readonly organizations: readonly DashboardOrganization[]
  /** Whether the viewer administers the installation, too. */
  readonly administers: boolean
  /** Whether an administrator acts as the viewer. */
  readonly impersonated: boolean
}

export type DashboardOrganization = { readonly id: string; readonly name: string; readonly slug: string }

/** A rendered page: what the server puts into its document. */
export type RenderedPage = {
  readonly title: string
  readonly lang: string
  readonly dir: 'ltr' | 'rtl'
  /** The part that goes on in the browser, for the element with the id `page`. */
  readonly html: string
  /** What stands above it, where an administrator acts as somebody else. */
  readonly banner?: string
  /** What stands below it and stays as it is. */
  readonly footer: string
  readonly style: PageStyle
  /** The bundle that the page goes on with, and what it is given; absent for pages that are finished. */
  readonly script?: { readonly entry: PageScript; readonly props: object }
}

/** The style sheets. */
export type PageStyle = 'front-door' | 'account' | 'organization' | 'checkout'

/**
 * The bundles that pages go on with; pages that look alike have several, so that who signs in loads neither what signing up
 * takes nor what mails lead to. What draws a captcha comes before the page's own.
 */
export type PageScript = Exclude<PageStyle, 'front-door'> | 'sign-in' | 'sign-up' | 'mail-door' | 'captcha' | 'joining'

/** What the build for the server exports. */
export type PageRenderer = {
  /** The languages that pages can be rendered in. */
  readonly pageLocales: readonly PageLocale[]
  render(data: PageData): RenderedPage
  /** Whether somebody typed the word that confirms a deletion, in the page's language. */
  confirmsDeletion(typed: string, locale: PageLocale): boolean
}
