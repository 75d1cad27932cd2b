import type { PageData, PageDone, PageForm, PageProvider, PageState } from '@tollgate/contract/pages'
import type { Session, SessionAnswer } from '@tollgate/contract/types'
import { isAdministrator } from '../access.ts'
import { TollgateError } from '../error.ts'
import { createCaller } from '../http/caller.ts'
import { readSign } from '../identity/done-sign.service.ts'
import { isSetupToken } from '../identity/first-admin.service.ts'
import { requireCredentialAccount } from '../identity/password.service.ts'
import { lookAtResetLink } from '../identity/reset-link.service.ts'
import { findCurrentSession } from '../identity/session.service.ts'
import { lookAtMagicLink } from '../magic-link/magic-link.service.ts'
import { previewUserDeletion } from '../organization/overview.service.ts'
import { listProviders } from '../social/social.service.ts'
import { awaitAddress, awaitedAddress } from './awaited-address.ts'
import { lookAtInvitation } from './invitation-look.ts'
import type { Visit } from './visit.ts'

/** Makes a page for a visit; `state` is there when a form of the page was refused. A response leads elsewhere. */
export type PageMaker = (visit: Visit, state?: PageState) => Promise<PageData | Response>

/** The ways in and the pages of the account, by their routes; `page-makers.ts` has those of organizations besides. */
export const accountPageMakers: Readonly<Record<string, PageMaker>> = {
  '/sign-in': signInPage,
  '/sign-up': signUpPage,
  '/magic-link': magicLinkPage,
  '/magic-link/sent': magicLinkSentPage,
  '/forgot-password': forgotPasswordPage,
  '/reset-password': resetPasswordPage,
  '/verify-email': verifyEmailPage,
  '/error': async (visit) => errorPageData(visit),
  '/account': accountPage('account-profile', ['saved', 'email-changed', 'email-requested', 'resent']),
  '/account/security': accountPage('account-security', ['password-changed', 'reset-mail-sent']),
  '/account/connections': accountPage('account-connections', ['account-linked', 'account-unlinked']),
  '/account/sessions': accountPage('account-sessions', ['session-revoked', 'sessions-revoked']),
  '/account/delete': accountPage('account-delete', ['delete-mail-sent']),
  '/account/email-changed': emailChangedPage,
  '/account-deleted': accountDeletedPage,
}

async function signInPage(visit: Visit, refused?: PageState): Promise<PageData> {
  const { emailAndPassword } = visit.ctx.config
  const ways = waysOf(visit, refused)
  const error = errorIn(visit)
  const state =
    refused ?? doneState(visit, ['password-reset', 'email-verified', 'signed-out', 'account-deleted'], 'sign-in')
  // Whoever has just been told something, or has tried to sign in, is here for the form.
  const known = state || error ? {} : await signedInAsOf(visit)
  return visit.data(
    'sign-in',
    {
      ...ways,
      ...known,
      password: emailAndPassword.enabled,
      signUp: emailAndPassword.enabled && !emailAndPassword.disableSignUp,
      forgotPassword: emailAndPassword.enabled && emailAndPassword.resetPassword,
      ...lastMethodOf(visit, ways),
      ...(error && !refused && { error }),
    },
    state,
  )
}

/** Who is signed in already, and has not asked for the form of the page yet. */
async function signedInAsOf(visit: Visit): Promise<{ signedInAs?: { name: string; email: string } }> {
  const session = visit.query.has('switch') ? null : await visit.session()
  if (!session) return {}
  const { name, email } = session.user
  return { signedInAs: { name: name || email, email } }
}

/** The ways to come in besides e-mail and password, and where to go afterwards. */
function waysOf(visit: Visit, refused: PageState | undefined) {
  const { username, magicLink } = visit.ctx.config
  return {
    ...callbackOf(visit, refused),
    providers: providersOf(visit),
    username: username !== false,
    magicLink: magicLink !== false,
  }
}

/** The providers that people may choose from, in the order that they are shown. */
export const providersOf = ({ ctx }: Visit): readonly PageProvider[] => listProviders(ctx)

/** What a failed redirect has brought along; anybody may write it, so it is only ever shown as text. */
const errorIn = ({ query }: Visit): string | undefined => query.get('error')?.slice(0, 200) || undefined

/** Holds how this browser has signed in before; written when a button or form of the sign-in page is used. */
export const lastMethodCookie = 'tollgate_last_method'

/** Worth a mark only where there is a choice. */
function lastMethodOf(
  { ctx, headers }: Visit,
  { providers, magicLink }: { providers: readonly PageProvider[]; magicLink: boolean },
): { lastMethod?: string } {
  const methods = [
    ...(ctx.config.emailAndPassword.enabled ? ['password'] : []),
    ...(magicLink ? ['magic-link'] : []),
    ...providers.map(({ id }) => id),
  ]
  const last = createCaller(ctx, headers, '').cookies.get(lastMethodCookie)
  return methods.length > 1 && last !== undefined && methods.includes(last) ? { lastMethod: last } : {}
}

async function signUpPage(visit: Visit, refused?: PageState): Promise<PageData> {
  const setupToken = refused?.values?.setupToken ?? visit.query.get('setupToken')?.slice(0, 100)
  const ways = waysOf(visit, refused)
  const password = takesSignUps(visit)
  const closed = !password && ways.providers.length === 0
  const invitation = await invitationOf(visit, refused)
  // The address is the invitation's, and is not asked for.
  const state = refused ?? (invitation && { form: 'sign-up', values: { email: invitation.email } })
  const isSetupOver = setupToken && !(await isSetupToken(visit.ctx, setupToken, visit.ctx.clock.now()))
  const further = {
    ...(setupToken && { setupToken, callbackURL: ways.callbackURL ?? firstStepOf(visit) }),
    ...(isSetupOver && { isSetupOver }),
    ...(invitation && { invitation }),
    // Whoever follows a link that is for a new account wants one.
    ...(!refused && !setupToken && !invitation && !closed && (await signedInAsOf(visit))),
  }
  return visit.data('sign-up', { ...ways, password, closed, ...further }, state)
}

/** Where whoever has set the installation up goes on: to an organization of theirs, which may sell at once. */
const firstStepOf = ({ ctx: { config } }: Visit): string =>
  config.organization === false || config.organization.allowUserToCreateOrganization === false
    ? '/admin'
    : '/organizations/new'

/** Whether people can make an account by e-mail and password. */
export const takesSignUps = ({ ctx: { config } }: Visit): boolean =>
  config.emailAndPassword.enabled && !config.emailAndPassword.disableSignUp

/** The invitation that somebody makes an account for, if its mail is what led here. */
async function invitationOf(visit: Visit, refused: PageState | undefined): Promise<PageData<'sign-up'>['invitation']> {
  const id = refused?.values?.invitationId ?? visit.query.get('invitation')
  const proof = refused?.values?.invitationProof ?? visit.query.get('proof')
  if (!id || !proof) return undefined
  const { found } = await lookAtInvitation(visit, id, proof)
  return found && { id, proof, email: found.email, organizationName: found.organizationName }
}

/**
 * Where the mailed link leads: looking at it uses nothing up, its button does. Whose it is is shown only to who has the
 * right token.
 */
async function magicLinkPage(visit: Visit, refused?: PageState): Promise<PageData> {
  if (visit.ctx.config.magicLink === false) return visit.data('not-found', {})
  const token = refused?.values?.token ?? visit.query.get('token')
  const link = token ? await lookAtMagicLink(visit.ctx, token) : ({ status: 'invalid' } as const)
  if (!token || link.status === 'invalid') return visit.data('magic-link', { status: 'invalid' }, refused)
  const { status, email, isNewUser } = link
  const forNewUser = isNewUser ? visit.safeTarget(visit.query.get('newUserCallbackURL')) : undefined
  const callback = forNewUser ? { callbackURL: forNewUser } : callbackOf(visit, refused)
  return visit.data('magic-link', { status, email, ...callback, ...(status === 'ready' && { token }) }, refused)
}

/** Seconds until the mail may be asked for again. */
const resendAfter = 30

/** "Check your email", until somebody with that address has signed in, in this browser. */
async function magicLinkSentPage(visit: Visit, refused?: PageState): Promise<PageData | Response> {
  if (visit.ctx.config.magicLink === false) return visit.data('not-found', {})
  const email = addressIn(refused?.values?.email ?? visit.query.get('email'))
  if (email === undefined) return visit.redirect('/sign-in')
  const callback = callbackOf(visit, refused)
  const session = await visit.session()
  if (session?.user.email === email.normalize('NFKC').toLowerCase())
    return visit.redirect(callback.callbackURL ?? '/account')
  const state = refused ?? doneState(visit, ['resent'], 'magic-link')
  return visit.data('magic-link-sent', { email, ...callback, codeLength: 6, resendAfter }, state)
}

async function forgotPasswordPage(visit: Visit, refused?: PageState): Promise<PageData> {
  const email = addressIn(visit.query.get('email'))
  const done = email === undefined ? undefined : doneState(visit, ['sent'], 'forgot-password', { email })
  return visit.data('forgot-password', { ...callbackOf(visit, refused), ...(email && { email }) }, refused ?? done)
}

async function resetPasswordPage(visit: Visit, refused?: PageState): Promise<PageData> {
  const token = refused?.values?.token ?? visit.query.get('token')
  const link = token ? await lookAtResetLink(visit.ctx, token) : undefined
  const error = visit.query.get('error') ?? (token && !link ? 'INVALID_TOKEN' : undefined)
  const account = link && { email: link.email, validUntil: link.expiresAt.toISOString() }
  const data = { ...callbackOf(visit, refused), ...(token && { token }), ...(error && { error }), ...account }
  return visit.data('reset-password', data, refused)
}

/** A map, not an object: the query is anybody's to write, and may name what every object has. */
const verifyErrors: ReadonlyMap<string, 'expired' | 'user_not_found' | 'unauthorized'> = new Map([
  ['token_expired', 'expired'],
  ['user_not_found', 'user_not_found'],
  ['unauthorized', 'unauthorized'],
])

/**
 * "Check your email" with `?email`, else where the mailed link leads: with `?error` when it was of no use. What has been sent
 * or confirmed is said to the browser that has the sign of it. The address to mail again is the one in the address, the
 * signed-in person's, or the one that this browser has waited for.
 */
async function verifyEmailPage(visit: Visit, refused?: PageState): Promise<PageData | Response> {
  const error = visit.query.get('error')?.toLowerCase()
  const asked = addressIn(refused?.values?.email ?? visit.query.get('email'))
  const session = await visit.session()
  const own = session && !session.user.emailVerified ? session.user.email : undefined
  const sign = readSign(visit.ctx, createCaller(visit.ctx, visit.headers, ''))

  if (error !== undefined) {
    const email = asked ?? own ?? addressIn(awaitedAddress(visit))
    const status = verifyErrors.get(error) ?? 'invalid'
    return visit.data('verify-email', { status, ...(email && { email }) }, refused)
  }
  if (asked === undefined && sign?.done === 'email-verified') {
    const { email } = sign
    const signedInAs = session && session.user.email !== email ? { signedInAs: session.user.email } : {}
    // Whoever has no session yet signs in first, and is told there that it went well.
    const callbackURL = session ? '/account' : '/sign-in?done=email-verified'
    return visit.data('verify-email', { status: 'verified', email, callbackURL, ...signedInAs })
  }
  const email = asked ?? own
  if (email !== undefined) {
    awaitAddress(visit, email)
    const isSent = sign?.done === 'verification-sent' && sign.email === email.normalize('NFKC').toLowerCase()
    const state = refused ?? (isSent ? doneState(visit, ['resent'], 'resend-verification') : undefined)
    return visit.data('verify-email', { status: isSent ? 'sent' : 'unconfirmed', email }, state)
  }
  return session ? visit.data('verify-email', { status: 'already' }) : visit.redirect('/sign-in')
}

/** The page of failed redirects, also under the API's base path. */
export function errorPageData(visit: Visit): PageData {
  const code = errorIn(visit)
  return visit.data('error', code ? { code } : {})
}

const emailChangeErrors: ReadonlyMap<string, 'expired' | 'unauthorized'> = new Map([
  ['token_expired', 'expired'],
  ['unauthorized', 'unauthorized'],
])

/** Where both mailed links of an address change lead, with the sign that the one that was followed has left. */
async function emailChangedPage(visit: Visit): Promise<PageData | Response> {
  const error = visit.query.get('error')?.toLowerCase()
  if (error !== undefined) {
    const status = emailChangeErrors.get(error) ?? 'invalid'
    return visit.data('email-changed', { status })
  }
  const sign = readSign(visit.ctx, createCaller(visit.ctx, visit.headers, ''))
  if (sign?.done === 'email-changed') return visit.data('email-changed', { status: 'changed', email: sign.email })
  if (sign?.done === 'email-verified') return visit.data('email-changed', { status: 'verified', email: sign.email })
  return visit.redirect((await visit.session()) ? '/account' : '/sign-in')
}

/** Where a deletion leads: for the browser that has made it, and for nobody who only opens the address. */
async function accountDeletedPage(visit: Visit): Promise<PageData | Response> {
  const sign = readSign(visit.ctx, createCaller(visit.ctx, visit.headers, ''))
  if (await visit.session()) return visit.redirect('/account')
  return sign?.done === 'account-deleted' ? visit.data('account-deleted', {}) : visit.redirect('/sign-in')
}

type AccountPageName =
  | 'account-profile'
  | 'account-security'
  | 'account-connections'
  | 'account-sessions'
  | 'account-delete'

/** The form that each `?done=` of the account pages is about. */
const doneForms: Readonly<Partial<Record<PageDone, PageForm>>> = {
  saved: 'profile',
  'email-changed': 'change-email',
  'email-requested': 'change-email',
  resent: 'resend-verification',
  'password-changed': 'change-password',
  'reset-mail-sent': 'set-password',
  'account-linked': 'link-account',
  'account-unlinked': 'unlink-account',
  'session-revoked': 'revoke-session',
  'sessions-revoked': 'revoke-other-sessions',
  'delete-mail-sent': 'delete-account',
}

function accountPage(page: AccountPageName, dones: readonly PageDone[]): PageMaker {
  return async (visit, refused) => {
    const { config } = visit.ctx
    const session = await visit.session()
    if (!session) return visit.redirect(signInAndBack(visit.url.pathname))
    if (page === 'account-delete' && !config.user.deleteUser.enabled) return visit.data('not-found', {})
    const account = await accountOf(visit, session)
    if (page === 'account-connections' && !account.features.connections) return visit.data('not-found', {})

    const done = dones.find((each) => each === visit.query.get('done'))
    const state = refused ?? (done && doneState(visit, [done], doneForms[done], { email: session.user.email }))
    switch (page) {
      case 'account-connections': {
        const error = errorIn(visit)
        const accounts = (await visit.call('listAccounts')) ?? []
        const providers = providersOf(visit)
        const mayUnlinkAll = config.account.accountLinking.allowUnlinkingAll
        return visit.data(
          page,
          { ...account, accounts, providers, mayUnlinkAll, ...(error && !refused && { error }) },
          state,
        )
      }
      case 'account-sessions':
        return visit.data(page, { ...account, sessions: await sessionsOf(visit) }, state)
      case 'account-delete': {
        const { blocking, ending } = await previewUserDeletion(visit.ctx, session.user.id)
        // While organizations are switched off there are no pages of theirs to lead to: the form says why it is refused.
        const preview = { blocking: account.features.organizations ? blocking : [], ending }
        return visit.data(page, { ...account, preview }, state)
      }
      default:
        return visit.data(page, account, state)
    }
  }
}

/** Whether somebody runs this installation. Whoever acts as somebody else administers nothing meanwhile. */
export const administers = ({ ctx }: Visit, { session, user }: SignedIn): boolean =>
  session.impersonatedBy === null && isAdministrator(ctx, user)

/** What every page of the account is given. */
export async function accountOf(visit: Visit, session: SignedIn) {
  const { config, clock } = visit.ctx
  return {
    session,
    now: clock.now().toISOString(),
    administers: administers(visit, session),
    hasPassword: await hasPassword(visit),
    features: {
      changeEmail: config.user.changeEmail.enabled && config.emailVerification.enabled,
      deleteUser: config.user.deleteUser.enabled,
      verification: config.emailVerification.enabled,
      username: config.username !== false,
      connections: providersOf(visit).length > 0,
      organizations: config.organization !== false,
    },
  }
}

/** Where somebody is sent who has to sign in first. */
export const signInAndBack = (path: string): string => `/sign-in?callbackURL=${encodeURIComponent(path)}`

async function sessionsOf(visit: Visit): Promise<readonly Session[]> {
  return (await visit.call('listSessions')) ?? []
}

/** Whether the visitor can be asked for a password. */
export async function hasPassword({ ctx, headers }: Visit): Promise<boolean> {
  const current = await findCurrentSession(ctx, createCaller(ctx, headers, ''))
  if (!current) return false
  try {
    await requireCredentialAccount(ctx, current.user)
    return true
  } catch (error) {
    if (error instanceof TollgateError && error.error === 'CREDENTIAL_ACCOUNT_NOT_FOUND') return false
    throw error
  }
}

/** Where to go afterwards: from the form that was refused, else from the address. */
function callbackOf(visit: Visit, refused: PageState | undefined): { callbackURL?: string } {
  const callbackURL = visit.safeTarget(refused?.values?.callbackURL ?? visit.query.get('callbackURL'))
  return callbackURL ? { callbackURL } : {}
}

/** What the page says was done, where it is something that this page says. */
export function doneState(
  { query }: Visit,
  allowed: readonly PageDone[],
  form: PageForm | undefined,
  values?: Readonly<Record<string, string>>,
): PageState | undefined {
  const done = allowed.find((each) => each === query.get('done'))
  return done && { done, ...(form && { form }), ...(values && { values }) }
}

/** An address that may be shown: the query is anybody's to write. */
function addressIn(text: string | null | undefined): string | undefined {
  const address = text?.trim() ?? ''
  return isAddress(address) ? address : undefined
}

/**
 * The shape of an address, normalised first as the calls do it, which decide about the rest (specification, section 5).
 * Longer texts than they read are not looked at.
 */
export const isAddress = (text: string): boolean =>
  text.length <= 512 && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.normalize('NFKC'))

/** Who is signed in, for pages that only want to know. */
export type SignedIn = NonNullable<SessionAnswer>
