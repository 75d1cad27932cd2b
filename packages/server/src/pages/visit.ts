import type { BillingCallName } from '@tollgate/contract/billing'
import type { BillingAnswer } from '@tollgate/contract/billing-types'
import type { PageData, PageFrame, PageName, PageState } from '@tollgate/contract/pages'
import type { SessionAnswer } from '@tollgate/contract/types'
import { captchaHeaders, captchaWidget } from '../captcha/captcha.service.ts'
import type { drawnFor } from '../captcha/guarded.ts'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { type BillingInput, dispatchBilling } from '../http/billing-dispatch.ts'
import { type CallInput, type Dispatched, dispatch, type RoutedCall } from '../http/dispatch.ts'
import type { RequestScope } from '../http/request.ts'
import type { WebBuild } from './build.ts'
import { pageAnswer } from './document.ts'
import { type Preferences, preferencesOf } from './preferences.ts'

/** Calls that forms of a page make and that a captcha may guard: the widget stands in such a form. */
const guardedForms: Readonly<Partial<Record<PageName, readonly (typeof drawnFor)[number][]>>> = {
  'sign-in': ['signInEmail', 'signInUsername', 'signInMagicLink'],
  'sign-up': ['signUpEmail'],
  'forgot-password': ['requestPasswordReset'],
  'verify-email': ['sendVerificationEmail'],
  'magic-link-sent': ['signInMagicLink'],
  'account-profile': ['sendVerificationEmail'],
  'account-security': ['requestPasswordReset'],
}

/** One request for a page: what is known of the visitor, and the ways to answer. */
export type Visit = {
  readonly ctx: Context
  readonly build: WebBuild
  readonly url: URL
  /** Which of our pages this is, such as `/org/:slug/members`, and what stands in the address for its names. */
  readonly route: string
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly headers: Headers
  readonly preferences: Preferences
  /** Runs a call of the API as this visitor; its cookies go along with whatever is answered. */
  call<Name extends RoutedCall>(name: Name, input?: CallInput<Name>): Promise<Dispatched<Name>['answer']>
  /** Runs a call of the billing API as this visitor. */
  billing<Name extends BillingCallName>(
    name: Name,
    input: Pick<BillingInput, 'body' | 'query' | 'params'>,
  ): Promise<BillingAnswer<Name>>
  /** Hands the answer that a widget has put into a posted form on to the calls that follow. */
  answerCaptcha(values: Readonly<Record<string, string>>): void
  /** Who is signed in, read from the database and once; null for nobody. */
  session(): Promise<SessionAnswer>
  /** A path of ours or an address of a trusted origin; anything else counts as not given. */
  safeTarget(target: string | null | undefined): string | undefined
  /** A cookie that goes along with the answer. */
  setCookie(line: string): void
  /** Answers with a page. */
  page(data: PageData, init?: { status?: number; headers?: Record<string, string> }): Promise<Response>
  /** Answers with what somebody else has made, and the cookies of this visit. */
  answer(response: Response): Response
  /** Answers with another address: 302 for a page that was asked for, 303 after a form. */
  redirect(to: string, status?: 302 | 303): Response
  /** The data of a page with what every page has. */
  data<Name extends PageName>(
    page: Name,
    rest: Omit<PageData<Name>, keyof PageFrame | 'page'>,
    state?: PageState,
  ): PageData
}

export function createVisit(
  ctx: Context,
  build: WebBuild,
  scope: RequestScope,
  request: Request,
  { route, params }: Pick<Visit, 'route' | 'params'> = { route: '*', params: {} },
): Visit {
  const url = new URL(request.url)
  const query = url.searchParams
  const { headers } = request
  const { config } = ctx
  const preferences = preferencesOf(config, build.pageLocales, headers, query)
  const cookies: string[] = [...preferences.cookies]
  let session: Promise<SessionAnswer> | undefined
  let sent = headers
  let known: SessionAnswer = null

  const call: Visit['call'] = async (name, input = {}) => {
    const caller = { headers: sent, remoteAddress: scope.remoteAddress }
    const result = await dispatch(ctx, name, { ...input, ...caller }, scope.origins)
    cookies.push(...result.cookies)
    return result.answer
  }
  const billing: Visit['billing'] = async (name, input) => {
    const caller = { headers, remoteAddress: scope.remoteAddress }
    const { answer } = await dispatchBilling(ctx, name, { ...input, ...caller }, scope.origins)
    return answer
  }
  const answer = (response: Response): Response => {
    for (const line of cookies) response.headers.append('set-cookie', line)
    return response
  }
  // Nobody sees a page here whose session has just ended elsewhere: the copy in the cookie is not asked.
  const readSession = async (): Promise<SessionAnswer> => {
    known = (await call('getSession', { query: { disableCookieCache: 'true' } })) ?? null
    return known
  }

  return {
    ctx,
    build,
    url,
    route,
    params,
    query,
    headers,
    preferences,
    call,
    billing,
    session: () => {
      session ??= headers.has('cookie') ? readSession() : Promise.resolve(null)
      return session
    },
    answerCaptcha: (values) => {
      sent = new Headers(headers)
      for (const [name, value] of Object.entries(captchaHeaders(config, values))) sent.set(name, value)
    },
    safeTarget: (target) => (target && scope.origins.isSafeTarget(target) ? target : undefined),
    setCookie: (line) => void cookies.push(line),
    answer,
    page: async (data, init = {}) => answer(await pageAnswer(build, data, { ...init, request: headers })),
    redirect: (to, status = 302) =>
      answer(
        new Response(null, {
          status,
          // The address that was asked for may hold a token, and so may the one that it leads to.
          headers: { location: to, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
        }),
      ),
    data: (page, rest, state) => {
      const captcha = captchaWidget(config, guardedForms[page] ?? [])
      const frame: PageFrame = {
        locale: preferences.locale,
        appName: config.appName,
        mode: config.mode,
        basePath: config.basePath,
        address: addressOf(url),
        passwordRules: {
          min: config.emailAndPassword.minPasswordLength,
          max: config.emailAndPassword.maxPasswordLength,
        },
        usernameRules: usernameRulesOf(config),
        ...impersonationOf(known, ctx),
        ...(preferences.scheme && { scheme: preferences.scheme }),
        ...(config.mode === 'development' && { inbox: '/dev/inbox' }),
        ...(captcha && { captcha }),
        ...(state && { state }),
      }
      return { page, ...frame, ...rest } as PageData // a name and the members that the name asks for
    },
  }
}

/** Whether an administrator is at work who needs the way back on every page, also where nobody asks who is signed in. */
const impersonates = (headers: Headers): boolean => /(?:^|[;.\s])admin_session=/.test(headers.get('cookie') ?? '')

/** Reads the session where the page has to say that an administrator acts as somebody else. */
export async function readImpersonation(visit: Visit): Promise<void> {
  if (impersonates(visit.headers)) await visit.session()
}

function impersonationOf(answer: SessionAnswer, { clock }: Context): Pick<PageFrame, 'impersonation'> {
  if (!answer?.session.impersonatedBy) return {}
  const { user, session } = answer
  return {
    impersonation: { name: user.name || user.email, until: session.expiresAt, now: clock.now().toISOString() },
  }
}

function usernameRulesOf({ username }: Config): PageFrame['usernameRules'] {
  if (username === false) return { min: 3, max: 30 }
  const { minUsernameLength: min, maxUsernameLength: max, usernameValidator } = username
  return { min, max, ...(usernameValidator && { custom: true }) }
}

/** The address without what only this one visit was about. */
function addressOf(url: URL): string {
  const query = new URLSearchParams(url.searchParams)
  for (const name of ['lang', 'scheme']) query.delete(name)
  return query.size > 0 ? `${url.pathname}?${query}` : url.pathname
}
