import { authCalls, type Call } from '@tollgate/contract/calls'
import type { PageData, PageForm, PageName, PageState } from '@tollgate/contract/pages'
import { mostPictureBytes } from '@tollgate/contract/picture'
import { type Handler, Hono } from 'hono'
import type { HandledCall } from '../features/identity/auth-handler.ts'
import type { Context } from '../foundation/context.ts'
import { TollgateError } from '../foundation/error.ts'
import { errorAnswer, retryHeaders, toResponse, toTollgateError } from '../foundation/http/answer.ts'
import { readFile, readText } from '../foundation/http/body.ts'
import { assertFormOrigin, createOrigins } from '../foundation/http/origin.ts'
import type { Incoming, RequestEnv, RequestScope } from '../foundation/http/request.ts'
import { withUploadPlace } from '../foundation/http/running-uploads.ts'
import { auditExports } from './audit-export.ts'
import { assetAnswer, hashedFiles, loadWebBuild } from './build.ts'
import { dashboardRoutes, startOf } from './dashboard.ts'
import { missingBuildAnswer } from './document.ts'
import { type Form, FormRefused } from './form.ts'
import { forms, postedForm } from './forms.ts'
import { errorPageData, type PageMaker, type PageMakers, signInAndBack, toSignIn } from './page-data.ts'
import { pageMakers } from './page-makers.ts'
import { createVisit, readImpersonation, type Visit } from './visit.ts'

/** Maximum form size in bytes, far above that of any form. */
const formLimit = 64 * 1024

/** The hosted pages, their forms and the build's files. */
export function pages(ctx: Context): Hono<RequestEnv> {
  const routes = new Hono<RequestEnv>()
  /** Answers with a notice until a build exists. */
  const withBuild =
    (route: string, answer: (visit: Visit) => Response | Promise<Response>): Handler<RequestEnv> =>
    async (c) => {
      const build = loadWebBuild()
      if (!build) return missingBuildAnswer()
      const flood = await refusedFlood(ctx, route, c.env)
      if (flood) return flood
      const visit = createVisit(ctx, build, c.env, c.req.raw, { route, params: c.req.param() })
      try {
        await readImpersonation(visit)
        return await answer(visit)
      } catch (cause) {
        const { method, path } = c.req
        return failureAnswer(visit, toTollgateError(cause, ctx.log, { request: c.env.id, method, path }))
      }
    }
  // Load the build now, not on the first request.
  loadWebBuild()

  routes.get(
    '/',
    withBuild('/', async (visit) => {
      // Mailed links without a callback of their own lead here, with an error if they failed.
      const error = visit.query.get('error')
      if (error) return visit.redirect(`/error?error=${encodeURIComponent(error)}`)
      const session = await visit.session()
      return visit.redirect(session ? await startOf(visit, session) : '/sign-in')
    }),
  )
  routes.get(`${ctx.config.basePath}/error`, withBuild('/error', errorPage))
  const makers = { ...pageMakers, ...auditExports, ...dashboardRoutes, ...formPaths }
  for (const [route, make] of Object.entries(makers)) {
    // All pages of the dashboard share one count.
    const counted = route in dashboardRoutes ? '*' : route
    routes.get(
      route,
      withBuild(counted, (visit) => showPage(visit, make)),
    )
  }
  for (const route of new Set(Object.values(forms).flatMap((form) => form.pages))) {
    routes.post(route, (c, next) => withBuild(route, (visit) => takeForm(visit, c.req.raw, c.env))(c, next))
  }
  routes.get('*', async (c, next) => {
    const asset = loadWebBuild()?.assets.get(c.req.path)
    if (asset) return assetAnswer(asset, c.req.raw.headers)
    if (/^\/[^/\\].*\/$/.test(c.req.path)) return withBuild('*', withoutSlash)(c, next)
    return withBuild('*', notFound)(c, next)
  })
  for (const route of Object.keys(pageMakers)) routes.all(route, withBuild('*', wrongMethod))
  routes.all('*', withBuild('*', notFound))
  return routes
}

/** The page of failed redirects, which lead below the API's base path; it depends on the URL alone. */
export const errorPage = (visit: Visit): Promise<Response> => visit.page(errorPageData(visit))

/**
 * A refused mailed link as a page, for browsers; programs get the API's JSON. A deletion without a session signs the
 * visitor in first and returns to the link.
 */
export async function refusedLink(
  ctx: Context,
  request: Incoming,
  error: TollgateError,
): Promise<Response | undefined> {
  const isVisit = request.method === 'GET' && request.headers.get('sec-fetch-mode') === 'navigate'
  const build = isVisit ? loadWebBuild() : undefined
  if (!build) return undefined
  const scope = { id: '', remoteAddress: '', origins: createOrigins(ctx.config) }
  const visit = createVisit(ctx, build, scope, request.asRequest())
  await readImpersonation(visit)
  if (error.error === 'DELETE_USER_NO_SESSION') return toSignIn(visit)
  const { status } = error.row
  return status >= 500
    ? failureAnswer(visit, error)
    : visit.page(visit.data('error', { code: error.code }), { status, headers: retryHeaders(error) })
}

const toAccount: PageMaker = async (visit) => visit.redirect('/account')

/** Routes that only take forms; reloading one redirects to the account. */
const formPaths: PageMakers = {
  '/sign-out': toAccount,
  '/stop-impersonating': toAccount,
  '/organizations/switch': toAccount,
}

/**
 * Counts page views and posted forms by the general limit. Above it the answer is a line of text, because rendering
 * pages is the cost of a flood. All unknown paths share one count, as do all addresses of one route.
 */
async function refusedFlood(
  ctx: Context,
  route: string,
  { remoteAddress }: RequestScope,
): Promise<Response | undefined> {
  try {
    await ctx.limits.request(`page ${route}`, remoteAddress)
    return undefined
  } catch (error) {
    if (!(error instanceof TollgateError)) throw error
    const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', ...retryHeaders(error) }
    return new Response(error.message, { status: error.row.status, headers })
  }
}

/** Every path that `pages` answers, as router patterns; build files are below the last one. */
export const pagePaths: readonly string[] = [
  ...[pageMakers, auditExports, dashboardRoutes, formPaths].flatMap(Object.keys),
  ...Object.values(forms).flatMap((form) => form.pages),
  hashedFiles,
]

/** The status of pages that replace the requested one. */
const pageStatus: Readonly<Partial<Record<PageName, number>>> = {
  'not-found': 404,
  'organization-unverified': 403,
  'checkout-closed': 410,
  'pay-closed': 404,
}

/** The fixture that the URL names, in development mode. Loaded on demand, so that production holds none of them. */
async function fixtureOf(visit: Visit): Promise<PageData | undefined> {
  if (visit.ctx.config.mode !== 'development' || !visit.query.has('fixture')) return undefined
  const fixtures = await import('./testing/fixtures.ts')
  return fixtures.fixtureOf(visit)
}

/** `make` belongs to the route, because the URL may spell the same path differently. */
async function showPage(visit: Visit, make: PageMaker): Promise<Response> {
  const fixture = await fixtureOf(visit)
  if (fixture) return visit.page(fixture)
  const page = await make(visit)
  return page instanceof Response ? page : visit.page(page, { status: pageStatus[page.page] ?? 200 })
}

/** Handles a posted form: redirects on success, shows the page again with the reason on refusal. */
async function takeForm(
  visit: Visit,
  request: Request,
  { origins, remoteAddress }: RequestEnv['Bindings'],
): Promise<Response> {
  const path = visit.url.pathname
  let name: PageForm | undefined
  let values: Record<string, string> = {}
  try {
    assertFormOrigin(origins, request.headers)
    const uploading = uploadCall(visit, request)
    const sent: Upload = uploading
      ? await readUpload(visit, request, remoteAddress, uploading)
      : { values: await readForm(request) }
    values = sent.values
    name = postedForm(visit.route, values.form)
    if (!name) throw new TollgateError('VALIDATION_ERROR')
    visit.answerCaptcha(values)
    const outcome = await forms[name].submit(visit, values, sent.file)
    if ('to' in outcome) return visit.redirect(outcome.to, 303)
    // A header, because the page's form-action policy applies to every redirect after a form.
    if ('page' in outcome) return await visit.page(outcome.page, { headers: { refresh: `0; url=${outcome.refresh}` } })
    return await samePage(visit, 200, { form: name, ...outcome.state })
  } catch (cause) {
    if (cause instanceof FormRefused && name)
      return samePage(visit, 400, { form: name, ...cause.state, ...kept(name, values) })
    if (!(cause instanceof TollgateError)) throw cause
    if (cause.error === 'UNAUTHORIZED') return visit.redirect(signInAndBack(path), 303)
    const { code, message, retryAfter, row } = cause
    const state = { code, message, ...(name && { form: name }), ...(retryAfter !== undefined && { retryAfter }) }
    return await samePage(visit, row.status, { ...state, ...(name && kept(name, values)) }, retryHeaders(cause))
  }
}

/** The form's page with its state, or the failure page for a route without a page. */
async function samePage(
  visit: Visit,
  status: number,
  state: PageState,
  headers: Record<string, string> = {},
): Promise<Response> {
  const make = pageMakers[visit.route]
  const page = make ? await make(visit, state) : visit.data('failure', { code: state.code ?? '' })
  if (page instanceof Response) return page
  return visit.page(page, { status: pageStatus[page.page] ?? status, headers })
}

/** The submitted values that a refused form shows again. */
function kept(name: PageForm, values: Readonly<Record<string, string>>): { values: Record<string, string> } {
  const isKept = (field: string) =>
    forms[name].kept.some((each) => (each.endsWith('.') ? field.startsWith(each) : field === each))
  return { values: Object.fromEntries(Object.entries(values).filter(([field]) => isKept(field))) }
}

/** The fields of a form; of several with one name the first counts. */
async function readForm(request: Request): Promise<Record<string, string>> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type)) throw new TollgateError('UNSUPPORTED_MEDIA_TYPE')
  const values: Record<string, string> = Object.create(null)
  for (const [field, value] of new URLSearchParams(await readText(request, formLimit))) values[field] ??= value
  return values
}

/** The call that takes the file which is sent to a page; undefined without a file, or if the page takes none. */
const uploadCall = ({ route }: Visit, { headers }: Request): Form['takesFile'] =>
  /^multipart\/form-data\s*;/i.test(headers.get('content-type') ?? '')
    ? Object.values(forms).find(({ takesFile, pages }) => takesFile && pages.includes(route))?.takesFile
    : undefined

type Upload = { readonly values: Record<string, string>; readonly file?: Blob | undefined }

/**
 * A form with a file. Only signed-in users upload, so that visitors cannot fill the memory. The upload counts before it
 * is read, also if it turns out to be no form.
 */
async function readUpload(
  visit: Visit,
  request: Request,
  remoteAddress: string,
  uploading: HandledCall,
): Promise<Upload> {
  const session = await visit.session()
  if (!session) throw new TollgateError('UNAUTHORIZED')
  const { path, limit }: Call = authCalls[uploading]
  await visit.ctx.limits.request(path, remoteAddress, limit)
  const type = request.headers.get('content-type') ?? ''
  const read = () => readFile(request.body, mostPictureBytes + formLimit)
  const bytes = await withUploadPlace(session.user.id, read).catch((cause: unknown) => {
    const isTooLarge = cause instanceof TollgateError && cause.error === 'BODY_TOO_LARGE'
    throw isTooLarge ? new TollgateError('PICTURE_TOO_LARGE', { cause }) : cause
  })
  const fields = await new Response(bytes, { headers: { 'content-type': type } }).formData().catch((cause: unknown) => {
    throw new TollgateError('MALFORMED_REQUEST', { cause })
  })
  const values: Record<string, string> = Object.create(null)
  let file: Blob | undefined
  for (const [field, value] of fields) {
    if (typeof value === 'string') values[field] ??= value
    else file ??= value
  }
  // The call itself counts it again.
  if (file) await visit.ctx.limits.takeBack(path, remoteAddress, limit)
  return { values, file }
}

/** Redirects a URL with a trailing slash to the one without. */
const withoutSlash = (visit: Visit): Response =>
  visit.redirect(visit.url.pathname.replace(/\/+$/, '') + visit.url.search)

const notFound = (visit: Visit): Promise<Response> => nothingHere(visit, 'NOT_FOUND')
const wrongMethod = (visit: Visit): Promise<Response> => nothingHere(visit, 'METHOD_NOT_ALLOWED')

/** Clients that ask for JSON get JSON; all others get a page. */
async function nothingHere(visit: Visit, name: 'NOT_FOUND' | 'METHOD_NOT_ALLOWED'): Promise<Response> {
  const accept = visit.headers.get('accept') ?? ''
  const wantsJson = accept.includes('json') && !accept.includes('html')
  const error = new TollgateError(name)
  return wantsJson
    ? toResponse(errorAnswer(error))
    : visit.page(visit.data('not-found', {}), { status: error.row.status })
}

function failureAnswer(visit: Visit, error: TollgateError): Promise<Response> {
  const data = visit.data('failure', { code: error.code })
  return visit.page(data, { status: error.row.status, headers: retryHeaders(error) })
}
