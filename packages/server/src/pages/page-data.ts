import { isAddress } from '@tollgate/contract/forms'
import type { PageData, PageDone, PageForm, PageProvider, PageState } from '@tollgate/contract/pages'
import type { SessionAnswer } from '@tollgate/contract/types'
import { type FeatureName, isFeatureOn } from '../features/features.ts'
import { isAdministrator } from '../features/identity/access.ts'
import { isSetupToken } from '../features/identity/first-admin.service.ts'
import { readOutcomeCookie } from '../features/identity/outcome-cookie.service.ts'
import { requireCredentialAccount } from '../features/identity/password.service.ts'
import { lookAtResetLink } from '../features/identity/reset-link.service.ts'
import { findCurrentSession } from '../features/identity/session.service.ts'
import { lookAtMagicLink } from '../features/magic-link/magic-link.service.ts'
import { listProviders } from '../features/social/social.service.ts'
import { TollgateError } from '../foundation/error.ts'
import { awaitAddress, awaitedAddress } from './awaited-address.ts'
import { lookAtInvitation } from './invitation-look.ts'
import type { Visit } from './visit.ts'

/** Builds a page for a visit; `state` is that of a refused form. A response redirects instead. */
export type PageMaker = (visit: Visit, state?: PageState) => Promise<PageData | Response>

export type PageMakers = Readonly<Record<string, PageMaker>>

/** Pages of a feature. While it is off, each of them is a 404. */
export const whileOn = (feature: FeatureName, makers: PageMakers): PageMakers =>
  Object.fromEntries(
    Object.entries(makers).map(([route, make]): [string, PageMaker] => [
      route,
      async (visit, state) =>
        isFeatureOn(visit.ctx.config, feature) ? make(visit, state) : visit.data('not-found', {}),
    ]),
  )

/** The pages to sign in, by route; `page-makers.ts` adds the others. */
export const doorPageMakers: PageMakers = {
  '/sign-in': signInPage,
  '/sign-up': signUpPage,
  ...whileOn('magicLink', {
    '/magic-link': magicLinkPage,
    '/magic-link/sent': magicLinkSentPage,
  }),
  '/forgot-password': forgotPasswordPage,
  '/reset-password': resetPasswordPage,
  '/verify-email': verifyEmailPage,
  '/error': async (visit) => errorPageData(visit),
}

async function signInPage(visit: Visit, refused?: PageState): Promise<PageData> {
  const { emailAndPassword } = visit.ctx.config
  const ways = waysOf(visit, refused)
  const error = errorIn(visit)
  const dones = ['password-reset', 'email-verified', 'signed-out', 'account-deleted'] as const
  const state = refused ?? doneState(visit, dones, { form: 'sign-in' })
  // A visitor with a message or a failed sign-in wants the form.
  const known = state || error ? {} : await signedInAsOf(visit)
  return visit.data(
    'sign-in',
    {
      ...ways,
      ...known,
      password: emailAndPassword.enabled,
      signUp: takesSignUps(visit),
      forgotPassword: emailAndPassword.enabled && emailAndPassword.resetPassword,
      ...lastMethodOf(visit, ways),
      ...(error && !refused && { error }),
    },
    state,
  )
}

/** The signed-in user, unless they asked for the form with `?switch`. */
async function signedInAsOf(visit: Visit): Promise<{ signedInAs?: { name: string; email: string } }> {
  const session = visit.query.has('switch') ? null : await visit.session()
  if (!session) return {}
  const { name, email } = session.user
  return { signedInAs: { name: name || email, email } }
}

/** The ways to sign in besides e-mail and password, and the callback. */
function waysOf(visit: Visit, refused: PageState | undefined) {
  const { config } = visit.ctx
  return {
    ...callbackOf(visit, refused),
    providers: providersOf(visit),
    username: isFeatureOn(config, 'username'),
    magicLink: isFeatureOn(config, 'magicLink'),
  }
}

/** The providers that users may choose from, in display order. */
export const providersOf = ({ ctx }: Visit): readonly PageProvider[] => listProviders(ctx)

/** The error of a failed redirect. The query is untrusted, so pages only ever show it as text. */
export const errorIn = ({ query }: Visit): string | undefined => query.get('error')?.slice(0, 200) || undefined

/** Holds the last sign-in method of this browser; the forms of the sign-in page set it. */
export const lastMethodCookie = 'tollgate_last_method'

/** The mark "last used" only helps if there is a choice. */
function lastMethodOf(
  { ctx, caller }: Visit,
  { providers, magicLink }: { providers: readonly PageProvider[]; magicLink: boolean },
): { lastMethod?: string } {
  const methods = [
    ...(ctx.config.emailAndPassword.enabled ? ['password'] : []),
    ...(magicLink ? ['magic-link'] : []),
    ...providers.map(({ id }) => id),
  ]
  const last = caller.cookies.get(lastMethodCookie)
  return methods.length > 1 && last !== undefined && methods.includes(last) ? { lastMethod: last } : {}
}

async function signUpPage(visit: Visit, refused?: PageState): Promise<PageData> {
  const setupToken = refused?.values?.setupToken ?? visit.query.get('setupToken')?.slice(0, 100)
  const ways = waysOf(visit, refused)
  const password = takesSignUps(visit)
  const closed = !password && ways.providers.length === 0
  const invitation = await invitationOf(visit, refused)
  // The invitation determines the address, so the form does not ask for it.
  const state = refused ?? (invitation && { form: 'sign-up', values: { email: invitation.email } })
  const isSetupOver = setupToken && !(await isSetupToken(visit.ctx, setupToken, visit.ctx.clock.now()))
  const further = {
    ...(setupToken && { setupToken, callbackURL: ways.callbackURL ?? firstStepOf(visit) }),
    ...(isSetupOver && { isSetupOver }),
    ...(invitation && { invitation }),
    // Visitors with a setup or invitation link want a new account.
    ...(!refused && !setupToken && !invitation && !closed && (await signedInAsOf(visit))),
  }
  return visit.data('sign-up', { ...ways, password, closed, ...further }, state)
}

/** The first administrator continues with an organization of their own, which may sell at once. */
const firstStepOf = ({ ctx: { config } }: Visit): string =>
  config.organization === false || config.organization.allowUserToCreateOrganization === false
    ? '/admin'
    : '/organizations/new'

/** Whether visitors can sign up by e-mail and password. */
export const takesSignUps = ({ ctx: { config } }: Visit): boolean =>
  config.emailAndPassword.enabled && !config.emailAndPassword.disableSignUp

/** The invitation that a visitor signs up for, if they came from its mail. */
async function invitationOf(visit: Visit, refused: PageState | undefined): Promise<PageData<'sign-up'>['invitation']> {
  const id = refused?.values?.invitationId ?? visit.query.get('invitation')
  const proof = refused?.values?.invitationProof ?? visit.query.get('proof')
  if (!id || !proof) return undefined
  const { found } = await lookAtInvitation(visit, id, proof)
  return found && { id, proof, email: found.email, organizationName: found.organizationName }
}

/**
 * The page of a mailed link. Opening it consumes nothing; its button does. It shows the address only for a valid
 * token.
 */
async function magicLinkPage(visit: Visit, refused?: PageState): Promise<PageData> {
  const token = refused?.values?.token ?? visit.query.get('token')
  const link = token ? await lookAtMagicLink(visit.ctx, token) : ({ status: 'invalid' } as const)
  if (!token || link.status === 'invalid') return visit.data('magic-link', { status: 'invalid' }, refused)
  const { status, email, isNewUser } = link
  const forNewUser = isNewUser ? visit.safeTarget(visit.query.get('newUserCallbackURL')) : undefined
  const callback = forNewUser ? { callbackURL: forNewUser } : callbackOf(visit, refused)
  return visit.data('magic-link', { status, email, ...callback, ...(status === 'ready' && { token }) }, refused)
}

/** Seconds until the page offers to send the mail again. */
const resendAfter = 30

/** "Check your email", until this browser has a session with that address. */
async function magicLinkSentPage(visit: Visit, refused?: PageState): Promise<PageData | Response> {
  const email = addressIn(refused?.values?.email ?? visit.query.get('email'))
  if (email === undefined) return visit.redirect('/sign-in')
  const callback = callbackOf(visit, refused)
  const session = await visit.session()
  if (session?.user.email === email.normalize('NFKC').toLowerCase()) return visit.redirect(callback.callbackURL ?? '/')
  const state = refused ?? doneState(visit, ['resent'], { form: 'magic-link' })
  return visit.data('magic-link-sent', { email, ...callback, codeLength: 6, resendAfter }, state)
}

async function forgotPasswordPage(visit: Visit, refused?: PageState): Promise<PageData> {
  const email = addressIn(visit.query.get('email'))
  const done = email === undefined ? undefined : doneState(visit, ['sent'], { values: { email } })
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

/** A map, not an object: the query is untrusted and may name a property that every object inherits. */
const verifyErrors: ReadonlyMap<string, 'expired' | 'user_not_found' | 'unauthorized'> = new Map([
  ['token_expired', 'expired'],
  ['user_not_found', 'user_not_found'],
  ['unauthorized', 'unauthorized'],
])

/**
 * "Check your email" with `?email`, otherwise the target of the mailed link, with `?error` if the link failed. Only
 * the browser with the outcome cookie sees what was sent or confirmed. The address for a new mail comes from the URL, the
 * session, or the awaited address of this browser.
 */
async function verifyEmailPage(visit: Visit, refused?: PageState): Promise<PageData | Response> {
  const error = visit.query.get('error')?.toLowerCase()
  const asked = addressIn(refused?.values?.email ?? visit.query.get('email'))
  const session = await visit.session()
  const own = session && !session.user.emailVerified ? session.user.email : undefined
  const outcome = readOutcomeCookie(visit.ctx, visit.caller)

  if (error !== undefined) {
    const email = asked ?? own ?? addressIn(awaitedAddress(visit))
    const status = verifyErrors.get(error) ?? 'invalid'
    return visit.data('verify-email', { status, ...(email && { email }) }, refused)
  }
  if (asked === undefined && outcome?.done === 'email-verified') {
    const { email } = outcome
    const signedInAs = session && session.user.email !== email ? { signedInAs: session.user.email } : {}
    // Without a session the visitor signs in first and sees the confirmation there.
    const callbackURL = session ? '/account' : '/sign-in?done=email-verified'
    return visit.data('verify-email', { status: 'verified', email, callbackURL, ...signedInAs })
  }
  const email = asked ?? own
  if (email !== undefined) {
    awaitAddress(visit, email)
    const isSent = outcome?.done === 'verification-sent' && outcome.email === email.normalize('NFKC').toLowerCase()
    const state = refused ?? (isSent ? doneState(visit, ['resent']) : undefined)
    return visit.data('verify-email', { status: isSent ? 'sent' : 'unconfirmed', email }, state)
  }
  return session ? visit.data('verify-email', { status: 'already' }) : visit.redirect('/sign-in')
}

/** The page of failed redirects. */
export function errorPageData(visit: Visit): PageData {
  const code = errorIn(visit)
  return visit.data('error', code ? { code } : {})
}

/** Whether the user is an administrator; not while impersonating. */
export const administers = ({ ctx }: Visit, { session, user }: SignedIn): boolean =>
  session.impersonatedBy === null && isAdministrator(ctx, user)

/** The sign-in page, with a callback to a path. */
export const signInAndBack = (path: string): string => `/sign-in?callbackURL=${encodeURIComponent(path)}`

/** Has a signed-out visitor sign in first and return. */
export const toSignIn = (visit: Visit): Response => visit.redirect(signInAndBack(visit.url.pathname + visit.url.search))

/** Whether the user has a password. */
export async function hasPassword({ ctx, caller }: Visit): Promise<boolean> {
  const current = await findCurrentSession(ctx, caller)
  if (!current) return false
  try {
    await requireCredentialAccount(ctx, current.user)
    return true
  } catch (error) {
    if (error instanceof TollgateError && error.error === 'CREDENTIAL_ACCOUNT_NOT_FOUND') return false
    throw error
  }
}

/** The callback, from the refused form or the URL. */
function callbackOf(visit: Visit, refused: PageState | undefined): { callbackURL?: string } {
  const callbackURL = visit.safeTarget(refused?.values?.callbackURL ?? visit.query.get('callbackURL'))
  return callbackURL ? { callbackURL } : {}
}

/** The form beside which an outcome appears, unless its page says another. */
const doneForms: Readonly<Partial<Record<PageDone, PageForm>>> = {
  sent: 'forgot-password',
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
  'ownership-transferred': 'organization-transfer',
  'member-updated': 'member-role',
  'member-removed': 'member-remove',
  'members-invited': 'invite-members',
  'invitation-resent': 'invitation-resend',
  'invitation-canceled': 'invitation-cancel',
  'link-created': 'link-create',
  'link-revoked': 'link-revoke',
  'join-approved': 'join-approve',
  'join-denied': 'join-deny',
  'domain-verified': 'domain-verify',
}

/** The outcome that the URL reports, if the page knows it. */
export function doneState(
  { query }: Visit,
  allowed: readonly PageDone[],
  further: Pick<PageState, 'form' | 'values'> = {},
): PageState | undefined {
  const done = allowed.find((each) => each === query.get('done'))
  const form = done && doneForms[done]
  return done && { done, ...(form && { form }), ...further }
}

/** An address from untrusted text, safe to show. */
function addressIn(text: string | null | undefined): string | undefined {
  const address = text?.trim() ?? ''
  return isAddress(address) ? address : undefined
}

/** The answer about a session that exists. */
export type SignedIn = NonNullable<SessionAnswer>
