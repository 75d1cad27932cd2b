import type { billing } from '../locales/billing/en.ts'
import type { en } from '../locales/en.ts'
import type { joining } from '../locales/joining/en.ts'
import type { Plural } from './format.ts'

/** The same shape as the English texts, with any text in their place. */
type Translated<Text> = Text extends string
  ? string
  : Text extends readonly string[]
    ? readonly string[]
    : Text extends { other: string }
      ? Plural
      : { readonly [Key in keyof Text]: Translated<Text[Key]> }

/** Every text of the components in one language: plain data, so that a server can hand it to a page. */
export type Messages = Omit<Translated<typeof en>, 'meta'> & {
  readonly meta: {
    /** BCP 47 tag, as `lang` and `Intl` take it. */
    readonly locale: string
    /** The language's own name for itself. */
    readonly name: string
    readonly dir: 'ltr' | 'rtl'
  }
}

/** The part about getting into organizations and out of them, in files of its own. */
export type JoiningMessages = Translated<typeof joining>

/** The part about buying. */
export type BillingMessages = Translated<typeof billing>

export type MessageGroup = keyof Messages

/** What a page hands to the provider: the groups that its components use. */
export type PageMessages = Pick<Messages, 'meta' | 'common'> & Partial<Messages>

const forms = ['meta', 'common', 'errors'] as const

/** The groups that each component reads; a page ships these and no others. */
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
    'account',
    'username',
    'security',
    'connections',
    'sessions',
    'deleteAccount',
    'password',
    'userButton',
  ],
  ConfirmEmailChange: ['meta', 'common', 'emailChange'],
  DeleteAccount: [...forms, 'accountErrors', 'deleteAccount'],
  ImpersonationBanner: [...forms, 'accountErrors', 'impersonation'],
  UserButton: ['meta', 'common', 'userButton'],
  OrganizationSwitcher: [...forms, 'organizationErrors', 'roleNames', 'organizationSwitcher'],
  CreateOrganization: [...forms, 'organizationErrors', 'roleNames', 'createOrganization'],
  AcceptInvitation: [...forms, 'organizationErrors', 'roleNames', 'joinOrganization'],
  OrganizationUnverified: [...forms, 'organizationErrors', 'joinOrganization'],
  JoinOrganization: [...forms, 'organizationErrors', 'roleNames', 'joinOrganization'],
  /** The section of the account, besides those of AccountSettings. */
  OrganizationList: [...forms, 'accountErrors', 'organizationErrors', 'roleNames', 'organizationList'],
  OrganizationSettings: [
    ...forms,
    'accountErrors',
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
  Checkout: [...forms, 'billingErrors', 'checkout', 'prices'],
  CheckoutClosed: ['meta', 'common', 'checkout'],
  CheckoutReceipt: ['meta', 'common', 'checkout', 'prices', 'receipt'],
  PricingTable: ['meta', 'common', 'prices', 'pricing'],
  /** Besides a form's own, where its calls want an answer to a captcha. */
  Captcha: ['meta', 'common', 'captcha', 'captchaErrors'],
} as const satisfies Record<string, readonly MessageGroup[]>

/** The part of a language that the named components need. */
export function messagesFor(messages: Messages, ...components: (keyof typeof messageGroups)[]): PageMessages {
  const groups = new Set<MessageGroup>(components.flatMap((component) => messageGroups[component]))
  const picked = Object.fromEntries([...groups].map((group) => [group, messages[group]]))
  return { ...picked, meta: messages.meta, common: messages.common }
}
