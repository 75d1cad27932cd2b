import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DashboardRenderer, PageLocale, PageRenderer, PageScript, PageStyle } from '@tollgate/contract/pages'

/** A file of the build, with the compressed forms that the build made. */
export type Asset = {
  readonly type: string
  /** The ETag, a hash of the content; a compressed form appends its encoding. */
  readonly tag: string
  readonly body: Buffer
  readonly brotli: Buffer | undefined
  readonly gzip: Buffer | undefined
  /** The name contains a hash of the content, so caches may keep the file forever. */
  readonly hashed: boolean
}

/** The web app's build, read once at start. */
export type WebBuild = PageRenderer & {
  /** By URL path, such as `/assets/front-door-….js`. */
  readonly assets: ReadonlyMap<string, Asset>
  /** The text of a style sheet, to inline in the page. */
  style(name: PageStyle): string
  /** The URLs of a bundle: its entry first, then its imports. */
  scripts(name: PageScript): readonly string[]
  /** The URLs that every dashboard page loads: style sheets, fonts, and the entry before its imports. */
  readonly dashboard: {
    /** Draws the first picture of a page in one of the dashboard's languages. */
    draw(language: PageLocale, input: Parameters<DashboardRenderer['draw']>[0]): ReturnType<DashboardRenderer['draw']>
    readonly styles: readonly string[]
    readonly fonts: readonly string[]
    readonly scripts: readonly string[]
    /** The URLs of the further scripts of the page at a path; none for unknown paths. */
    pageScripts(path: string): readonly string[]
    /** The URLs of a language's texts, which load before the entry; none for English, which the scripts hold. */
    texts(language: PageLocale): readonly string[]
  }
  /** The URLs of the files of the API reference. */
  readonly reference: { readonly style: string; readonly script: string; readonly fonts: readonly string[] }
  /** The URLs of the fonts to preload for a language. */
  fonts(locale: PageLocale): readonly string[]
}

/** `dist` has it as a sibling in the published package; in the repository it is in apps/web. */
const places = ['../../web/', '../../../../apps/web/dist/'].map((place) =>
  fileURLToPath(new URL(place, import.meta.url)),
)

/** The folder of files whose names contain a content hash. */
export const hashedFiles = '/assets/'

let loaded: WebBuild | undefined

/** The build, or undefined while there is none; each call then looks again. */
export function loadWebBuild(): WebBuild | undefined {
  if (loaded) return loaded
  const place = places.find((each) => existsSync(path.join(each, 'ssr', 'server.js')))
  loaded = place === undefined ? undefined : readWebBuild(place)
  return loaded
}

/** Replaces the build: `npm run dev` serves pages straight from their sources. */
export function replaceWebBuild(build: WebBuild): void {
  loaded = build
}

type Chunk = {
  readonly file: string
  readonly src?: string
  readonly imports?: readonly string[]
}

/** Looks up the build's output by source. */
type Manifest = {
  chunk(source: string): Chunk
  /** A source's chunk and those that it imports, each once. */
  chunks(source: string): readonly Chunk[]
  /** The URL of the font file of a subset, in the family of all texts or in another. */
  font(subset: string, family?: string): string
}

const address = ({ file }: Chunk) => `/${file}`

function readManifest(folder: string): Manifest {
  const manifest: Readonly<Record<string, Chunk>> = JSON.parse(
    readFileSync(path.join(folder, '.vite', 'manifest.json'), 'utf8'),
  )
  const chunk = (source: string): Chunk => {
    const found = manifest[source]
    if (!found) throw new Error(`The web build in ${folder} has no ${source}: rebuild it with npm run build`)
    return found
  }
  const chunks = (source: string): Chunk[] => {
    const own = chunk(source)
    return [...new Set([own, ...(own.imports ?? []).flatMap(chunks)])]
  }
  return {
    chunk,
    chunks,
    font: (subset, family = 'onest') => {
      const found = Object.values(manifest).find(({ src }) => src?.endsWith(`/${family}-${subset}-wght-normal.woff2`))
      if (!found) throw new Error(`The web build in ${folder} has no font for ${subset}`)
      return address(found)
    },
  }
}

/** The font subset of a language, besides basic Latin. */
const subsets: Readonly<Partial<Record<PageLocale, string>>> = {
  pl: 'latin-ext',
  ru: 'cyrillic',
  tr: 'latin-ext',
  uk: 'cyrillic',
}

/** Reads the build in a folder; throws if a file is missing. */
export function readWebBuild(folder: string): WebBuild {
  const client = path.join(folder, 'client')
  const dashboard = path.join(folder, 'dashboard')
  const { chunk, chunks, font } = readManifest(client)
  const style = (name: PageStyle) =>
    readFileSync(path.join(client, chunk(`src/hosted/${name}.css`).file), 'utf8').trim()
  const styles = {
    'front-door': style('front-door'),
    account: style('account'),
    organization: style('organization'),
    checkout: style('checkout'),
    pricing: style('pricing'),
  }
  const script = (name: PageScript) => chunks(`src/hosted/${name}.client.tsx`).map(address)
  const scripts = {
    'sign-in': script('sign-in'),
    'sign-up': script('sign-up'),
    'mail-door': script('mail-door'),
    account: script('account'),
    organization: script('organization'),
    joining: script('joining'),
    checkout: script('checkout'),
    receipt: script('receipt'),
    pay: script('pay'),
    captcha: script('captcha'),
  }
  const latin = font('latin')
  const mono = font('latin', 'geist-mono')
  const furtherFonts = new Map(Object.entries(subsets).map(([locale, subset]) => [locale, font(subset)]))

  return {
    ...loadRenderer(path.join(folder, 'ssr', 'server.js')),
    assets: new Map([...readAssets(client), ...readAssets(dashboard)]),
    style: (name) => styles[name],
    scripts: (name) => scripts[name],
    dashboard: { ...readDashboard(dashboard), draw: drawerIn(path.join(folder, 'dashboard-server')) },
    reference: {
      style: address(chunk('src/reference/reference.css')),
      script: address(chunk('src/reference/reference.client.ts')),
      fonts: [latin, mono],
    },
    fonts: (locale) => [latin, furtherFonts.get(locale)].filter((each) => each !== undefined),
  }
}

/** The dashboard's pages, so that the document preloads the right chunk before the router asks for it. */
const dashboardPages: readonly (readonly [path: RegExp, source: string])[] = [
  [/^\/admin\/?$/, 'admin/home/home'],
  [/^\/admin\/users\/?$/, 'admin/users/users'],
  [/^\/admin\/users\/[^/]+$/, 'admin/users/user'],
  [/^\/admin\/organizations\/?$/, 'admin/organizations/organizations'],
  [/^\/admin\/organizations\/[^/]+$/, 'admin/organizations/organization'],
  [/^\/admin\/audit\/?$/, 'admin/audit/audit'],
  [/^\/admin\/jobs\/?$/, 'admin/jobs/jobs'],
  [/^\/admin\/disputes\/?$/, 'admin/disputes/disputes'],
  [/^\/admin\/attention\/?$/, 'admin/attention/attention'],
  [/^\/admin\/brand\/?$/, 'admin/brand/brand'],
  [/^\/dashboard\/[^/]+\/?$/, 'overview/overview'],
  ...[
    'products',
    'customers',
    'orders',
    'subscriptions',
    'payments',
    'discounts',
    'checkout-links',
    'custom-fields',
    'meters',
  ].flatMap(listAndItem),
  ...['activity', 'refunds', 'tokens', 'tax', 'settings'].map((page) => sellerPage(page, `${page}/${page}`)),
  sellerPage('processors', 'payments/processors'),
  sellerPage('refunds/disputes', 'refunds/disputes'),
  sellerPage('webhooks', 'webhooks/webhooks'),
  sellerPage('webhooks/(new|[^/]+/edit)', 'webhooks/webhook-editor'),
  sellerPage('webhooks/[^/]+', 'webhooks/webhook'),
  sellerPage('webhooks/[^/]+/deliveries/[^/]+', 'webhooks/webhook-delivery'),
]

function sellerPage(path: string, source: string): [RegExp, string] {
  return [new RegExp(`^/dashboard/[^/]+/${path}/?$`), `seller/${source}`]
}

/** A list page and the page of one item. */
function listAndItem(list: string): [RegExp, string][] {
  return [sellerPage(list, `${list}/${list}`), sellerPage(`${list}/[^/]+`, `${list}/${list.replace(/s$/, '')}`)]
}

function readDashboard(folder: string): Omit<WebBuild['dashboard'], 'draw'> {
  const { chunk, chunks, font } = readManifest(folder)
  const main = chunks('src/dashboard/main.tsx')
  const pages = dashboardPages.map(([path, name]) => {
    const own = chunks(`src/dashboard/${name}.page.tsx`).filter((each) => !main.includes(each))
    return { path, scripts: own.map(address) }
  })
  return {
    styles: [address(chunk('style.css'))],
    fonts: [font('latin')],
    scripts: main.map(address),
    pageScripts: (path) => pages.find((page) => page.path.test(path))?.scripts ?? [],
    texts: (language) => (language === 'en' ? [] : chunks(`src/dashboard/locales/${language}.ts`).map(address)),
  }
}

/** `require` loads it before the first request, and test runners leave the bundle untransformed. */
function loadRenderer(file: string): PageRenderer {
  const { pageLocales, render, confirmsDeletion }: PageRenderer = createRequire(import.meta.url)(file) // its own export
  return { pageLocales, render, confirmsDeletion }
}

/** A language is loaded at its first drawing: many servers never draw a dashboard. */
function drawerIn(folder: string): WebBuild['dashboard']['draw'] {
  const renderers = new Map<PageLocale, DashboardRenderer>()
  return async (language, input) => {
    const file = path.join(folder, language === 'en' ? '' : language, 'server.js')
    const renderer: DashboardRenderer = renderers.get(language) ?? createRequire(import.meta.url)(file) // its own export
    renderers.set(language, renderer)
    return renderer.draw(input)
  }
}

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

function readAssets(folder: string): Map<string, Asset> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => file.replaceAll('\\', '/'))
  const compressed = (file: string, ending: string) =>
    files.includes(file + ending) ? readFileSync(path.join(folder, file + ending)) : undefined
  const assets = files.flatMap((file): [string, Asset][] => {
    const type = types[path.extname(file)]
    if (type === undefined || file.startsWith('.vite/')) return []
    const body = readFileSync(path.join(folder, file))
    const tag = createHash('sha256').update(body).digest('base64url').slice(0, 22)
    const address = `/${file}`
    const hashed = address.startsWith(hashedFiles)
    return [[address, { type, tag, body, brotli: compressed(file, '.br'), gzip: compressed(file, '.gz'), hashed }]]
  })
  return new Map(assets)
}

/** Answers a request for a build file, compressed as the client accepts. */
export function assetAnswer(asset: Asset, headers: Headers): Response {
  const accepted = headers.get('accept-encoding') ?? ''
  const chosen =
    asset.brotli && /\bbr\b/.test(accepted)
      ? { body: asset.brotli, encoding: 'br' }
      : asset.gzip && /\bgzip\b/.test(accepted)
        ? { body: asset.gzip, encoding: 'gzip' }
        : { body: asset.body, encoding: undefined }
  const etag = `"${asset.tag}${chosen.encoding ? `-${chosen.encoding}` : ''}"`
  const common: Record<string, string> = {
    'cache-control': asset.hashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
    'x-content-type-options': 'nosniff',
    // An SVG that is opened directly is a document of this origin: it must not run scripts.
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    'cross-origin-resource-policy': 'same-origin',
    vary: 'accept-encoding',
    etag,
  }
  if (headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers: common })
  return new Response(new Uint8Array(chosen.body), {
    headers: {
      ...common,
      'content-type': asset.type,
      'content-length': String(chosen.body.length),
      ...(chosen.encoding && { 'content-encoding': chosen.encoding }),
    },
  })
}
