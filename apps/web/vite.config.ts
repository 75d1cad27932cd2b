import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { type BuildEnvironmentOptions, defineConfig, type EnvironmentOptions, type Plugin } from 'vite'
import { asciiOnly } from '../../scripts/ascii-only.ts'
import { thirdPartyNotices } from '../../scripts/third-party.ts'

const source = (name: string) => fileURLToPath(new URL(`./src/${name}`, import.meta.url))

/** Compresses once, as well as it can be done, so that the server only has to read. */
const precompress: Plugin = {
  name: 'precompress',
  applyToEnvironment: (environment) => environment.config.consumer === 'client',
  writeBundle({ dir = '' }) {
    for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !/\.(?:js|css|svg)$/.test(entry.name)) continue
      const file = path.join(entry.parentPath, entry.name)
      const bytes = readFileSync(file)
      const quality = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
      writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: quality }))
      writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
    }
  },
}

/**
 * A component's own sheet (`*.module.css`) stands in a layer above the shared sheets, wherever a build puts it. The first
 * sheet that a browser reads fixes the order of all layers, so each one names it.
 */
const componentLayer: Plugin = {
  name: 'component-layer',
  enforce: 'pre',
  transform: {
    filter: { id: /\.module\.css$/ },
    handler: (code) => `@layer mantine, tollgate, components;\n@layer components {\n${code}\n}\n`,
  },
}

/** `order-ticket_total`: the same in the browser's and the server's build, and readable in both. */
const scopedName = (name: string, file: string) => `${path.basename(file).replace(/\.module\.css.*$/, '')}_${name}`

/** What every page goes on with, and what most forms are made of. */
const shared = [
  /\/node_modules\/(?:react|react-dom|scheduler)\//,
  /\/hosted\/(?:captcha-part|follow-title|frame|hydrate|provider-marks)\.tsx?$/,
  /\/react\/src\/provider\.tsx$/,
  /\/react\/src\/components\/(?:form-parts|leave)\.tsx?$/,
  /\/react\/src\/elements\/(?:avatar|button|checkbox|field|gate-mark|organization-mark|overlay|screen|small|status)\.tsx$/,
  /\/react\/src\/hooks\/use-(?:countdown|error-text|form|form-of|hydrated)\.ts$/,
  /\/react\/src\/i18n\/(?:error-text|format)\.ts$/,
  /\/client\/src\/(?:base-url|call-methods|entrance-client|environment|request|signals|store)\.ts$/,
  /\/contract\/src\/(?:captcha|(?:identity|magic-link|social|username)\.calls)\.ts$/,
  /\/contract\/src\/forms\/(?:checks|form|paths)\.ts$/,
]

/** What the pages of a sale go on with: who pays has it for the receipt, too. */
const ofSales = [
  /\/hosted\/(?:processors|sale-frame)\.tsx?$/,
  /\/react\/src\/components\/billing\/(?:buyers-action|checkout-(?:parts|payment|processor|texts|values))\.tsx?$/,
  /\/react\/src\/components\/billing\/(?:confirmation-token|countries|focus-on-failure|money|price-text|sandbox-action|tax-lines)\.tsx?$/,
  /\/react\/src\/i18n\/billing-error-text\.ts$/,
  /\/client\/src\/(?:buyer-client|client-of)\.ts$/,
  /\/contract\/src\/billing\/(?:.*\.calls|buyer-calls|card-brands|coming-charges|countries|currencies|wire)\.ts$/,
]

/** What checks and holds forms: it comes with the editor pages, never with the dashboard's first screen. */
const ofEditors = [
  /\/node_modules\/(?:zod|@mantine\/form|klona|fast-deep-equal)\//,
  /\/contract\/src\/(?:.*\.schemas|fields|input-issues|billing\/(?:fields|schemas))\.ts$/,
  /\/dashboard\/parts\/(?:contract-body|draft|editor-page|editor)\.tsx?$/,
]
const isOfEditors = (id: string) => ofEditors.some((each) => each.test(id))

/** What the pages and the dashboard have in common. */
const browser = {
  manifest: true,
  // An inlined asset is a data: address, which the pages' content security policy refuses.
  assetsInlineLimit: 0,
  modulePreload: { polyfill: false },
  // Browsers that have light-dark() and nesting, as all have since 2024: rewritten, both would cost more bytes
  // than the page has to give.
  cssTarget: ['chrome123', 'edge123', 'firefox128', 'safari17.5'],
} satisfies BuildEnvironmentOptions

/** Draws the dashboard in one language. One file: it is loaded when the first page in that language is asked for. */
const drawer = (command: string, entry: string, outDir: string): EnvironmentOptions => ({
  consumer: 'server',
  ...(command === 'build' && {
    define: { 'process.env.NODE_ENV': JSON.stringify('production') },
    resolve: { noExternal: true as const },
  }),
  build: {
    outDir,
    ssr: true,
    emitAssets: false,
    copyPublicDir: false,
    rolldownOptions: {
      input: { server: source(`dashboard/${entry}`) },
      output: { comments: false, codeSplitting: false },
    },
  },
})

export default defineConfig(({ command }) => ({
  // The server writes the pages itself; there is no HTML to start from.
  appType: 'custom',
  plugins: [
    react(),
    componentLayer,
    precompress,
    thirdPartyNotices,
    { ...asciiOnly, applyToEnvironment: ({ config }) => config.consumer === 'server' },
  ],
  css: { modules: { generateScopedName: scopedName } },
  environments: {
    client: {
      build: {
        ...browser,
        outDir: 'dist/client',
        rolldownOptions: {
          input: {
            'sign-in': source('hosted/sign-in.client.tsx'),
            'sign-up': source('hosted/sign-up.client.tsx'),
            'mail-door': source('hosted/mail-door.client.tsx'),
            account: source('hosted/account.client.tsx'),
            organization: source('hosted/organization.client.tsx'),
            joining: source('hosted/joining.client.tsx'),
            checkout: source('hosted/checkout.client.tsx'),
            receipt: source('hosted/receipt.client.tsx'),
            pay: source('hosted/pay.client.tsx'),
            captcha: source('hosted/captcha.client.tsx'),
            reference: source('reference/reference.client.ts'),
            // Style sheets are inputs of their own: the server puts them into the page.
            'front-door-style': source('hosted/front-door.css'),
            'account-style': source('hosted/account.css'),
            'organization-style': source('hosted/organization.css'),
            'checkout-style': source('hosted/checkout.css'),
            'pricing-style': source('hosted/pricing.css'),
            'reference-style': source('reference/reference.css'),
          },
          // In one piece, because several compress worse: who signs in has little room (pages/build.test.ts).
          output: {
            codeSplitting: {
              includeDependenciesRecursively: false,
              groups: [
                { name: 'shared', test: (id) => shared.some((each) => each.test(id)) },
                { name: 'sale', test: (id) => ofSales.some((each) => each.test(id)) },
              ],
            },
          },
        },
      },
    },
    // A build of its own: what visitors load must not depend on what the dashboard happens to share with it.
    dashboard: {
      consumer: 'client',
      build: {
        ...browser,
        outDir: 'dist/dashboard',
        // One sheet, which the document links: no part of a page is ever drawn before its styles are there.
        cssCodeSplit: false,
        copyPublicDir: false,
        rolldownOptions: {
          input: { dashboard: source('dashboard/main.tsx'), 'dashboard-de': source('dashboard/locales/de.ts') },
          // What several pages share is one file: each request of its own would wait for a line of its own.
          output: {
            codeSplitting: {
              groups: [
                { name: 'shared', minShareCount: 4, test: (id) => /\.[jt]sx?$/.test(id) && !isOfEditors(id) },
                { name: 'editors', test: isOfEditors },
              ],
            },
          },
        },
      },
    },
    dashboardServer: drawer(command, 'server.tsx', 'dist/dashboard-server'),
    // A bundle for each further language, because a module reads its texts once.
    dashboardServerDe: drawer(command, 'locales/de.server.ts', 'dist/dashboard-server/de'),
    ssr: {
      // Without it the bundle would hold React's development build too, and choose by NODE_ENV when it runs.
      ...(command === 'build' && {
        define: { 'process.env.NODE_ENV': JSON.stringify('production') },
        resolve: { noExternal: true as const },
      }),
      build: {
        outDir: 'dist/ssr',
        ssr: true,
        emitAssets: false,
        copyPublicDir: false,
        rolldownOptions: { input: { server: source('hosted/server.tsx') }, output: { comments: false } },
      },
    },
  },
  builder: {
    buildApp: async (builder) => {
      await builder.build(builder.environments.client!)
      await builder.build(builder.environments.dashboard!)
      await builder.build(builder.environments.dashboardServer!)
      await builder.build(builder.environments.dashboardServerDe!)
      await builder.build(builder.environments.ssr!)
    },
  },
}))
