import type billing from '../locales/billing/en.json'
import type pages from '../locales/en.json'
import type joining from '../locales/joining/en.json'
import type organization from '../locales/organization/en.json'
import type { Plural } from './format.ts'

/** The English files: they say which texts there are. */
type EnglishTexts = typeof pages & typeof joining & typeof billing & typeof organization

/** The same shape as the English texts, with other texts. */
type Translated<Text> = Text extends string
  ? string
  : Text extends readonly string[]
    ? readonly string[]
    : Text extends { other: string }
      ? Plural
      : { readonly [Key in keyof Text]: Translated<Text[Key]> }

/** All component texts of one language: plain data that a server can embed in a page. */
export type Messages = Translated<EnglishTexts> & {
  readonly meta: {
    /** BCP 47 tag, for `lang` and `Intl`. */
    readonly locale: string
    /** The language's own name for itself. */
    readonly name: string
    readonly dir: 'ltr' | 'rtl'
  }
}

export type MessageGroup = keyof Messages

/** The groups of texts that a page passes to the provider. */
export type PageMessages = Pick<Messages, 'meta' | 'common'> & Partial<Messages>

const forms = ['meta', 'common', 'errors'] as const
const pictures = ['picture', 'pictureErrors'] as const

/** The groups that each component reads; a page ships only these. */
export const messageGroups = {
  SignIn: [...forms, 'signIn', 'signedIn', 'providers'],
  SignUp: [...forms, 'signUp', 'signedIn', 'password', 'providers', 'username'],
  MagicLinkSent: [...forms, 'codeErrors', 'magicLink'],
  MagicLink: [...forms, 'magicLink'],
  ForgotPassword: [...forms, 'forgotPassword'],
  ResetPassword: [...forms, 'resetPassword', 'password'],
  VerifyEmail: [...forms, 'verifyEmail'],
  ErrorPage: ['meta', 'common', 'errorPage'],
  AccountSettings: [
    ...forms,
    'accountErrors',
    ...pictures,
    'account',
    'username',
    'security',
    'connections',
    'sessions',
    'deleteAccount',
    'endingPurchases',
    'password',
    'userButton',
  ],
  ConfirmEmailChange: ['meta', 'common', 'emailChange'],
  DeleteAccount: [...forms, 'accountErrors', 'deleteAccount', 'endingPurchases'],
  ImpersonationBanner: [...forms, 'accountErrors', 'impersonation'],
  UserButton: ['meta', 'common', 'userButton'],
  OrganizationSwitcher: [...forms, 'organizationErrors', 'roleNames', 'organizationSwitcher'],
  CreateOrganization: [...forms, 'organizationErrors', 'roleNames', ...pictures, 'createOrganization'],
  AcceptInvitation: [...forms, 'organizationErrors', 'roleNames', 'joinOrganization'],
  OrganizationUnverified: [...forms, 'organizationErrors', 'joinOrganization'],
  JoinOrganization: [...forms, 'organizationErrors', 'roleNames', 'joinOrganization'],
  /** The sections that the account has beside those of AccountSettings. */
  OrganizationList: [...forms, 'accountErrors', 'organizationErrors', 'roleNames', 'organizationList'],
  OrganizationSettings: [
    ...forms,
    'accountErrors',
    ...pictures,
    'organizationErrors',
    'roleNames',
    'organization',
    'organizationOverview',
    'organizationMembers',
    'organizationInvitations',
    'organizationTeams',
    'organizationRoles',
    'organizationSettings',
    'organizationAudit',
    'organizationDanger',
  ],
  /** What the danger zone has beside OrganizationSettings. */
  EndingPurchases: ['meta', 'common', 'endingPurchases'],
  Checkout: [...forms, 'billingErrors', 'checkout', 'prices'],
  CheckoutClosed: ['meta', 'common', 'checkout'],
  CheckoutReceipt: ['meta', 'common', 'checkout', 'prices', 'receipt'],
  PayLink: [...forms, 'billingErrors', 'checkout', 'prices', 'payLink'],
  PricingTable: ['meta', 'common', 'prices', 'pricing'],
  /** Added to a form's own if its calls may need a captcha. */
  Captcha: ['meta', 'common', 'captcha', 'captchaErrors'],
} as const satisfies Record<string, readonly MessageGroup[]>

/** The part of a language that the named components need. */
export function messagesFor(messages: Messages, ...components: (keyof typeof messageGroups)[]): PageMessages {
  const groups = new Set<MessageGroup>(components.flatMap((component) => messageGroups[component]))
  const picked = Object.fromEntries([...groups].map((group) => [group, messages[group]]))
  return { ...picked, meta: messages.meta, common: messages.common }
}
