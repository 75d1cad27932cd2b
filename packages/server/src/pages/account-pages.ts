import type { PageData, PageDone, PageState } from '@tollgate/contract/pages'
import { isFeatureOn } from '../features/features.ts'
import { readOutcomeCookie } from '../features/identity/outcome-cookie.service.ts'
import {
  administers,
  doneState,
  errorIn,
  hasPassword,
  type PageMaker,
  type PageMakers,
  providersOf,
  type SignedIn,
  signInAndBack,
} from './page-data.ts'
import type { Visit } from './visit.ts'

/** The pages of the account, by route. */
export const accountPageMakers: PageMakers = {
  '/account': accountPage(['saved', 'email-changed', 'email-requested', 'resent'], ({ visit, account, state }) =>
    visit.data('account-profile', account, state),
  ),
  '/account/security': accountPage(['password-changed', 'reset-mail-sent'], ({ visit, account, state }) =>
    visit.data('account-security', account, state),
  ),
  '/account/connections': accountPage(['account-linked', 'account-unlinked'], connectionsPage),
  '/account/sessions': accountPage(['session-revoked', 'sessions-revoked'], async ({ visit, account, state }) =>
    visit.data('account-sessions', { ...account, sessions: await visit.call('listSessions') }, state),
  ),
  '/account/delete': accountPage(['delete-mail-sent'], deletionPage),
  '/account/email-changed': emailChangedPage,
  '/account-deleted': accountDeletedPage,
}

const emailChangeErrors: ReadonlyMap<string, 'expired' | 'unauthorized'> = new Map([
  ['token_expired', 'expired'],
  ['unauthorized', 'unauthorized'],
])

/** The target of both mailed links of an address change; the outcome cookie says which one was followed. */
async function emailChangedPage(visit: Visit): Promise<PageData | Response> {
  const error = visit.query.get('error')?.toLowerCase()
  if (error !== undefined) return visit.data('email-changed', { status: emailChangeErrors.get(error) ?? 'invalid' })
  const outcome = readOutcomeCookie(visit.ctx, visit.caller)
  if (outcome?.done === 'email-changed') return visit.data('email-changed', { status: 'changed', email: outcome.email })
  if (outcome?.done === 'email-verified')
    return visit.data('email-changed', { status: 'verified', email: outcome.email })
  return visit.redirect((await visit.session()) ? '/account' : '/sign-in')
}

/** The page after a deletion, only for the browser that made it. */
async function accountDeletedPage(visit: Visit): Promise<PageData | Response> {
  const outcome = readOutcomeCookie(visit.ctx, visit.caller)
  if (await visit.session()) return visit.redirect('/account')
  return outcome?.done === 'account-deleted' ? visit.data('account-deleted', {}) : visit.redirect('/sign-in')
}

/** One request for an account page. */
export type AccountVisit = {
  readonly visit: Visit
  readonly session: SignedIn
  /** The props of every account page. */
  readonly account: Awaited<ReturnType<typeof accountOf>>
  readonly state: PageState | undefined
}

/** A page of the account. Signed-out visitors sign in first and return. */
export function accountPage(
  dones: readonly PageDone[],
  pageOf: (opened: AccountVisit) => PageData | Promise<PageData>,
): PageMaker {
  return async (visit, refused) => {
    const session = await visit.session()
    if (!session) return visit.redirect(signInAndBack(visit.url.pathname))
    const account = await accountOf(visit, session)
    const state = refused ?? doneState(visit, dones, { values: { email: session.user.email } })
    return pageOf({ visit, session, account, state })
  }
}

async function connectionsPage({ visit, account, state }: AccountVisit): Promise<PageData> {
  if (!account.features.connections) return visit.data('not-found', {})
  const error = errorIn(visit)
  const { enabled: mayLink, allowUnlinkingAll: mayUnlinkAll } = visit.ctx.config.account.accountLinking
  const accounts = await visit.call('listAccounts')
  const linking = { accounts, providers: providersOf(visit), mayUnlinkAll, mayLink }
  return visit.data(
    'account-connections',
    { ...account, ...linking, ...(error && !state?.code && !state?.fields && { error }) },
    state,
  )
}

async function deletionPage({ visit, session, account, state }: AccountVisit): Promise<PageData> {
  if (!account.features.deleteUser) return visit.data('not-found', {})
  const { blocking, ...ends } = await visit.ctx.organizationsOfUsers.previewDeletion(visit.ctx, session.user.id)
  // With organizations off there are no pages to link to; the form explains the refusal.
  const preview = { blocking: account.features.organizations ? blocking : [], ...ends }
  return visit.data('account-delete', { ...account, preview }, state)
}

/** Props of every account page. */
async function accountOf(visit: Visit, session: SignedIn) {
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
      organizations: isFeatureOn(config, 'organization'),
    },
  }
}
