import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { policyOrigin } from '@tollgate/contract/billing'
import { type Brand, brandOver } from '@tollgate/contract/brand'
import { type BrandTokens, brandTokens } from '@tollgate/contract/brand-tokens'
import type { PageData, RenderedPage } from '@tollgate/contract/pages'
import { captchaPolicy } from '../features/captcha/captcha.service.ts'
import { escapeHtml } from '../foundation/html.ts'
import { randomKey } from '../foundation/ids.ts'
import type { WebBuild } from './build.ts'

/** The page's background in both schemes, for the browser's own frame on a phone. */
const themeColors = { light: '#fbfaf7', dark: '#0b1213' } as const

const compress = promisify(gzip)

type PageInit = {
  readonly request: Headers
  /** The look of the installation. */
  readonly brand: Brand
  readonly status?: number
  readonly headers?: Record<string, string>
}

/** A page as a response: its document and its security headers. */
export async function pageAnswer(
  build: WebBuild,
  data: PageData,
  { request, brand, status = 200, headers = {} }: PageInit,
): Promise<Response> {
  const nonce = randomKey(16).toString('base64')
  const rendered = build.render(data)
  const text = documentOf(build, data, rendered, { nonce, tokens: brandTokens(brandOf(data, brand)) })
  const all = {
    ...headers,
    ...pageHeaders(nonce, formTarget(data), {
      ...(data.captcha && captchaPolicy(data.captcha.provider)),
      ...paymentPolicy(data),
      ...framing(data),
    }),
    ...(isPaidByStripe(data) && walletHeaders),
    'content-language': rendered.lang,
    vary: 'accept-encoding',
  }
  // Personal pages are not compressed: the length would reveal how far a guess in the URL matches (BREACH).
  const isPersonal = ['session', 'signedInAs', 'email', 'invitation', 'impersonation', 'checkout', 'due'].some(
    (name) => name in data,
  )
  if (isPersonal || !/\bgzip\b/.test(request.get('accept-encoding') ?? '')) {
    return new Response(text, { status, headers: all })
  }
  const body = new Uint8Array(await compress(text))
  return new Response(body, { status, headers: { ...all, 'content-encoding': 'gzip' } })
}

/** Further sources by directive of the content security policy. */
type Further = Readonly<Partial<Record<string, string>>>

/** Headers of every page. `target` is a trusted origin that a form may lead to, `further` the sources of a widget. */
export function pageHeaders(nonce: string, target?: string, further: Further = {}): Record<string, string> {
  const also = (directive: string) => (further[directive] === undefined ? '' : ` ${further[directive]}`)
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': [
      "default-src 'self'",
      `script-src 'self'${also('script-src')}`,
      `style-src 'self' 'nonce-${nonce}'${also('style-src')}`,
      "img-src 'self' https: data:",
      "font-src 'self'",
      `connect-src 'self'${also('connect-src')}`,
      ...(further['frame-src'] === undefined ? [] : [`frame-src ${further['frame-src']}`]),
      "object-src 'none'",
      "base-uri 'none'",
      `frame-ancestors ${further['frame-ancestors'] ?? "'none'"}`,
      // Browsers apply form-action to the redirect after a form as well.
      `form-action 'self'${target ? ` ${target}` : ''}`,
    ].join('; '),
    'x-content-type-options': 'nosniff',
    // With no-referrer a plain form sends `Origin: null`, which the origin check refuses.
    'referrer-policy': 'strict-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cache-control': 'no-store',
  }
}

/**
 * Sources of Stripe's form, only on the page with that form (docs.stripe.com/security/guide, "Content Security
 * Policy").
 */
const stripePolicy: Further = {
  'script-src': 'https://js.stripe.com https://*.js.stripe.com',
  'connect-src': 'https://api.stripe.com',
  'frame-src': 'https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
}

/** Some wallets pay in a window of their own, which answers the page that opened it. */
const walletHeaders = { 'cross-origin-opener-policy': 'same-origin-allow-popups' } as const

const isPaidByStripe = (data: PageData): boolean =>
  (data.page === 'checkout' && data.checkout.processor === 'stripe') ||
  (data.page === 'pay' && data.due.processor === 'stripe')

const paymentPolicy = (data: PageData): Further => (isPaidByStripe(data) ? stripePolicy : {})

/**
 * Only a checkout may be framed, and only by its embed origin. Older rows may hold an origin that no policy can name.
 */
function framing(data: PageData): Further {
  const origin = 'checkout' in data ? policyOrigin(data.checkout.embedOrigin ?? '') : null
  return origin === null ? {} : { 'frame-ancestors': origin }
}

/** The origin that a sign-in redirects to, if it is another one. */
const formTarget = (data: PageData): string | undefined =>
  ('callbackURL' in data && data.callbackURL && policyOrigin(data.callbackURL)) || undefined

/** The pages of a seller have the seller's look, and those that invite have their organization's. */
function brandOf(data: PageData, installation: Brand): Brand {
  const seller = sellerOf(data)
  return seller ? brandOver(seller.brand, installation) : installation
}

function sellerOf(data: PageData): { readonly brand: Brand } | undefined {
  if ('checkout' in data) return data.checkout.organization
  if (data.page === 'pay') return data.due.organization
  if (data.page === 'checkout-closed') return data.seller
  if (data.page === 'accept-invitation' || data.page === 'join-organization') return data.brand && { brand: data.brand }
  return data.page === 'pricing' ? data.storefront.organization : undefined
}

type Style = { readonly nonce: string; readonly tokens: BrandTokens }

function documentOf(build: WebBuild, data: PageData, page: RenderedPage, { nonce, tokens }: Style): string {
  const scheme = data.scheme ? ` data-scheme="${data.scheme}"` : ''
  const fonts = build.fonts(data.locale)
  // Modules run in document order: the captcha script comes first, so that the page finds it loaded.
  const names = page.script ? [...(data.captcha ? (['captcha'] as const) : []), page.script.entry] : []
  const bundles = names.map((name) => build.scripts(name))
  const imports = new Set(bundles.flatMap(([, ...others]) => others))
  return `<!doctype html>
<html lang="${page.lang}" dir="${page.dir}" data-tg="root"${scheme}>
<head>
${commonHead(page.title, data.scheme)}
${fonts.map((href) => `<link rel="preload" href="${href}" as="font" type="font/woff2" crossorigin>\n`).join('')}<style nonce="${nonce}">${build.style(page.style)}${brandStyle(tokens)}</style>
${bundles.map(([entry]) => `<script type="module" src="${entry}"></script>\n`).join('')}${[...imports].map((href) => `<link rel="modulepreload" href="${href}">\n`).join('')}</head>
<body>
${page.banner ?? ''}<div id="page">${page.html}</div>
<footer class="foot">${page.footer}</footer>
${page.script ? `<script id="props" type="application/json">${json(page.script.props)}</script>\n` : ''}</body>
</html>
`
}

/** Outside of all layers, so that it wins over the tokens of the components. */
function brandStyle(tokens: BrandTokens): string {
  const lines = Object.entries(tokens).map(([name, value]) => `${name}:${value}`)
  return lines.length === 0 ? '' : `[data-tg="root"]{${lines.join(';')}}`
}

/** What the head of every document of ours begins with. */
export const commonHead = (title: string, scheme: 'light' | 'dark' | undefined): string => `<meta charset="utf-8">
<title>${escapeHtml(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${scheme ?? 'light dark'}">
${themeColor(scheme)}
<meta name="robots" content="noindex">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">`

/** The browser's frame on a phone: in the chosen scheme, otherwise one color per scheme. */
function themeColor(scheme: 'light' | 'dark' | undefined): string {
  if (scheme) return `<meta name="theme-color" content="${themeColors[scheme]}">`
  return Object.entries(themeColors)
    .map(([name, color]) => `<meta name="theme-color" content="${color}" media="(prefers-color-scheme: ${name})">`)
    .join('\n')
}

/** JSON for a script element, escaped so that no value can close the element. */
export function json(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}

/** The answer while there is no build to render with. */
export function missingBuildAnswer(): Response {
  const nonce = randomKey(16).toString('base64')
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>The pages are not built</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<style nonce="${nonce}">body{max-width:34rem;margin:4rem auto;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif}</style>
</head>
<body>
<main>
<h1>The pages are not built</h1>
<p>The server runs and its API answers, but apps/web has not been built yet, so there are no pages to show.</p>
<p>Run <code>npm run build</code>, then load this page again.</p>
</main>
</body>
</html>
`
  return new Response(html, { status: 503, headers: { ...pageHeaders(nonce), 'retry-after': '10' } })
}
