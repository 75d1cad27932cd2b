import type { PageData, PageState } from '@tollgate/contract/pages'
import type { Session, SessionUser } from '@tollgate/contract/types'
import type { Visit } from '../visit.ts'
import { checkoutFixtures } from './checkout-fixtures.ts'
import { account, ada, type Fixture, longEmail, longName, now, sessions, tooMany, withState } from './fixture-data.ts'
import { joiningFixtures } from './joining-fixtures.ts'
import { deletions, organizationFixtures } from './organization-fixtures.ts'
import { pricingFixtures } from './pricing-fixtures.ts'

const providers = [
  { id: 'google', name: 'Google' },
  { id: 'apple', name: 'Apple' },
  { id: 'github', name: 'GitHub' },
  { id: 'microsoft', name: 'Microsoft' },
  { id: 'discord', name: 'Discord' },
  { id: 'linkedin', name: 'LinkedIn' },
  { id: 'intranet', name: 'Northwind Traders staff directory' },
  { id: 'gitlab', name: 'GitLab' },
] as const

const ways = { providers: [], username: false, magicLink: false, password: true }
const door = { ...ways, signUp: true, forgotPassword: true }
const signIn = (visit: Visit, state?: PageState) => visit.data('sign-in', door, state)
/** Every way to sign in, with `count` providers. */
const everyWay =
  (count: number, rest: Partial<PageData<'sign-in'>> = {}) =>
  (visit: Visit, state?: PageState): PageData =>
    visit.data(
      'sign-in',
      { ...door, providers: providers.slice(0, count), username: true, magicLink: true, ...rest },
      state,
    )
const signUp = (visit: Visit, state?: PageState) => visit.data('sign-up', { ...ways, closed: false }, state)
const fullSignUp = (visit: Visit, state?: PageState) =>
  visit.data('sign-up', { ...ways, providers: providers.slice(0, 3), username: true, closed: false }, state)
/** From the mail of an invitation. */
const invited = (visit: Visit, state?: PageState) => {
  const invitation = { id: 'fixture', proof: 'fixture', email: ada.email, organizationName: 'Northwind Traders' }
  return visit.data('sign-up', { ...ways, closed: false, callbackURL: '/account', invitation }, state)
}
const linkSent =
  (email: string = ada.email) =>
  (visit: Visit, state?: PageState): PageData =>
    visit.data('magic-link-sent', { email, codeLength: 6, resendAfter: 30 }, state)
const link =
  (rest: Pick<PageData<'magic-link'>, 'status' | 'email' | 'token'>) =>
  (visit: Visit, state?: PageState): PageData =>
    visit.data('magic-link', rest, state)
const forgot = (visit: Visit, state?: PageState) => visit.data('forgot-password', {}, state)
const reset = (visit: Visit, state?: PageState) =>
  visit.data(
    'reset-password',
    { token: 'fixture', email: ada.email, validUntil: '2026-11-20T14:32:00.000Z', callbackURL: '/org/northwind' },
    state,
  )
const verify =
  (status: PageData<'verify-email'>['status'], email?: string, signedInAs?: string) =>
  (visit: Visit, state?: PageState): PageData => {
    const known = { ...(email && { email }), ...(signedInAs && { signedInAs }) }
    return visit.data('verify-email', { status, ...known, callbackURL: '/account' }, state)
  }
const changed =
  (status: PageData<'email-changed'>['status'], email?: string): Fixture =>
  (visit) =>
    visit.data('email-changed', { status, ...(email && { email }) })

const profile =
  (user: Partial<SessionUser> = {}) =>
  (visit: Visit, state?: PageState): PageData =>
    visit.data('account-profile', account(user), state)
const security =
  (hasPassword = true) =>
  (visit: Visit, state?: PageState): PageData =>
    visit.data('account-security', { ...account(), hasPassword }, state)
const linked = (id: string, provider: string, scopes: string[], createdAt: string) => ({
  id,
  provider,
  providerId: provider,
  accountId: `${provider}-1815`,
  userId: ada.id,
  scopes,
  createdAt,
  updatedAt: createdAt,
})
const password = linked('row-password', 'credential', [], '2026-01-12T09:30:00.000Z')
const github = linked('row-github', 'github', ['read:user', 'user:email'], '2026-02-02T17:05:00.000Z')
const google = linked('row-google', 'google', ['openid', 'email', 'profile'], '2026-02-14T08:00:00.000Z')
const connections =
  (accounts: PageData<'account-connections'>['accounts'], rest: Partial<PageData<'account-connections'>> = {}) =>
  (visit: Visit, state?: PageState): PageData =>
    visit.data(
      'account-connections',
      { ...account(), accounts, providers: providers.slice(0, 5), mayUnlinkAll: false, mayLink: true, ...rest },
      state,
    )
const devices =
  (list: readonly Session[] = sessions) =>
  (visit: Visit, state?: PageState): PageData =>
    visit.data('account-sessions', { ...account(), sessions: list }, state)
const deletion =
  (hasPassword = true, preview: PageData<'account-delete'>['preview'] = deletions.alone) =>
  (visit: Visit, state?: PageState): PageData =>
    visit.data('account-delete', { ...account(), hasPassword, preview }, state)

/** An administrator impersonates Ada. */
const impersonated = (visit: Visit, page: Fixture): PageData => {
  const data = page(visit)
  if (!('session' in data) || !data.session) return data
  const { user } = data.session
  return { ...data, impersonation: { name: user.name, until: '2026-03-01T12:42:00.000Z', now } }
}

const ticked = { revokeOtherSessions: 'on' }
const typed = { email: ada.email, rememberMe: 'on' }

/** The states of each page, by path. */
export const fixtures: Readonly<Record<string, Readonly<Record<string, Fixture>>>> = {
  '/sign-in': {
    idle: signIn,
    fields: withState(signIn, { form: 'sign-in', fields: { email: 'EMAIL_REQUIRED', password: 'PASSWORD_REQUIRED' } }),
    'invalid-email': withState(signIn, { form: 'sign-in', code: 'INVALID_EMAIL', values: { ...typed, email: 'ada' } }),
    wrong: withState(signIn, { form: 'sign-in', code: 'INVALID_EMAIL_OR_PASSWORD', values: typed }),
    unverified: withState(signIn, { form: 'sign-in', code: 'EMAIL_NOT_VERIFIED', values: typed }),
    limited: withState(signIn, { form: 'sign-in', ...tooMany, values: typed }),
    busy: withState(signIn, { form: 'sign-in', code: 'SERVICE_BUSY', values: typed, retryAfter: 5 }),
    origin: withState(signIn, { code: 'INVALID_ORIGIN' }),
    failed: withState(signIn, { form: 'sign-in', code: 'INTERNAL_SERVER_ERROR', values: typed }),
    off: withState(signIn, { form: 'sign-in', code: 'EMAIL_AND_PASSWORD_IS_NOT_ENABLED', values: typed }),
    'password-reset': withState(signIn, { done: 'password-reset' }),
    'email-verified': withState(signIn, { done: 'email-verified' }),
    'signed-out': withState(signIn, { done: 'signed-out' }),
    'signed-in': (visit) => visit.data('sign-in', { ...door, signedInAs: { name: ada.name, email: ada.email } }),
    'signed-in-long': (visit) => visit.data('sign-in', { ...door, signedInAs: { name: longName, email: longEmail } }),
    'no-sign-up': (visit) => visit.data('sign-in', { ...door, signUp: false, forgotPassword: false }),
    usernames: everyWay(0, { magicLink: false }),
    'one-provider': everyWay(1, { lastMethod: 'google' }),
    'four-providers': everyWay(4, { lastMethod: 'password' }),
    'eight-providers': everyWay(8, { lastMethod: 'magic-link' }),
    'only-providers': everyWay(2, { password: false, magicLink: false, username: false, signUp: false }),
    'only-link': everyWay(0, { password: false, username: false }),
    'no-usernames': everyWay(2, { username: false }),
    'wrong-username': withState(everyWay(0), {
      form: 'sign-in',
      code: 'INVALID_USERNAME_OR_PASSWORD',
      values: { email: 'ada', rememberMe: 'on' },
    }),
    'link-without-address': withState(everyWay(2), {
      form: 'magic-link',
      code: 'INVALID_EMAIL',
      values: { email: 'ada' },
    }),
    'provider-away': withState(everyWay(2), { form: 'social-sign-in', code: 'SERVICE_UNAVAILABLE' }),
    'not-linked': everyWay(3, { error: 'account_not_linked' }),
    banned: everyWay(3, { error: 'banned' }),
    'unknown-error': everyWay(3, { error: '<b>nothing</b> that we know' }),
    leaving: (visit) => visit.data('leaving', { url: '/sign-in?fixture=four-providers', provider: 'GitHub' }),
  },
  '/sign-up': {
    idle: signUp,
    fields: withState(signUp, {
      form: 'sign-up',
      fields: { name: 'NAME_REQUIRED', email: 'EMAIL_REQUIRED', password: 'NEW_PASSWORD_REQUIRED' },
    }),
    short: withState(signUp, { form: 'sign-up', code: 'PASSWORD_TOO_SHORT', values: { name: ada.name, ...typed } }),
    breached: withState(signUp, {
      form: 'sign-up',
      code: 'PASSWORD_HAS_APPEARED_IN_A_DATA_BREACH',
      values: { name: ada.name, ...typed },
    }),
    taken: withState(signUp, { form: 'sign-up', code: 'USER_ALREADY_EXISTS', values: { name: ada.name, ...typed } }),
    limited: withState(signUp, { form: 'sign-up', ...tooMany, values: { name: ada.name, ...typed } }),
    closed: (visit) => visit.data('sign-up', { ...ways, closed: true, password: false }),
    setup: (visit) => visit.data('sign-up', { ...ways, closed: false, password: true, setupToken: 'fixture' }),
    'setup-over': (visit) =>
      visit.data('sign-up', { ...ways, closed: false, password: true, setupToken: 'fixture', isSetupOver: true }),
    'signed-in': (visit) =>
      visit.data('sign-up', {
        ...ways,
        closed: false,
        password: true,
        signedInAs: { name: ada.name, email: ada.email },
      }),
    everything: fullSignUp,
    'username-taken': withState(fullSignUp, {
      form: 'sign-up',
      code: 'USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER',
      values: { name: ada.name, username: 'ada', ...typed },
    }),
    'only-providers': (visit) =>
      visit.data('sign-up', { ...ways, providers: providers.slice(0, 2), password: false, closed: false }),
    invited: withState(invited, { form: 'sign-up', values: { email: ada.email } }),
    'invited-short': withState(invited, {
      form: 'sign-up',
      code: 'PASSWORD_TOO_SHORT',
      values: { name: ada.name, email: ada.email },
    }),
  },
  '/magic-link/sent': {
    idle: linkSent(),
    long: linkSent(longEmail),
    wrong: withState(linkSent(), { form: 'magic-link-code', code: 'INVALID_OTP' }),
    expired: withState(linkSent(), { form: 'magic-link-code', code: 'OTP_EXPIRED' }),
    'used-up': withState(linkSent(), { form: 'magic-link-code', code: 'TOO_MANY_ATTEMPTS' }),
    limited: withState(linkSent(), { form: 'magic-link', ...tooMany }),
    resent: withState(linkSent(), { form: 'magic-link', done: 'resent' }),
  },
  '/magic-link': {
    ready: link({ status: 'ready', token: 'fixture', email: ada.email }),
    'ready-long': link({ status: 'ready', token: 'fixture', email: longEmail }),
    'ready-unknown': link({ status: 'ready', token: 'fixture' }),
    expired: link({ status: 'expired' }),
    invalid: link({ status: 'invalid' }),
    banned: withState(link({ status: 'ready', token: 'fixture', email: ada.email }), {
      form: 'magic-link-confirm',
      code: 'BANNED_USER',
    }),
  },
  '/forgot-password': {
    idle: forgot,
    invalid: withState(forgot, { form: 'forgot-password', code: 'INVALID_EMAIL', values: { email: 'ada' } }),
    limited: withState(forgot, { form: 'forgot-password', ...tooMany, values: typed }),
    sent: withState(forgot, { form: 'forgot-password', done: 'sent', values: typed }),
    'sent-long': withState(forgot, { form: 'forgot-password', done: 'sent', values: { email: longEmail } }),
  },
  '/reset-password': {
    idle: reset,
    short: withState(reset, { form: 'reset-password', code: 'PASSWORD_TOO_SHORT' }),
    long: withState(reset, { form: 'reset-password', code: 'PASSWORD_TOO_LONG' }),
    invalid: (visit) => visit.data('reset-password', { error: 'INVALID_TOKEN' }),
    used: withState(reset, { form: 'reset-password', code: 'INVALID_TOKEN' }),
    done: withState(reset, { form: 'reset-password', done: 'reset' }),
  },
  '/verify-email': {
    sent: verify('sent', ada.email),
    'sent-long': verify('sent', longEmail),
    resent: withState(verify('sent', ada.email), { form: 'resend-verification', done: 'resent' }),
    limited: withState(verify('sent', ada.email), { form: 'resend-verification', ...tooMany }),
    unconfirmed: verify('unconfirmed', ada.email),
    verified: verify('verified', ada.email),
    'verified-elsewhere': verify('verified', longEmail, ada.email),
    already: verify('already'),
    expired: verify('expired', ada.email),
    'expired-unknown': verify('expired'),
    invalid: verify('invalid', ada.email),
    'invalid-unknown': verify('invalid'),
    'user-not-found': verify('user_not_found'),
    unauthorized: verify('unauthorized'),
  },
  '/error': {
    unknown: (visit) => visit.data('error', {}),
    'access-denied': (visit) => visit.data('error', { code: 'access_denied' }),
    restart: (visit) => visit.data('error', { code: 'please_restart_the_process' }),
    'not-linked': (visit) => visit.data('error', { code: 'account_not_linked' }),
    banned: (visit) => visit.data('error', { code: 'banned' }),
    expired: (visit) => visit.data('error', { code: 'token_expired' }),
    hostile: (visit) => visit.data('error', { code: '<script>alert("1")</script>&\'' }),
    long: (visit) => visit.data('error', { code: 'x'.repeat(200) }),
    'not-found': (visit) => visit.data('not-found', {}),
    failure: (visit) => visit.data('failure', { code: 'INTERNAL_SERVER_ERROR' }),
    unavailable: (visit) => visit.data('failure', { code: 'SERVICE_UNAVAILABLE' }),
  },
  '/account': {
    idle: profile(),
    unverified: profile({ emailVerified: false }),
    picture: (visit) => profile({ image: `${visit.ctx.config.baseURL.origin}/favicon.svg` })(visit),
    long: profile({ name: longName, email: longEmail }),
    fields: withState(profile(), { form: 'profile', code: 'NAME_REQUIRED', values: { name: '' } }),
    image: withState(profile(), { form: 'picture', fields: { picture: 'PICTURE_TOO_LARGE' } }),
    saved: withState(profile(), { form: 'profile', done: 'saved' }),
    taken: withState(profile(), {
      form: 'change-email',
      code: 'COULDNT_UPDATE_YOUR_EMAIL',
      values: { newEmail: 'grace@example.com' },
    }),
    same: withState(profile(), { form: 'change-email', code: 'EMAIL_IS_THE_SAME', values: { newEmail: ada.email } }),
    'email-requested': withState(profile(), { form: 'change-email', done: 'email-requested', values: typed }),
    'email-changed': withState(profile({ emailVerified: false }), {
      form: 'change-email',
      done: 'email-changed',
      values: typed,
    }),
    resent: withState(profile({ emailVerified: false }), {
      form: 'resend-verification',
      done: 'resent',
      values: typed,
    }),
    username: profile({ username: 'ada', displayUsername: 'Ada' }),
    'username-taken': withState(profile({ username: 'ada', displayUsername: 'Ada' }), {
      form: 'profile',
      code: 'USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER',
      values: { name: ada.name, username: 'grace', displayUsername: 'Grace' },
    }),
    'no-address': profile({ email: '1815-ada@reddit.invalid', emailVerified: false }),
    impersonated: (visit) => impersonated(visit, profile()),
    'impersonated-long': (visit) => impersonated(visit, profile({ name: longName, email: longEmail })),
  },
  '/account/connections': {
    idle: connections([password, github]),
    several: connections([password, github, google]),
    last: connections([github], { hasPassword: false }),
    'password-only': connections([password]),
    unknown: connections([password, linked('row-old', 'myspace', [], '2026-01-12T09:30:00.000Z')]),
    linked: withState(connections([password, github]), { form: 'link-account', done: 'account-linked' }),
    unlinked: withState(connections([password]), { form: 'unlink-account', done: 'account-unlinked' }),
    stale: withState(connections([password, github]), {
      form: 'unlink-account',
      code: 'SESSION_IS_NOT_FRESH',
      values: { accountId: 'row-github' },
    }),
    'stale-no-password': withState(connections([google, github], { hasPassword: false }), {
      form: 'unlink-account',
      code: 'SESSION_IS_NOT_FRESH',
      values: { accountId: 'row-github' },
    }),
    'wrong-password': withState(connections([password, github]), {
      form: 'unlink-account',
      code: 'INVALID_PASSWORD',
      values: { accountId: 'row-github' },
    }),
    'link-stale': withState(connections([password]), {
      form: 'link-account',
      code: 'SESSION_IS_NOT_FRESH',
      values: { provider: 'github' },
    }),
    'link-stale-no-password': withState(connections([google], { hasPassword: false }), {
      form: 'link-account',
      code: 'SESSION_IS_NOT_FRESH',
      values: { provider: 'github' },
    }),
    'other-address': connections([password], { error: 'email_does_not_match' }),
  },
  '/account/security': {
    idle: security(),
    wrong: withState(security(), { form: 'change-password', code: 'INVALID_PASSWORD', values: ticked }),
    short: withState(security(), { form: 'change-password', code: 'PASSWORD_TOO_SHORT', values: ticked }),
    limited: withState(security(), { form: 'change-password', ...tooMany, values: ticked }),
    done: withState(security(), { form: 'change-password', done: 'password-changed' }),
    'no-password': security(false),
    'reset-mail-sent': withState(security(false), { form: 'set-password', done: 'reset-mail-sent', values: typed }),
    'no-deletion': (visit) =>
      visit.data('account-security', {
        ...account(),
        features: { ...account().features, deleteUser: false, connections: false },
      }),
  },
  '/account/sessions': {
    idle: devices(),
    only: devices(sessions.slice(0, 1)),
    ended: withState(devices(), { form: 'revoke-session', done: 'session-revoked' }),
    'others-ended': withState(devices(sessions.slice(0, 1)), {
      form: 'revoke-other-sessions',
      done: 'sessions-revoked',
    }),
    gone: withState(devices(), { form: 'revoke-session', code: 'SESSION_NOT_FOUND' }),
  },
  '/account/delete': {
    idle: deletion(),
    'no-password': deletion(false),
    word: withState(deletion(), { form: 'delete-account', code: 'CONFIRMATION_WORD', values: { confirmation: 'yes' } }),
    wrong: withState(deletion(), {
      form: 'delete-account',
      code: 'INVALID_PASSWORD',
      values: { confirmation: 'DELETE' },
    }),
    sent: withState(deletion(), { form: 'delete-account', done: 'delete-mail-sent' }),
    'sole-owner': deletion(true, deletions.kept),
    'organizations-go-along': deletion(true, deletions.along),
    'purchases-end': deletion(true, deletions.purchases),
  },
  '/account/email-changed': {
    changed: changed('changed', ada.email),
    verified: changed('verified', ada.email),
    'verified-unknown': changed('verified'),
    expired: changed('expired'),
    invalid: changed('invalid'),
    unauthorized: changed('unauthorized'),
  },
  '/account-deleted': {
    done: (visit) => visit.data('account-deleted', {}),
  },
  ...organizationFixtures,
  ...joiningFixtures,
  ...checkoutFixtures,
  ...pricingFixtures,
}

/** The fixture that the URL names; undefined for an unknown one. */
export function fixtureOf(visit: Visit): PageData | undefined {
  const name = visit.query.get('fixture') ?? ''
  const states = fixtures[visit.url.pathname] ?? {}
  return Object.hasOwn(states, name) ? states[name]!(visit) : undefined
}
