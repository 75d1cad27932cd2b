import { isIP, isIPv4 } from 'node:net'
import { taxProviders, taxRegistration } from '@tollgate/contract/billing-schemas'
import {
  authCalls,
  type Call,
  captchaProviders,
  genericProviderPattern,
  type SocialProvider,
  socialProviders,
} from '@tollgate/contract/calls'
import { z } from 'zod'
import { isMeant } from '../captcha/guarded.ts'
import { defaultTolerance } from './stripe.ts'

/**
 * Every option of the configuration file: name, default and one sentence, in one place. The types, the check at the
 * start and the reference in `docs/` are derived from it. Names are those of the ecosystem where it has one.
 */

const seconds = (fallback: number, sentence: string) => z.int().positive().default(fallback).describe(sentence)
const flag = (fallback: boolean, sentence: string) => z.boolean().default(fallback).describe(sentence)
const aFunction = <F>(sentence: string) =>
  z.custom<F>((value) => typeof value === 'function', { error: 'a function' }).describe(sentence)
/** An object of options that may be left out, or be `undefined`, and then holds its defaults. */
const group = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape).prefault({} as z.input<z.ZodObject<Shape, z.core.$strict>>)

/** A feature: `false` switches it off; left out, it is on with its defaults. */
const feature = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.union([z.literal(false), z.strictObject(shape)]).prefault({} as z.input<z.ZodObject<Shape, z.core.$strict>>)
/** A feature that is off when it is left out. */
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
  /** Invoices, receipts and credit notes as PDF; of most mails there are none. */
  attachments: readonly { readonly name: string; readonly type: string; readonly content: Uint8Array }[]
}

const httpUrl = z.url({ protocol: /^https?$/, error: 'an http or https address' })
export const publicOriginAllowed = 'an http or https origin: no path, query, hash or credentials'
/** Links and cookies are made for an origin; a path behind it would be dropped without a word. */
export const publicOrigin = z.string().refine((address) => {
  if (!httpUrl.safeParse(address).success) return false
  const { username, password, pathname } = new URL(address)
  return username === '' && password === '' && pathname === '/' && !/[?#]/.test(address)
}, publicOriginAllowed)

const originAllowed = 'an origin such as https://app.example or https://*.example.com'
/**
 * An origin (`https://app.example`) or a pattern of some (`https://*.example.com`). Anything else would never fit one, or
 * trust more than it says: a path behind it would be dropped.
 */
export const isTrustedOrigin = (entry: string): boolean =>
  entry.includes('*') ? /^(https?:\/\/)?[^/\s?#@]+$/i.test(entry) : publicOrigin.safeParse(entry).success

const isAddressRange = (entry: string): boolean => {
  const [address = '', bits, ...more] = entry.split('/')
  const isBits = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (isIPv4(address) ? 32 : 128))
  return isIP(address) !== 0 && isBits && more.length === 0
}

/** A path that names no call would guard nothing, and nobody would notice. */
const isGuardable = (path: string): boolean => Object.values<Call>(authCalls).some((call) => isMeant(path, call))

/** Provider and keys may come from the environment. */
export const captchaOptions = {
  provider: z.enum(captchaProviders).optional().describe('Who asks; or `CAPTCHA_PROVIDER`.'),
  siteKey: z
    .string()
    .min(1)
    .optional()
    .describe('For the widget, or `CAPTCHA_SITE_KEY`; without it calls are checked and none is drawn.'),
  secretKey: z.string().min(1).optional().describe('For the check; or `CAPTCHA_SECRET_KEY`.'),
  minScore: z.number().min(0).max(1).default(0.5).describe('Lowest score that passes, of reCAPTCHA v3.'),
  endpoints: z
    .array(z.string().refine(isGuardable, 'the path of a call that is posted, such as /sign-in/email'))
    .optional()
    .describe(
      'Paths of the calls that ask for it; default: sign-up, sign-in, reset and magic link. With a site key only those whose forms draw the widget.',
    ),
  whenDown: z.enum(['refuse', 'allow']).default('refuse').describe('What happens while the provider does not answer.'),
  verifyURL: httpUrl.optional().describe('Another address to check answers at.'),
  hostnames: z
    .array(z.string().min(1))
    .optional()
    .describe('Hosts of pages whose answers are taken; default: whatever the provider accepts for the keys.'),
}

const rateLimitRule = z.strictObject({
  window: z.number().positive().describe('Seconds.'),
  max: z.int().positive().describe('Requests per window.'),
})

/** Users hold roles as comma-separated text. */
const role = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9:._-]{0,63}$/, 'letters, digits, `:`, `.`, `_` and `-`')

/** Resources and their actions, as permissions name them. */
const permissionName = z.string().regex(/^[A-Za-z][A-Za-z0-9:._-]{0,63}$/, 'letters, digits, `:`, `.`, `_` and `-`')
const statements = z.record(permissionName, z.array(permissionName).max(50))

const endpoint = (sentence: string) => httpUrl.optional().describe(sentence)

/** Where a provider's addresses differ: a server of one's own, or a stand-in for tests. */
const endpoints = z
  .strictObject({
    authorization: endpoint('Where people are sent to sign in.'),
    token: endpoint('Where codes and refresh tokens are exchanged.'),
    profile: endpoint('Where the profile is read.'),
    email: endpoint('Where addresses are read, of providers that have a call for it.'),
    jwks: endpoint('Keys that sign id tokens.'),
  })
  .optional()
  .describe('Other addresses than the provider’s own.')

const clientId = z.string().min(1).describe('The application’s id at the provider.')
const clientOptions = {
  clientSecret: z.string().min(1).optional().describe('Its secret.'),
  scope: z.array(z.string().min(1)).optional().describe('Scopes asked for besides the provider’s own.'),
  redirectURI: httpUrl.optional().describe('Default: the callback below baseURL and basePath.'),
  disableSignUp: z.boolean().optional().describe('Nobody new comes in by this provider.'),
  disableImplicitSignUp: z.boolean().optional().describe('Somebody new comes in only with `requestSignUp`.'),
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
  issuer: httpUrl.optional().describe('gitlab: the address of a server of one’s own.'),
  teamId: z.string().optional().describe('apple: the team, in place of clientSecret.'),
  keyId: z.string().optional().describe('apple: the key’s id.'),
  privateKey: z.string().optional().describe('apple: the key, PEM.'),
  audience: z
    .array(z.string())
    .optional()
    .describe('Client ids besides clientId whose id tokens are taken, such as those of an app.'),
})

const genericProvider = z
  .strictObject({
    clientId,
    ...clientOptions,
    providerId: z
      .string()
      .regex(genericProviderPattern, 'lower-case letters, digits, `-` and `_`')
      .refine((id) => !(socialProviders as readonly string[]).includes(id), 'not the name of a built-in provider')
      .describe('Its name in calls, callbacks and accounts.'),
    name: z.string().max(60).optional().describe('What its button says; default: providerId.'),
    discoveryUrl: httpUrl.optional().describe('Its OpenID Connect metadata.'),
    issuer: httpUrl.optional().describe('Its issuer; the metadata is read from below it.'),
    scopes: z.array(z.string().min(1)).optional().describe('Scopes asked for; default: openid, profile, email.'),
    pkce: z.boolean().optional().describe('Proof of the code (RFC 7636); default: true.'),
    tokenAuthentication: z.enum(['basic', 'post']).optional().describe('How the secret is sent; default: basic.'),
    trustEmail: z
      .boolean()
      .optional()
      .describe('Its addresses count as verified whatever the profile says; only for a server of your own.'),
  })
  .refine(
    ({ discoveryUrl, issuer, endpoints: given }) =>
      discoveryUrl || issuer || (given?.authorization && given.token && given.profile),
    'discoveryUrl, issuer, or endpoints with authorization, token and profile',
  )

export const configSchema = z.strictObject({
  appName: z.string().min(1).max(60).default('Tollgate').describe('What pages and mails call the product.'),
  baseURL: publicOrigin.optional().describe('Public address, an origin; decides cookie security and links in mails.'),
  basePath: z
    .string()
    // Dots alone are steps to other paths, which nobody would find it at.
    .regex(/^(\/(?!\.{1,2}(\/|$))[A-Za-z0-9._~-]+)+$/, 'a path such as /api/auth')
    .default('/api/auth')
    .describe('Where the auth API stands: nowhere among the server’s other paths.'),
  secret: z
    .string()
    .min(32, 'at least 32 characters')
    .optional()
    .describe('Signs cookies and encrypts what is secret in the database.'),
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
    enabled: flag(true, 'Sign-up and sign-in by e-mail and password.'),
    requireEmailVerification: flag(false, 'Nobody signs in before the address is verified.'),
    minPasswordLength: z.int().min(1).default(8).describe('Shortest password, in characters.'),
    maxPasswordLength: z.int().max(1024).default(128).describe('Longest password, in characters.'),
    breachedPasswords: z
      .enum(['warn', 'refuse'])
      .or(z.literal(false))
      .default(false)
      .describe('Asks a k-anonymity list of breached passwords; an unreachable list refuses nothing.'),
    autoSignIn: flag(true, 'Signs in after sign-up.'),
    disableSignUp: flag(false, 'Nobody new can sign up by e-mail.'),
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
      sendVerification: flag(true, 'Without a password, deletion is confirmed by mail.'),
      deleteTokenExpiresIn: seconds(86_400, 'Life of a deletion link, in seconds.'),
    }),
  }),
  session: group({
    expiresIn: seconds(604_800, 'Life of a session, in seconds.'),
    updateAge: z
      .int()
      .nonnegative()
      .default(86_400)
      .describe('Seconds after which a session in use is extended; less than expiresIn.'),
    freshAge: z
      .int()
      .nonnegative()
      .default(86_400)
      .describe('Seconds after signing in during which a session counts as fresh; 0: always.'),
    expiresInWithoutRememberMe: seconds(86_400, 'Life of a session that shall end with the browser, in seconds.'),
    disableSessionRefresh: flag(false, 'Sessions are never extended.'),
    cookieCache: group({
      enabled: flag(false, 'Keeps a signed copy of the session in a cookie, read instead of the database.'),
      maxAge: z
        .int()
        .nonnegative()
        .nullable()
        .default(300)
        .describe('Seconds the copy is believed; 60 when given as 0 or null.'),
    }),
  }),
  account: group({
    accountLinking: group({
      enabled: flag(true, 'A sign-in by a provider may be linked to the user who has its address.'),
      trustedProviders: z
        .array(z.string())
        .default([])
        .describe('Providers whose addresses are believed, verified or not.'),
      allowDifferentEmails: flag(false, 'A signed-in user may link an account with another address.'),
      allowUnlinkingAll: flag(false, 'The last account may be unlinked.'),
    }),
  }),
  socialProviders: z
    .strictObject(
      Object.fromEntries(socialProviders.map((id) => [id, socialProvider.optional()])) as Record<
        SocialProvider,
        z.ZodOptional<typeof socialProvider>
      >,
    )
    .prefault({})
    .describe('Providers by name; `GITHUB_CLIENT_ID` and `GITHUB_CLIENT_SECRET` switch one on as well.'),
  genericOAuth: z
    .array(genericProvider)
    .max(50)
    .default([])
    .describe('OpenID Connect issuers and OAuth 2 servers of one’s own.'),
  username: feature({
    minUsernameLength: z.int().min(1).default(3).describe('Shortest username.'),
    maxUsernameLength: z.int().max(255).default(30).describe('Longest username.'),
    usernameValidator: aFunction<(username: string) => boolean | Promise<boolean>>(
      'Says whether a username is allowed, in place of letters, digits, `_` and `.`.',
    ).optional(),
  }).describe('Sign-in by username; false: off.'),
  magicLink: feature({
    expiresIn: seconds(300, 'Life of the link and its code, in seconds.'),
    disableSignUp: flag(false, 'Only people who have an account get a link.'),
    confirmPage: flag(true, 'The mail leads to a page whose button signs in, so that scanners do not use the link up.'),
  }).describe('Sign-in by mailed link; false: off.'),
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
      .describe('Seconds after which a new key is made, which signs 300 seconds later; default: never.'),
    gracePeriod: z
      .int()
      .nonnegative()
      .default(2_592_000)
      .describe('Seconds for which a replaced key is still published: at least expirationTime and 300.'),
  }).describe('Tokens that other services verify by themselves; `{}`: on, false: off.'),
  captcha: optionalFeature(captchaOptions).describe('A captcha before what guesses; false: none.'),
  organization: feature({
    allowUserToCreateOrganization: z
      .boolean()
      .or(aFunction<(user: HookUser) => boolean | Promise<boolean>>(''))
      .default(true)
      .describe('Whether people may create organizations; or a function of the user.'),
    organizationLimit: z
      .int()
      .nonnegative()
      .or(aFunction<(user: HookUser) => number | Promise<number>>(''))
      .optional()
      .describe('Whoever belongs to so many organizations creates no further one; or a function of the user.'),
    membershipLimit: z.int().positive().default(100).describe('Most members of an organization.'),
    creatorRole: role
      .default('owner')
      .describe(
        'Role of whoever creates an organization; it may do everything. Another name leaves organizations that are there without an owner, until their members are given it.',
      ),
    permissions: statements.default({}).describe('Further resources and their actions.'),
    roles: z
      .record(role, statements)
      .default({})
      .describe('Further roles and what they may do; under the name of a built-in one, what it may do besides.'),
    invitationExpiresIn: seconds(172_800, 'Life of an invitation, in seconds.'),
    invitationLimit: z.int().positive().default(100).describe('Most open invitations of an organization.'),
    cancelPendingInvitationsOnReInvite: flag(
      false,
      'A new invitation of the same address cancels the one before; else it is refused.',
    ),
    requireEmailVerificationOnInvitation: flag(true, 'Only a verified address can read and answer its invitations.'),
    disableOrganizationDeletion: flag(false, 'Nobody can delete an organization.'),
    teams: group({
      enabled: flag(false, 'Organizations have teams.'),
      defaultTeam: group({ enabled: flag(true, 'A new organization has a team of its own name.') }),
      maximumTeams: z.int().positive().optional().describe('Most teams of an organization.'),
      maximumMembersPerTeam: z.int().positive().optional().describe('Most members of a team.'),
      allowRemovingAllTeams: flag(false, 'The last team may be removed.'),
    }),
  }).describe('Organizations; false: off.'),
  billing: feature({
    whoMaySell: z
      .enum(['approved', 'everyone'])
      .default('approved')
      .describe('Which organizations may sell: those that the operator approved, or all.'),
    checkoutExpiresIn: seconds(86_400, 'Life of a checkout, in seconds.'),
    processors: group({
      sandbox: z
        .union([
          z.boolean(),
          z.strictObject({
            events: z
              .enum(['once', 'twice', 'late', 'never'])
              .default('once')
              .describe('How its events arrive: so that what a real processor does can be tried.'),
            eventDelay: z.int().nonnegative().default(3600).describe('Seconds until late ones come.'),
          }),
        ])
        .optional()
        .describe(
          'Payments without money, for development and tests; beside Stripe or in production only where it is named.',
        ),
      stripe: z
        .strictObject({
          secretKey: z.string().min(1).optional().describe('Or STRIPE_SECRET_KEY, which wins.'),
          publishableKey: z.string().min(1).optional().describe('Or STRIPE_PUBLISHABLE_KEY, which wins.'),
          webhookSecret: z.string().min(1).optional().describe('Or STRIPE_WEBHOOK_SECRET, which wins.'),
          apiBase: z.string().min(1).optional().describe('A stand-in of Stripe, in tests.'),
          webhookToleranceSeconds: z
            .int()
            .positive()
            .max(3600)
            .default(defaultTolerance)
            .describe('How old the signature of an event may be.'),
        })
        .optional()
        .describe('Payments by Stripe; with its two keys and its webhook secret it takes all new checkouts.'),
    }),
    webhooks: group({
      allowPrivateNetworks: z
        .boolean()
        .optional()
        .describe(
          'Webhooks may be sent into private networks and to this machine, and without TLS; default: in development only.',
        ),
    }),
    files: group({
      directory: z.string().min(1).default('./data/files').describe('Where uploaded files are kept.'),
      roomPerOrganization: z
        .int()
        .positive()
        .default(100_000_000_000)
        .describe('Most bytes that the files of an organization take, announced ones included.'),
    }),
    documents: group({
      fonts: z
        .array(z.string().min(1))
        .max(20)
        .default([])
        .describe('Font files that invoices take letters from which the shipped fonts lack, asked in this order.'),
    }),
    tax: group({
      provider: z
        .enum(taxProviders)
        .default('none')
        .describe('Who says what tax is on a sale: nobody, the shipped table of standard rates, or Stripe Tax.'),
      registrations: z
        .array(z.strictObject(taxRegistration.shape))
        .max(200)
        .default([])
        .describe('Where tax is collected by the table: country, in the US and Canada state, and another percentage.'),
    }),
  }).describe('Products, checkouts, orders; false: off. Needs organizations.'),
  admin: group({
    adminRoles: z
      .array(role)
      .nonempty()
      .default(['admin'])
      .describe('Roles that administer; the first one is that of whoever sets the installation up.'),
    adminUserIds: z.array(z.string()).default([]).describe('Users who administer whatever their role.'),
    impersonationSessionDuration: seconds(3600, 'Life of a session as another user, in seconds.'),
    defaultRole: role.default('user').describe('What a user without a role counts as.'),
  }),
  rateLimit: group({
    enabled: z.boolean().optional().describe('Default: on in production.'),
    window: z.number().positive().default(10).describe('Seconds of the general limit.'),
    max: z.int().positive().default(100).describe('Requests per address and path in that window.'),
    storage: z
      .enum(['memory', 'database'])
      .optional()
      .describe('Where guesses are counted; default: database on PostgreSQL, else memory.'),
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
      .describe('Headers that name the client, believed from trusted proxies only.'),
    trustedProxies: z
      .array(z.string().refine(isAddressRange, 'an address or a CIDR range'))
      .default([])
      .describe('Addresses or CIDR ranges of proxies.'),
  }),
  hooks: group({
    onUserCreated: aFunction<(user: HookUser) => unknown>('Called after the commit that made a user.').optional(),
    onUserDeleted: aFunction<(user: HookUser) => unknown>('Called after the commit that deleted a user.').optional(),
    onOrganizationCreated: aFunction<(organization: HookOrganization) => unknown>(
      'Called after the commit that made an organization.',
    ).optional(),
    onOrganizationDeleted: aFunction<(organization: HookOrganization) => unknown>(
      'Called after the commit that deleted an organization.',
    ).optional(),
    onMemberAdded: aFunction<(member: HookMember) => unknown>('Called after the commit that made a member.').optional(),
    onMemberRemoved: aFunction<(member: HookMember) => unknown>(
      'Called after the commit that ended a membership.',
    ).optional(),
    sendEmail: aFunction<(mail: OutgoingMail) => unknown>('Sends mails in place of SMTP.').optional(),
  }),
})

/** What `tollgate.config.ts` exports. */
export type TollgateConfig = z.input<typeof configSchema>

/** Types a configuration file; a plain object does too. */
export const defineConfig = (config: TollgateConfig): TollgateConfig => config

/** One provider's settings. */
export type ProviderOptions = z.output<typeof socialProvider> & { readonly clientId: string }
export type GenericProviderOptions = z.output<typeof genericProvider>
