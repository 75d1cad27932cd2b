import type { BillingCallName } from '@tollgate/contract/billing'
import type { billingSchemas } from '@tollgate/contract/billing-schemas'
import type { InstallationBrand } from '@tollgate/contract/brand'
import type { PageData, PageFrame, PageName, PageState } from '@tollgate/contract/pages'
import type { authSchemas } from '@tollgate/contract/schemas'
import type { SessionAnswer } from '@tollgate/contract/types'
import { type AuthInput, authApi } from '../features/auth-api.ts'
import { billingApi } from '../features/billing-api.ts'
import { captchaHeaders, captchaWidget } from '../features/captcha/captcha.service.ts'
import type { HandledCall } from '../features/identity/auth-handler.ts'
import { findBrand, usualBrand } from '../foundation/brand.repository.ts'
import type { Config } from '../foundation/config/config.ts'
import type { GuardableCall } from '../foundation/config/guarded-calls.ts'
import type { Context } from '../foundation/context.ts'
import type { CallInput } from '../foundation/http/api.ts'
import { type Caller, createCaller } from '../foundation/http/caller.ts'
import { dispatch } from '../foundation/http/dispatch.ts'
import type { AnswerOf } from '../foundation/http/handler.ts'
import type { RequestScope } from '../foundation/http/request.ts'
import type { WebBuild } from './build.ts'
import { pageAnswer } from './document.ts'
import { type Preferences, plainCookie, preferencesOf } from './preferences.ts'

/** The calls of each page's forms that a captcha may guard: such a form carries the widget. */
const guardedForms: Readonly<Partial<Record<PageName, readonly GuardableCall[]>>> = {
  'sign-in': ['signInEmail', 'signInUsername', 'signInMagicLink'],
  'sign-up': ['signUpEmail'],
  'forgot-password': ['requestPasswordReset'],
  'verify-email': ['sendVerificationEmail'],
  'magic-link-sent': ['signInMagicLink'],
  'account-profile': ['sendVerificationEmail'],
  'account-security': ['requestPasswordReset'],
}

/** One request for a page: the visitor, and the ways to answer. */
export type Visit = {
  readonly ctx: Context
  readonly build: WebBuild
  readonly url: URL
  /** The page's route, such as `/org/:slug/members`, and its parameters. */
  readonly route: string
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly headers: Headers
  /** The caller, for services that read its cookies. */
  readonly caller: Caller
  readonly preferences: Preferences
  /** Makes an API call as this visitor; the answer to the visit carries its cookies. */
  call<Name extends HandledCall>(name: Name, input?: AuthInput<Name>): Promise<AnswerOf<(typeof authSchemas)[Name]>>
  /** Makes a billing call as this visitor. */
  billing<Name extends BillingCallName>(
    name: Name,
    input: Pick<CallInput, 'body' | 'query' | 'params'>,
  ): Promise<AnswerOf<(typeof billingSchemas)[Name]>>
  /** Answers a GET request to an API as this visitor; undefined where no server serves the APIs. */
  readonly read: RequestScope['read']
  /** Passes the captcha answer of a posted form to the following calls. */
  answerCaptcha(values: Readonly<Record<string, string>>): void
  /** The session, read from the database once; null if the visitor is signed out. */
  session(): Promise<SessionAnswer>
  /** A path of ours or a URL of a trusted origin; undefined for any other value. */
  safeTarget(target: string | null | undefined): string | undefined
  /** Adds a cookie to the answer; `scope` is its path, and whether scripts may read it. */
  setCookie(name: string, value: string, maxAge: number, scope: string): void
  /** Answers with a page. */
  page(data: PageData, init?: { status?: number; headers?: Record<string, string> }): Promise<Response>
  /** Adds the visit's cookies to a response from elsewhere. */
  answer(response: Response): Response
  /** Redirects: with 302 from a page, with 303 after a form. */
  redirect(to: string, status?: 302 | 303): Response
  /** A page's data with the props of every page. */
  data<Name extends PageName>(
    page: Name,
    rest: Omit<PageData<Name>, keyof PageFrame | 'page'>,
    state?: PageState,
  ): PageData
}

/** The page of a failure is shown without a database, too. */
const brandOf = (ctx: Context): Promise<InstallationBrand> =>
  findBrand(ctx.db).catch((error: unknown) => {
    ctx.log.warn({ err: error }, 'The brand could not be read')
    return usualBrand
  })

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
    const done = await dispatch(ctx, authApi, name, { ...input, ...caller }, scope.origins)
    cookies.push(...done.caller.cookies.outgoing())
    return done.answer
  }
  const billing: Visit['billing'] = async (name, input) => {
    const caller = { headers, remoteAddress: scope.remoteAddress }
    const { answer } = await dispatch(ctx, billingApi, name, { ...input, ...caller }, scope.origins)
    return answer
  }
  const answer = (response: Response): Response => {
    for (const line of cookies) response.headers.append('set-cookie', line)
    return response
  }
  // Pages bypass the cookie cache, so that a session that ended elsewhere ends here at once.
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
    caller: createCaller(ctx, headers, ''),
    preferences,
    call,
    billing,
    read: scope.read,
    session: () => {
      session ??= headers.has('cookie') ? readSession() : Promise.resolve(null)
      return session
    },
    answerCaptcha: (values) => {
      sent = new Headers(headers)
      for (const [name, value] of Object.entries(captchaHeaders(config, values))) sent.set(name, value)
    },
    safeTarget: (target) => (target && scope.origins.isSafeTarget(target) ? target : undefined),
    setCookie: (...cookie) => void cookies.push(plainCookie(config, ...cookie)),
    answer,
    page: async (data, init = {}) => {
      const { logo, ...brand } = await brandOf(ctx)
      const branded = logo === null ? data : { ...data, logo }
      return answer(await pageAnswer(build, branded, { ...init, brand, request: headers }))
    },
    redirect: (to, status = 302) =>
      answer(
        new Response(null, {
          status,
          // Both the requested URL and the target may contain a token.
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
        ...fieldRules(config),
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

/** Whether an administrator impersonates a user: then every page, also without a session check, needs the way back. */
const impersonates = (headers: Headers): boolean => /(?:^|[;.\s])admin_session=/.test(headers.get('cookie') ?? '')

/** Reads the session if the page must show an impersonation. */
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

/** The rules of the fields that every form checks. */
export const fieldRules = (config: Config): Pick<PageFrame, 'passwordRules' | 'usernameRules'> => ({
  passwordRules: { min: config.emailAndPassword.minPasswordLength, max: config.emailAndPassword.maxPasswordLength },
  usernameRules: usernameRulesOf(config),
})

function usernameRulesOf({ username }: Config): PageFrame['usernameRules'] {
  if (username === false) return { min: 3, max: 30 }
  const { minUsernameLength: min, maxUsernameLength: max, usernameValidator } = username
  return { min, max, ...(usernameValidator && { custom: true }) }
}

/** The URL without the parameters of this one visit. A link to a path that begins with two slashes would name a host. */
function addressOf(url: URL): string {
  const path = url.pathname.replace(/^\/+/, '/')
  const query = new URLSearchParams(url.searchParams)
  for (const name of ['lang', 'scheme']) query.delete(name)
  return query.size > 0 ? `${path}?${query}` : path
}
