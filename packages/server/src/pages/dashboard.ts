import { splitRoles } from '@tollgate/contract/calls'
import type {
  DashboardAdministration,
  DashboardProps,
  DashboardSeller,
  DrawnDashboard,
  PageData,
  PageLocale,
} from '@tollgate/contract/pages'
import { isSellingDecided } from '../features/billing/merchant/approval.service.ts'
import { organizationMaySell } from '../features/billing/merchant/may-sell.service.ts'
import { isFeatureOn } from '../features/features.ts'
import { organizationConfig, permissionsOf, predefinedRoles } from '../features/organization/membership.ts'
import { listOwnMemberships, type OwnMembership } from '../features/organization/overview.service.ts'
import { randomKey } from '../foundation/ids.ts'
import { commonHead, json, pageHeaders } from './document.ts'
import { liveRoutes } from './live.ts'
import { membershipIn, organizationFor, peopleCounts } from './organization-pages.ts'
import { administers, type PageMakers, type SignedIn, toSignIn, whileOn } from './page-data.ts'
import { dashboardFor, dashboardOf, isSandbox, sells } from './selling.ts'
import type { Visit } from './visit.ts'

/** The dashboard's routes; its own router handles the rest of the path. */
export const dashboardRoutes: PageMakers = {
  '/admin': administration,
  '/admin/*': administration,
  ...liveRoutes,
  ...whileOn('billing', {
    '/dashboard': ownDashboard,
    '/dashboard/:slug': seller,
    '/dashboard/:slug/*': seller,
  }),
}

/**
 * The document for administrators. Signed-out visitors sign in first and return. Other users get the same 404 as for
 * any unknown path.
 */
async function administration(visit: Visit): Promise<PageData | Response> {
  const session = await visit.session()
  if (!session) return toSignIn(visit)
  if (!administers(visit, session)) return visit.data('not-found', {})
  return documentAnswer(visit, { ...frameOf(visit, session), administration: administrationOf(visit) })
}

/**
 * The document for members with any selling permission. Everyone else, and every visitor while billing is off, gets a
 * 404, whether the organization exists or not.
 */
async function seller(visit: Visit): Promise<PageData | Response> {
  const session = await visit.session()
  if (!session) return toSignIn(visit)
  const organization = await organizationFor(visit, session)
  if ('page' in organization) return organization
  const membership = await membershipIn(visit, organization.id)
  if (!sells(permissionsOf(membership))) return visit.data('not-found', {})
  const { id, name, slug, logo } = organization
  const shown: DashboardSeller = {
    organization: { id, name, slug, logo },
    counts: await peopleCounts(visit, id),
    permissions: permissionsOf(membership),
    maySell: await organizationMaySell(visit.ctx, id),
    teams: organizationConfig(visit.ctx).teams.enabled,
    sandbox: isSandbox(visit.ctx),
    organizations: await ownOrganizations(visit, session),
    isUntaxed: visit.ctx.tax.kind === 'none',
    administers: administers(visit, session),
    impersonated: membership.isImpersonated,
    hidesFirstSteps: (visit.headers.get('cookie') ?? '').includes(`tollgate_first_steps_${id}=hidden`),
  }
  return documentAnswer(visit, { ...frameOf(visit, session), seller: shown })
}

/** Redirects to the dashboard of the active organization, otherwise of the first one that the user may sell in. */
async function ownDashboard(visit: Visit): Promise<PageData | Response> {
  const session = await visit.session()
  if (!session) return toSignIn(visit)
  const selling = (await ownOrganizations(visit, session)).filter(({ sells }) => sells)
  const active = selling.find(({ id }) => id === session.session.activeOrganizationId) ?? selling[0]
  return active ? visit.redirect(dashboardOf(active.slug)) : visit.data('not-found', {})
}

/**
 * Where a user begins: the dashboard of their active organization, or of the first one that sells and that they may act
 * in; the account of everyone else.
 */
export async function startOf(visit: Visit, { session, user }: SignedIn): Promise<string> {
  const { ctx } = visit
  if (!isFeatureOn(ctx.config, 'organization') || !isFeatureOn(ctx.config, 'billing')) return '/account'
  const isOpen = ({ organization }: OwnMembership) => user.emailVerified || !organization.requireVerifiedEmail
  const own = (await listOwnMemberships(ctx, user.id)).filter(isOpen).map(({ organization }) => organization)
  const active = own.filter(({ id }) => id === session.activeOrganizationId)
  for (const organization of new Set([...active, ...own])) {
    const { dashboard } = await dashboardFor(ctx, organization, await membershipIn(visit, organization.id))
    if (dashboard) return dashboard
  }
  return '/account'
}

/** The user's organizations. Whether they may sell is by predefined role; opening one checks its custom roles. */
async function ownOrganizations({ ctx }: Visit, { user }: SignedIn): Promise<DashboardSeller['organizations']> {
  const roles = predefinedRoles(ctx)
  const maySell = (name: string) => {
    const role = roles.get(name)
    return role === undefined || sells(role.statements)
  }
  const memberships = await listOwnMemberships(ctx, user.id)
  return memberships.map(({ organization: { id, name, slug, logo }, role }) => ({
    id,
    name,
    slug,
    logo,
    sells: splitRoles(role).some(maySell),
  }))
}

const frameOf = ({ ctx: { config, clock }, preferences, headers }: Visit, session: SignedIn): DashboardProps => ({
  appName: config.appName,
  mode: config.mode,
  ...(preferences.scheme && { scheme: preferences.scheme }),
  basePath: config.basePath,
  session,
  origin: config.baseURL.origin,
  now: clock.now().toISOString(),
  zone: zoneIn(headers),
})

/** The time zone that the visitor's last page has kept in a cookie; UTC on a first visit. */
function zoneIn(headers: Headers): string {
  const [, kept = ''] = /(?:^|;\s*)tollgate_zone=([\w%+-]+)/.exec(headers.get('cookie') ?? '') ?? []
  try {
    return new Intl.DateTimeFormat('en', { timeZone: decodeURIComponent(kept) }).resolvedOptions().timeZone
  } catch {
    return 'UTC'
  }
}

function administrationOf({ ctx }: Visit): DashboardAdministration {
  const { config } = ctx
  const { minPasswordLength, maxPasswordLength, resetPassword, enabled } = config.emailAndPassword
  return {
    roles: [...new Set([config.admin.defaultRole, ...config.admin.adminRoles])],
    providers: [
      'credential',
      ...Object.keys(config.socialProviders),
      ...config.genericOAuth.map(({ providerId }) => providerId),
    ],
    passwordRules: { min: minPasswordLength, max: maxPasswordLength },
    features: {
      username: config.username !== false,
      resetPassword: enabled && resetPassword,
      organizations: isFeatureOn(config, 'organization'),
      billing: config.billing !== false,
      selling: isSellingDecided(ctx),
    },
  }
}

/** The languages of the dashboard (docs/translating.md). Visitors with another one read English. */
const languages: readonly PageLocale[] = ['en', 'de']

const languageFor = ({ preferences: { locale } }: Visit): PageLocale => (languages.includes(locale) ? locale : 'en')

async function documentAnswer(visit: Visit, props: DashboardProps): Promise<Response> {
  const nonce = randomKey(16).toString('base64')
  const language = languageFor(visit)
  const drawn = await drawnFor(visit, props, language, nonce)
  return visit.answer(
    new Response(documentOf(visit, props, drawn, language, nonce), {
      headers: { ...pageHeaders(nonce), 'content-language': language },
    }),
  )
}

/**
 * The first picture, from the calls that the visitor may make. Without one, the browser draws the page from the start: a
 * fault of the picture is no reason to show none.
 */
async function drawnFor(
  { build, ctx, read, url }: Visit,
  props: DashboardProps,
  language: PageLocale,
  nonce: string,
): Promise<DrawnDashboard | undefined> {
  if (!read) return undefined
  const ask: typeof fetch = (target) => read(pathAndQuery(new URL(String(target))))
  try {
    return await build.dashboard.draw(language, { props, address: pathAndQuery(url), nonce, ask })
  } catch (err) {
    ctx.log.error({ err, path: url.pathname }, 'Drawing the dashboard failed')
    return undefined
  }
}

const pathAndQuery = ({ pathname, search }: URL): string => pathname + search

/** The frame with the first picture, and the data that the browser goes on with. */
function documentOf(
  { build, url, preferences: { scheme } }: Visit,
  props: DashboardProps,
  drawn: DrawnDashboard | undefined,
  language: PageLocale,
  nonce: string,
): string {
  const { styles, scripts, pageScripts } = build.dashboard
  const [entry = '', ...imports] = [...scripts, ...pageScripts(url.pathname)]
  // Module scripts run in the order of the document: the texts are there when the dashboard starts.
  const started = [...build.dashboard.texts(language), entry]
  const tags = (urls: readonly string[], tag: (url: string) => string) => urls.map((url) => `${tag(url)}\n`).join('')
  const loads =
    tags(started, (src) => `<script type="module" src="${src}"></script>`) +
    tags(imports, (href) => `<link rel="modulepreload" href="${href}">`)
  // A picture is seen sooner when the scripts do not share the line with it.
  return `<!doctype html>
<html lang="${language}" dir="ltr" data-tg="root" data-mantine-color-scheme="${scheme ?? 'light'}"${scheme ? ` data-scheme="${scheme}"` : ''}>
<head>
${commonHead(props.appName, scheme)}
<meta property="csp-nonce" nonce="${nonce}">
${tags(styles, (href) => `<link rel="stylesheet" href="${href}">`)}${tags(build.dashboard.fonts, (href) => `<link rel="preload" href="${href}" as="font" type="font/woff2" crossorigin>`)}${drawn ? `<style nonce="${nonce}">${drawn.style}</style>\n` : loads}</head>
<body>
<div id="page">${drawn?.html ?? ''}</div>
${drawn ? loads : ''}<noscript><p lang="en">The dashboard needs JavaScript.</p></noscript>
<script id="props" type="application/json">${json(props)}</script>
${drawn ? `<script id="data" type="application/json">${json(drawn.data)}</script>\n` : ''}</body>
</html>
`
}
