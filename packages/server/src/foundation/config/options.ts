import { isIP, isIPv4 } from 'node:net'
import { taxProviders, taxRegistration } from '@tollgate/contract/billing-schemas'
import {
  authCalls,
  type Call,
  captchaProviders,
  genericProviderPattern,
  socialProviders,
} from '@tollgate/contract/calls'
import { z } from 'zod'
import { isMeant } from './guarded-calls.ts'
import { defaultTolerance, maximumCallsPerSecond } from './stripe.ts'

/**
 * Every option of the configuration file: name, default and one sentence, in one place. The types, the check at start
 * and the reference in `docs/` derive from it. Names are the ecosystem's where it has one.
 */

const seconds = (fallback: number, sentence: string) => z.int().positive().default(fallback).describe(sentence)
const secondsOrNone = (fallback: number, sentence: string) => z.int().nonnegative().default(fallback).describe(sentence)
/** Days. A webhook sends its event for three days, and deliveries are kept for thirty. */
const leastRetention = 31
const flag = (fallback: boolean, sentence: string) => z.boolean().default(fallback).describe(sentence)
/** Days before an event, each once. */
const daysAhead = (fallback: number[], sentence: string) =>
  z.array(z.int().min(1).max(180)).max(5).default(fallback).describe(sentence)
const aFunction = <F>(sentence: string) =>
  z.custom<F>((value) => typeof value === 'function', { error: 'a function' }).describe(sentence)
/** An optional object of options; absent or `undefined`, it has its defaults. Each member has a default, so `{}` fits. */
const group = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape).prefault({} as z.input<z.ZodObject<Shape, z.core.$strict>>)

/** A feature that is on by default; `false` disables it. */
const feature = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.union([z.literal(false), z.strictObject(shape)]).prefault({} as z.input<z.ZodObject<Shape, z.core.$strict>>)
/** A feature that is off by default. */
const optionalFeature = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.union([z.literal(false), z.strictObject(shape)]).default(false)

/** A user as hooks see it. */
export type HookUser = { id: string; email: string; name: string }
/** An organization and a member as hooks see them. */
export type HookOrganization = { id: string; name: string; slug: string }
export type HookMember = { id: string; organizationId: string; userId: string; role: string }
/** A mail as `sendEmail` gets it. */
export type OutgoingMail = {
  to: string
  subject: string
  html: string
  text: string
  /** Invoices, receipts and credit notes as PDF; most mails have none. */
  attachments: readonly { readonly name: string; readonly type: string; readonly content: Uint8Array }[]
}

const httpUrl = z.url({ protocol: /^https?$/, error: 'an http or https address' })
export const publicOriginAllowed = 'an http or https origin: no path, query, hash or credentials'
/** Links and cookies use an origin; a path after it would be silently dropped. */
export const publicOrigin = z.string().refine((address) => {
  if (!httpUrl.safeParse(address).success) return false
  const { username, password, pathname } = new URL(address)
  return username === '' && password === '' && pathname === '/' && !/[?#]/.test(address)
}, publicOriginAllowed)

const originAllowed = 'an origin such as https://app.example or https://*.example.com'
/**
 * An origin (`https://app.example`) or a pattern (`https://*.example.com`). Any other entry would never match, or
 * match more than it says, because a path would be dropped.
 */
export const isTrustedOrigin = (entry: string): boolean =>
  entry.includes('*') ? /^(https?:\/\/)?[^/\s?#@]+$/i.test(entry) : publicOrigin.safeParse(entry).success

const isAddressRange = (entry: string): boolean => {
  const [address = '', bits, ...more] = entry.split('/')
  const isBits = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (isIPv4(address) ? 32 : 128))
  return isIP(address) !== 0 && isBits && more.length === 0
}

/** A path without a call would silently guard nothing. */
const isGuardable = (path: string): boolean => Object.values<Call>(authCalls).some((call) => isMeant(path, call))

/** The environment may supply provider and keys. */
export const captchaOptions = {
  provider: z.enum(captchaProviders).optional().describe('The provider; or `CAPTCHA_PROVIDER`.'),
  siteKey: z
    .string()
    .min(1)
    .optional()
    .describe('The widget’s key, or `CAPTCHA_SITE_KEY`; without it calls are checked but pages show no widget.'),
  secretKey: z.string().min(1).optional().describe('The server’s key; or `CAPTCHA_SECRET_KEY`.'),
  minScore: z.number().min(0).max(1).default(0.5).describe('Minimum score with reCAPTCHA v3.'),
  endpoints: z
    .array(z.string().refine(isGuardable, 'the path of a POST call, such as /sign-in/email'))
    .optional()
    .describe(
      'Paths of the guarded calls; default: sign-up, sign-in, reset and magic link. With a site key only calls whose forms have the widget.',
    ),
  whenDown: z.enum(['refuse', 'allow']).default('refuse').describe('The behavior while the provider is down.'),
  verifyURL: httpUrl.optional().describe('Another address that verifies answers.'),
  hostnames: z
    .array(z.string().min(1))
    .optional()
    .describe('Hosts of pages whose answers are accepted; default: all that the provider accepts for the keys.'),
}

const rateLimitRule = z.strictObject({
  window: z.number().positive().describe('Seconds.'),
  max: z.int().positive().describe('Requests per window.'),
})

/** Users hold roles as comma-separated text. */
const role = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9:._-]{0,63}$/, 'letters, digits, `:`, `.`, `_` and `-`')

/** Names of resources and actions in permissions. */
const permissionName = z.string().regex(/^[A-Za-z][A-Za-z0-9:._-]{0,63}$/, 'letters, digits, `:`, `.`, `_` and `-`')
const statements = z.record(permissionName, z.array(permissionName).max(50))

const endpoint = (sentence: string) => httpUrl.optional().describe(sentence)

/** Addresses that differ from the provider's: for a self-hosted server, or a stand-in in tests. */
const endpoints = z
  .strictObject({
    authorization: endpoint('The authorization endpoint.'),
    token: endpoint('The token endpoint.'),
    profile: endpoint('The profile endpoint.'),
    email: endpoint('The endpoint of email addresses, for providers that have one.'),
    jwks: endpoint('The keys that sign id tokens.'),
  })
  .optional()
  .describe('Addresses that replace the provider’s own.')

const clientId = z.string().min(1).describe('The application’s id at the provider.')
const clientOptions = {
  clientSecret: z.string().min(1).optional().describe('The client secret.'),
  scope: z.array(z.string().min(1)).optional().describe('Scopes in addition to the provider’s defaults.'),
  redirectURI: httpUrl.optional().describe('Default: the callback below baseURL and basePath.'),
  disableSignUp: z.boolean().optional().describe('New users cannot sign up with this provider.'),
  disableImplicitSignUp: z.boolean().optional().describe('New users can sign up only with `requestSignUp`.'),
  idTokenMaxAge: z
    .int()
    .positive()
    .optional()
    .describe('Seconds after its `iat` for which an id token is accepted; default: 86400, a day.'),
  authorizationParams: z
    .record(z.string(), z.string())
    .optional()
    .describe('Parameters added to the authorization request, such as `prompt`.'),
  endpoints,
}

const socialProvider = z.strictObject({
  clientId: clientId.optional(),
  ...clientOptions,
  enabled: z.boolean().optional().describe('False keeps the settings and switches the provider off.'),
  clientKey: z.string().min(1).optional().describe('tiktok: its name for the client id, in place of clientId.'),
  tenantId: z.string().optional().describe('microsoft: a tenant; default `common`.'),
  issuer: httpUrl.optional().describe('gitlab: the address of your own server.'),
  teamId: z.string().optional().describe('apple: the team, in place of clientSecret.'),
  keyId: z.string().optional().describe('apple: the key’s id.'),
  privateKey: z.string().optional().describe('apple: the key, PEM.'),
  audience: z
    .array(z.string())
    .optional()
    .describe('Further client ids whose id tokens are accepted, such as those of an app.'),
})

const genericProvider = z
  .strictObject({
    clientId,
    ...clientOptions,
    providerId: z
      .string()
      .regex(genericProviderPattern, 'lower-case letters, digits, `-` and `_`')
      .refine((id) => !socialProviders.some((provider) => provider === id), 'a name that no built-in provider has')
      .describe('Its name in calls, callbacks and accounts.'),
    name: z.string().max(60).optional().describe('The button’s label; default: providerId.'),
    discoveryUrl: httpUrl.optional().describe('Its OpenID Connect metadata.'),
    issuer: httpUrl.optional().describe('Its issuer, which serves the metadata.'),
    scopes: z.array(z.string().min(1)).optional().describe('Requested scopes; default: openid, profile, email.'),
    pkce: z.boolean().optional().describe('Proof of the code (RFC 7636); default: true.'),
    tokenAuthentication: z.enum(['basic', 'post']).optional().describe('How the secret is sent; default: basic.'),
    trustEmail: z.boolean().optional().describe('Its addresses always count as verified; only for your own server.'),
  })
  .refine(
    ({ discoveryUrl, issuer, endpoints: given }) =>
      discoveryUrl || issuer || (given?.authorization && given.token && given.profile),
    'a provider with discoveryUrl, issuer, or endpoints with authorization, token and profile',
  )

export const configSchema = z.strictObject({
  appName: z.string().min(1).max(60).default('Tollgate').describe('The product’s name in pages and mails.'),
  baseURL: publicOrigin.optional().describe('Public address, an origin; decides cookie security and links in mails.'),
  basePath: z
    .string()
    // Segments of dots are steps in a path, which clients resolve away.
    .regex(/^(\/(?!\.{1,2}(\/|$))[A-Za-z0-9._~-]+)+$/, 'a path such as /api/auth')
    .default('/api/auth')
    .describe('The path of the auth API; it must not overlap the server’s other paths.'),
  secret: z
    .string()
    .min(32, 'at least 32 characters')
    .optional()
    .describe('Signs cookies and encrypts secrets in the database.'),
  trustedOrigins: z
    .union([
      z.array(z.string().refine(isTrustedOrigin, originAllowed)),
      aFunction<(request: Request) => string[] | Promise<string[]>>(''),
    ])
    .default([])
    .describe(
      'Origins that may call with cookies and be redirected to; a list (wildcards allowed) or a function of the request.',
    ),
  emailAndPassword: group({
    enabled: flag(true, 'Sign-up and sign-in with email and password.'),
    requireEmailVerification: flag(false, 'Users cannot sign in before their address is verified.'),
    minPasswordLength: z.int().min(1).default(8).describe('Minimum password length, in characters.'),
    maxPasswordLength: z.int().max(1024).default(128).describe('Maximum password length, in characters.'),
    breachedPasswords: z
      .enum(['warn', 'refuse'])
      .or(z.literal(false))
      .default(false)
      .describe(
        'Checks passwords against a k-anonymity list of breached ones; if the list is unreachable, no password is refused.',
      ),
    autoSignIn: flag(true, 'Signs in after sign-up.'),
    disableSignUp: flag(false, 'New users cannot sign up with email and password.'),
    resetPassword: flag(true, 'Forgotten passwords can be reset by mail.'),
    resetPasswordTokenExpiresIn: seconds(3600, 'Life of a reset link, in seconds.'),
    revokeSessionsOnPasswordReset: flag(true, 'A reset ends every session.'),
  }),
  emailVerification: group({
    enabled: flag(true, 'Verification mails are sent.'),
    sendOnSignUp: flag(true, 'Mails the link at sign-up.'),
    sendOnSignIn: z
      .boolean()
      .optional()
      .describe('Mails the link again when an unverified user signs in; default: requireEmailVerification.'),
    autoSignInAfterVerification: flag(false, 'Following the link signs in.'),
    expiresIn: seconds(3600, 'Life of a verification link, in seconds.'),
  }),
  user: group({
    changeEmail: group({ enabled: flag(true, 'Users may change their address.') }),
    deleteUser: group({
      enabled: flag(true, 'Users may delete their account.'),
      sendVerification: z
        .union([z.enum(['withoutPassword', 'always']), z.boolean()])
        .default('withoutPassword')
        .describe(
          'When a mailed link confirms a deletion: where no password is given, always, or (`false`) never. `true` means `always`.',
        ),
      deleteTokenExpiresIn: seconds(86_400, 'Life of a deletion link, in seconds.'),
    }),
  }),
  session: group({
    expiresIn: seconds(604_800, 'Life of a session, in seconds.'),
    updateAge: secondsOrNone(86_400, 'Seconds after which a session in use is extended; less than expiresIn.'),
    freshAge: secondsOrNone(86_400, 'Seconds after signing in during which a session counts as fresh; 0: always.'),
    expiresInWithoutRememberMe: seconds(86_400, 'Life of a session without remember me, in seconds.'),
    disableSessionRefresh: flag(false, 'Sessions are never extended.'),
    cookieCache: group({
      enabled: flag(false, 'Keeps a signed copy of the session in a cookie, read instead of the database.'),
      maxAge: z
        .int()
        .nonnegative()
        .nullable()
        .default(300)
        .describe('Seconds for which the copy is valid; 60 if given as 0 or null.'),
    }),
  }),
  account: group({
    accountLinking: group({
      enabled: flag(true, 'Provider accounts may be linked to existing users.'),
      trustedProviders: z
        .array(z.string())
        .default([])
        .describe('Providers whose accounts may be linked without a verified address.'),
      allowDifferentEmails: flag(false, 'A signed-in user may link an account with another address.'),
      requireFreshSession: flag(false, 'Linking needs a fresh session. The hosted pages always ask for one.'),
      allowUnlinkingAll: flag(false, 'The last account may be unlinked.'),
    }),
  }),
  socialProviders: z
    .strictObject(Object.fromEntries(socialProviders.map((id) => [id, socialProvider.optional()])))
    .prefault({})
    .describe('Providers by name; `GITHUB_CLIENT_ID` and `GITHUB_CLIENT_SECRET` switch one on as well.'),
  genericOAuth: z
    .array(genericProvider)
    .max(50)
    .default([])
    .describe('Custom OpenID Connect issuers and OAuth 2 servers.'),
  username: feature({
    minUsernameLength: z.int().min(1).default(3).describe('Shortest username.'),
    maxUsernameLength: z.int().max(255).default(30).describe('Longest username.'),
    usernameValidator: aFunction<(username: string) => boolean | Promise<boolean>>(
      'Validates usernames, instead of letters, digits, `_` and `.`.',
    ).optional(),
  }).describe('Sign-in with username; false: off.'),
  magicLink: feature({
    expiresIn: seconds(300, 'Life of the link and its code, in seconds.'),
    disableSignUp: flag(false, 'Only existing users get a link.'),
    confirmPage: flag(
      true,
      'The mail links to a page whose button signs in, so that link scanners do not use the link up.',
    ),
  }).describe('Sign-in with a mailed link; false: off.'),
  jwt: optionalFeature({
    issuer: z.string().optional().describe('Default: baseURL.'),
    audience: z.string().optional().describe('Default: baseURL.'),
    expirationTime: z
      .string()
      .regex(/^\d+[smhd]$/, 'a number and s, m, h or d')
      .default('15m')
      .describe('Life of a token.'),
    rotationInterval: z
      .int()
      .positive()
      .optional()
      .describe('Seconds between new keys; each signs 300 seconds after it is published; default: never.'),
    gracePeriod: secondsOrNone(
      2_592_000,
      'Seconds for which a replaced key stays published: at least expirationTime plus 300.',
    ),
  }).describe('Tokens that other services verify themselves; `{}`: on, false: off.'),
  captcha: optionalFeature(captchaOptions).describe('A captcha on calls that attackers try in bulk; false: none.'),
  organization: feature({
    allowUserToCreateOrganization: z
      .boolean()
      .or(aFunction<(user: HookUser) => boolean | Promise<boolean>>(''))
      .default(true)
      .describe('Whether users may create organizations; or a function of the user.'),
    organizationLimit: z
      .int()
      .nonnegative()
      .or(aFunction<(user: HookUser) => number | Promise<number>>(''))
      .optional()
      .describe('Maximum organizations of a user who creates one; or a function of the user.'),
    membershipLimit: z.int().positive().default(100).describe('Maximum members of an organization.'),
    creatorRole: role
      .default('owner')
      .describe(
        'Role of an organization’s creator, with every permission. After a change of the name, existing organizations have no owner until a member gets the new role.',
      ),
    permissions: statements.default({}).describe('Additional resources and their actions.'),
    roles: z
      .record(role, statements)
      .default({})
      .describe('Additional roles and their permissions; under the name of a built-in role, additional permissions.'),
    invitationExpiresIn: seconds(172_800, 'Life of an invitation, in seconds.'),
    invitationLimit: z.int().positive().default(100).describe('Maximum open invitations of an organization.'),
    cancelPendingInvitationsOnReInvite: flag(
      false,
      'A new invitation of the same address cancels the previous one; otherwise it is refused.',
    ),
    requireEmailVerificationOnInvitation: flag(true, 'Only a verified address can read and answer its invitations.'),
    disableOrganizationDeletion: flag(false, 'Organizations cannot be deleted.'),
    teams: group({
      enabled: flag(false, 'Organizations have teams.'),
      defaultTeam: group({ enabled: flag(true, 'A new organization gets a team with its name.') }),
      maximumTeams: z.int().positive().optional().describe('Maximum teams of an organization.'),
      maximumMembersPerTeam: z.int().positive().optional().describe('Maximum members of a team.'),
      allowRemovingAllTeams: flag(false, 'The last team may be deleted.'),
    }),
  }).describe('Organizations; false: off.'),
  billing: feature({
    whoMaySell: z
      .enum(['approved', 'everyone'])
      .default('approved')
      .describe('Which organizations may sell: approved ones, or all.'),
    checkoutExpiresIn: seconds(86_400, 'Life of a checkout, in seconds.'),
    reminders: group({
      trialEnd: z
        .int()
        .min(0)
        .max(30)
        .default(3)
        .describe('Days before the end of a trial at which its subscriber is reminded; 0: never.'),
      renewal: group({
        day: daysAhead([], 'Days before the renewal of a subscription by the day at which its subscriber is reminded.'),
        week: daysAhead([], 'The same for subscriptions by the week.'),
        month: daysAhead([], 'The same for subscriptions by the month.'),
        year: daysAhead([30, 7], 'The same for subscriptions by the year.'),
      }),
      cardExpiry: flag(
        true,
        'Subscribers get a mail when the month begins in which the card that pays expires, and one when it has expired.',
      ),
    }),
    dunning: group({
      retryAfterDays: z
        .array(z.int().min(1).max(60))
        .min(1)
        .max(10)
        .default([2, 5, 7, 7])
        .describe(
          'Days between the attempts to charge an unpaid renewal: each counts from the attempt before. Sellers may choose others.',
        ),
    }),
    processors: group({
      sandbox: z
        .union([
          z.boolean(),
          z.strictObject({
            events: z
              .enum(['once', 'twice', 'late', 'never'])
              .default('once')
              .describe('How its events arrive, to simulate a real processor.'),
            eventDelay: secondsOrNone(3600, 'Seconds by which late events are delayed.'),
          }),
        ])
        .optional()
        .describe(
          'Payments without money, for development and tests; beside Stripe or in production only if it is named.',
        ),
      stripe: z
        .strictObject({
          secretKey: z.string().min(1).optional().describe('Or STRIPE_SECRET_KEY, which wins.'),
          publishableKey: z.string().min(1).optional().describe('Or STRIPE_PUBLISHABLE_KEY, which wins.'),
          webhookSecret: z.string().min(1).optional().describe('Or STRIPE_WEBHOOK_SECRET, which wins.'),
          link: z
            .boolean()
            .default(false)
            .describe(
              'Whether buyers may pay with Link, which the Stripe account must have switched on. Or STRIPE_LINK, which wins.',
            ),
          callsPerSecond: z
            .int()
            .positive()
            .max(maximumCallsPerSecond)
            .optional()
            .describe(
              'Calls of jobs to Stripe a second, of all processes together. Or STRIPE_CALLS_PER_SECOND, which wins.',
            ),
          apiBase: z.string().min(1).optional().describe('A stand-in of Stripe, in tests.'),
          webhookToleranceSeconds: z
            .int()
            .positive()
            .max(3600)
            .default(defaultTolerance)
            .describe('Maximum age of an event’s signature.'),
        })
        .optional()
        .describe(
          'Payments with Stripe; once its two keys and its webhook secret are set, it handles all new checkouts.',
        ),
    }),
    events: group({
      retention: z
        .string()
        .regex(/^\d{2,5}d$/, 'a number of days, such as 400d')
        .refine((text) => Number.parseInt(text, 10) >= leastRetention, `at least ${leastRetention}d`)
        .default('400d')
        .describe(
          `How long events of sales and webhook deliveries are kept, in days: at least ${leastRetention}d, because webhooks send them.`,
        ),
    }),
    webhooks: group({
      allowPrivateNetworks: z
        .boolean()
        .optional()
        .describe(
          'Webhooks may be sent to private networks and to this machine, and without TLS; default: in development only.',
        ),
    }),
    files: group({
      directory: z.string().min(1).default('./data/files').describe('The directory of uploaded files.'),
      roomPerOrganization: z
        .int()
        .positive()
        .default(100_000_000_000)
        .describe('Maximum bytes of an organization’s files, announced ones included.'),
    }),
    documents: group({
      fonts: z
        .array(z.string().min(1))
        .max(20)
        .default([])
        .describe('Font files for characters that the shipped fonts lack, in order.'),
    }),
    tax: group({
      provider: z
        .enum(taxProviders)
        .default('none')
        .describe('The tax provider: none, the shipped table of standard rates, or Stripe Tax.'),
      registrations: z
        .array(z.strictObject(taxRegistration.shape))
        .max(200)
        .default([])
        .describe(
          'Places where the table collects tax: country, the state in the US and Canada, and an optional percentage.',
        ),
    }),
  }).describe('Products, checkouts, orders; false: off. Needs organizations.'),
  admin: group({
    adminRoles: z
      .array(role)
      .nonempty()
      .default(['admin'])
      .describe('Administrator roles; the first administrator gets the first one.'),
    adminUserIds: z.array(z.string()).default([]).describe('Users who are administrators regardless of their roles.'),
    impersonationSessionDuration: seconds(3600, 'Life of a session as another user, in seconds.'),
    defaultRole: role.default('user').describe('The role of a user without roles.'),
  }),
  rateLimit: group({
    enabled: z.boolean().optional().describe('Default: on in production.'),
    window: z.number().positive().default(10).describe('Seconds of the general limit.'),
    max: z.int().positive().default(100).describe('Requests per address and path in that window.'),
    storage: z
      .enum(['memory', 'database'])
      .optional()
      .describe('Storage of the limits on guessing; default: database on PostgreSQL, otherwise memory.'),
    customRules: z
      .record(z.string(), rateLimitRule.or(z.literal(false)))
      .default({})
      .describe('Other limits by path, `*` allowed; false: none.'),
  }),
  advanced: group({
    cookiePrefix: z
      .string()
      .regex(/^[A-Za-z0-9_.-]+$/, 'letters, digits, `_`, `.`, `-`')
      .default('better-auth')
      .describe('First part of cookie names.'),
    useSecureCookies: z.boolean().optional().describe('Default: when baseURL is https.'),
    crossSubDomainCookies: z
      .strictObject({ enabled: z.boolean(), domain: z.string().optional() })
      .optional()
      .describe('Cookies for all sub-domains of a domain: that of baseURL (the default), or one above it.'),
    ipAddressHeaders: z
      .array(z.string())
      .default([])
      .describe('Headers with the client’s address, trusted from trusted proxies only.'),
    trustedProxies: z
      .array(z.string().refine(isAddressRange, 'an address or a CIDR range'))
      .default([])
      .describe('Addresses or CIDR ranges of proxies.'),
  }),
  hooks: group({
    onUserCreated: aFunction<(user: HookUser) => unknown>('Called after the commit that created a user.').optional(),
    onUserDeleted: aFunction<(user: HookUser) => unknown>('Called after the commit that deleted a user.').optional(),
    onOrganizationCreated: aFunction<(organization: HookOrganization) => unknown>(
      'Called after the commit that created an organization.',
    ).optional(),
    onOrganizationDeleted: aFunction<(organization: HookOrganization) => unknown>(
      'Called after the commit that deleted an organization.',
    ).optional(),
    onMemberAdded: aFunction<(member: HookMember) => unknown>(
      'Called after the commit that added a member.',
    ).optional(),
    onMemberRemoved: aFunction<(member: HookMember) => unknown>(
      'Called after the commit that ended a membership.',
    ).optional(),
    sendEmail: aFunction<(mail: OutgoingMail) => unknown>('Sends mails instead of SMTP.').optional(),
  }),
})

/** The export of `tollgate.config.ts`. */
export type TollgateConfig = z.input<typeof configSchema>

/** Types a configuration file; a plain object does too. */
export const defineConfig = (config: TollgateConfig): TollgateConfig => config

/** One provider's settings. */
export type ProviderOptions = z.output<typeof socialProvider> & { readonly clientId: string }
export type GenericProviderOptions = z.output<typeof genericProvider>
