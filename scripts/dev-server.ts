// `npm run dev`: the server with its pages straight from their sources. `node --watch` runs this file, and starts it
// again when a module of the server changes; Vite replaces pages without a restart.
import path from 'node:path'
import type { PageRenderer, PageScript, PageStyle } from '@tollgate/contract/pages'
import { createServer, type Plugin, type ViteDevServer } from 'vite'
import { openServer } from '../packages/server/src/app/node.ts'
import { createTollgate, readConfig } from '../packages/server/src/app/server.ts'
import { developmentSecret, loadConfigFile } from '../packages/server/src/cli/load-config.ts'
import { printLinks } from '../packages/server/src/cli/serve.command.ts'
import { replaceWebBuild, type WebBuild } from '../packages/server/src/pages/build.ts'

const web = path.join(import.meta.dirname, '../apps/web')
const styleNames: readonly PageStyle[] = ['front-door', 'account', 'organization', 'checkout']

/** Where a page's script begins in development: Vite's own modules come first. The ending lets Vite read it. */
const entry = (source: string) => `/development/${source}.js`

/** The scripts that `entry` names. */
const developmentEntries: Plugin = {
  name: 'development-entries',
  enforce: 'pre',
  resolveId: (id) => (id.startsWith('/development/') ? id : undefined),
  load(id) {
    const source = id.match(/^\/development\/(.+)\.js$/)?.[1]
    if (source === undefined) return undefined
    return `import '/@vite/client'\nimport '@vitejs/plugin-react/preamble'\nawait import('/src/${source}.tsx')\n`
  },
}

/**
 * Texts and style sheets of a hosted page stand in the document. Vite replaces only modules that the browser has loaded,
 * so the page is loaded again for the others.
 */
const reloadForDocuments: Plugin = {
  name: 'reload-for-documents',
  hotUpdate({ file, modules, server }) {
    if (this.environment.name !== 'ssr' || modules.length === 0) return
    const { hot, moduleGraph } = server.environments.client
    if (file.endsWith('.css') || !moduleGraph.getModulesByFile(file)?.size) hot.send({ type: 'full-reload' })
  },
}

/** The pages as they are now. Only what changed since the last call is read again. */
async function developmentBuild(vite: ViteDevServer): Promise<WebBuild> {
  const renderer = (await vite.ssrLoadModule('/src/hosted/server.tsx')) as PageRenderer // its own export
  const sheets = await Promise.all(
    styleNames.map(async (name): Promise<[string, string]> => {
      const { default: text } = await vite.ssrLoadModule(`/src/hosted/${name}.css?inline`)
      return [name, String(text)]
    }),
  )
  const styles = new Map(sheets)
  return {
    pageLocales: renderer.pageLocales,
    render: renderer.render,
    confirmsDeletion: renderer.confirmsDeletion,
    assets: new Map(),
    style: (name) => styles.get(name) ?? '',
    scripts: (name: PageScript) => [entry(`hosted/${name}.client`)],
    dashboard: {
      styles: [],
      fonts: [],
      scripts: [entry('dashboard/main')],
      pageScripts: () => [],
      // Drawn by the browser alone, so that its modules can be replaced.
      draw: async () => undefined,
      texts: (language) => (language === 'en' ? [] : [`/src/dashboard/locales/${language}.ts`]),
    },
    reference: {
      style: '/src/reference/reference.css?direct',
      script: '/src/reference/reference.client.ts',
      fonts: [],
    },
    fonts: () => [],
  }
}

const file = await loadConfigFile()
const config = readConfig(file, process.env, developmentSecret)
const opened = await openServer(config)
const vite = await createServer({
  root: web,
  // Bundled first, it would be a new file each time, for which `node --watch` restarts.
  configLoader: 'native',
  clearScreen: false,
  plugins: [developmentEntries, reloadForDocuments],
  server: {
    middlewareMode: true,
    hmr: { server: opened.server },
    allowedHosts: [config.baseURL.hostname],
    // The server decides which origins may read its answers.
    cors: false,
    fs: { allow: [path.join(web, '../..')] },
  },
})
const tollgate = await createTollgate(file, { developmentSecret })
replaceWebBuild(await developmentBuild(vite))
const running = opened.serve(tollgate)

// Vite answers for the modules of the pages, and hands everything else to the server.
const listeners = opened.server.listeners('request')
opened.server.removeAllListeners('request')
opened.server.on('request', (request, response) => {
  vite.middlewares(request, response, async () => {
    try {
      replaceWebBuild(await developmentBuild(vite))
    } catch (error) {
      if (error instanceof Error) vite.ssrFixStacktrace(error)
      console.error(error)
      response.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' }).end(String(error))
      return
    }
    for (const listener of listeners) listener.call(opened.server, request, response)
  })
})
await printLinks(tollgate.internals.ctx)

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    // A browser's connections would hold up the restart: Vite's web sockets, and those of requests. What else Vite holds
    // ends with the process.
    await vite.ws.close()
    opened.server.closeAllConnections()
    await running.stop()
    process.exit()
  })
}
