import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const source = (name: string) => fileURLToPath(new URL(`./src/${name}`, import.meta.url))

/** Compresses once, as well as it can be done, so that the server only has to read. */
const precompress: Plugin = {
  name: 'precompress',
  applyToEnvironment: (environment) => environment.name === 'client',
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

export default defineConfig({
  // The server writes the pages itself; there is no HTML to start from.
  appType: 'custom',
  plugins: [react(), precompress],
  environments: {
    client: {
      build: {
        outDir: 'dist/client',
        manifest: true,
        // An inlined asset is a data: address, which the pages' content security policy refuses.
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        // Browsers that have light-dark() and nesting, as all have since 2024: rewritten, both would cost more bytes
        // than the page has to give.
        cssTarget: ['chrome123', 'edge123', 'firefox128', 'safari17.5'],
        rolldownOptions: {
          input: {
            'front-door': source('hosted/front-door.client.tsx'),
            account: source('hosted/account.client.tsx'),
            // Style sheets are inputs of their own: the server puts them into the page.
            'front-door-style': source('hosted/front-door.css'),
            'account-style': source('hosted/account.css'),
          },
        },
      },
    },
    ssr: {
      // Without it the bundle would hold React's development build too, and choose by NODE_ENV when it runs.
      define: { 'process.env.NODE_ENV': JSON.stringify('production') },
      resolve: { noExternal: true },
      build: {
        outDir: 'dist/ssr',
        ssr: true,
        emitAssets: false,
        copyPublicDir: false,
        rolldownOptions: { input: { server: source('hosted/server.tsx') } },
      },
    },
  },
  builder: {
    buildApp: async (builder) => {
      await builder.build(builder.environments.client!)
      await builder.build(builder.environments.ssr!)
    },
  },
})
