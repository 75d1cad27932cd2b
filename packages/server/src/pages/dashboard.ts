import type { DashboardProps } from '@tollgate/contract/pages'
import { isAdministrator } from '../access.ts'
import { escapeHtml } from '../html.ts'
import { randomKey } from '../ids.ts'
import { json, pageHeaders, themeColor } from './document.ts'
import { type SignedIn, signInAndBack } from './page-data.ts'
import type { Visit } from './visit.ts'

/** Where the dashboard is; it reads the rest of its address itself. */
export const dashboardPaths = ['/admin', '/admin/*'] as const

/**
 * The document of the dashboard, for administrators. Whoever is not signed in does that first and comes back; whoever is
 * and administers nothing is told, as by every path that is none of ours, that there is nothing here.
 */
export async function dashboard(visit: Visit): Promise<Response> {
  const session = await visit.session()
  if (!session) return visit.redirect(signInAndBack(visit.url.pathname + visit.url.search))
  // Whoever acts as somebody else administers nothing meanwhile.
  const administers = session.session.impersonatedBy === null && isAdministrator(visit.ctx, session.user)
  if (!administers) return visit.page(visit.data('not-found', {}), { status: 404 })

  const nonce = randomKey(16).toString('base64')
  return visit.answer(
    new Response(documentOf(visit, propsOf(visit, session), nonce), {
      headers: { ...pageHeaders(nonce), 'content-language': 'en' },
    }),
  )
}

function propsOf({ ctx, preferences }: Visit, session: SignedIn): DashboardProps {
  const { config } = ctx
  const { minPasswordLength, maxPasswordLength, resetPassword, enabled } = config.emailAndPassword
  return {
    appName: config.appName,
    mode: config.mode,
    ...(preferences.scheme && { scheme: preferences.scheme }),
    basePath: config.basePath,
    session,
    now: ctx.clock.now().toISOString(),
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
      organizations: config.organization !== false,
    },
  }
}

/** Empty but for its frame: the browser draws it, from the calls that the visitor is allowed to make. */
function documentOf({ build, url, preferences: { scheme } }: Visit, props: DashboardProps, nonce: string): string {
  const { styles, fonts, scripts } = build.dashboard
  const [entry = '', ...imports] = [...scripts, ...build.dashboard.page(url.pathname)]
  return `<!doctype html>
<html lang="en" dir="ltr" data-tg="root"${scheme ? ` data-scheme="${scheme}"` : ''}>
<head>
<meta charset="utf-8">
<title>${escapeHtml(props.appName)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${scheme ?? 'light dark'}">
${themeColor(scheme)}
<meta name="robots" content="noindex">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<meta property="csp-nonce" nonce="${nonce}">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
${styles.map((href) => `<link rel="stylesheet" href="${href}">\n`).join('')}${fonts.map((href) => `<link rel="preload" href="${href}" as="font" type="font/woff2" crossorigin>\n`).join('')}<script type="module" src="${entry}"></script>
${imports.map((href) => `<link rel="modulepreload" href="${href}">\n`).join('')}</head>
<body>
<div id="page"></div>
<noscript><p>The dashboard needs JavaScript.</p></noscript>
<script id="props" type="application/json">${json(props)}</script>
</body>
</html>
`
}
