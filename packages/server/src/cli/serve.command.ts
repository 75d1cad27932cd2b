import { existsSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { findFirstShop } from '../billing/checkout/shop.repository.ts'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { isBillingServed } from '../http/billing-dispatch.ts'
import { createSetupLink, hasAdmin } from '../identity/first-admin.service.ts'
import { openServer } from '../node.ts'
import { createTollgate, readConfig, type Tollgate } from '../server.ts'
import { shownAddress } from '../shown-address.ts'
import { type Command, readOptions } from './command.ts'
import { developmentSecret, loadConfigFile } from './load-config.ts'

export const dev: Command = {
  name: 'dev',
  usage: '[--open]',
  summary:
    'Serves everything in development mode: builds the web app if needed, creates the database, prints the links.',
  run: async (words) => {
    readOptions(words, { open: { type: 'boolean' } })
    return serve(buildWeb)
  },
}

export const start: Command = {
  name: 'start',
  usage: '',
  summary: 'Serves everything as configured; in production it needs SECRET and BASE_URL.',
  run: async (words) => {
    readOptions(words, {})
    return serve()
  },
}

/** In the repository the pages are built from their sources; the published package brings them along. */
async function buildWeb(): Promise<void> {
  const script = new URL('../../../../scripts/build-web.mjs', import.meta.url)
  if (!existsSync(fileURLToPath(script))) return
  const { buildWebIfChanged } = (await import(script.href)) as { buildWebIfChanged(): Promise<unknown> | unknown }
  await buildWebIfChanged()
}

/** Longer than requests and jobs under way may take, shorter than what process managers wait before they kill. */
const stopTimeout = 25_000

/** `prepare` is for work that wrong settings must not wait for. */
async function serve(prepare?: () => Promise<void>): Promise<number> {
  const file = await loadConfigFile()
  const config = readConfig(file, process.env, developmentSecret)
  await prepare?.()
  const opened = await openServer(config).catch((error: unknown) => {
    console.error(whyDeaf(error, config))
  })
  if (!opened) return 1
  // From here on a signal stops gracefully, also while the database is being migrated.
  const stopped = untilStopped()
  let tollgate: Tollgate
  try {
    tollgate = await createTollgate(file, { developmentSecret })
  } catch (error) {
    await opened.close()
    throw error
  }
  const running = opened.serve(tollgate)
  await printLinks(tollgate.internals.ctx)
  // Now rather than at the end, which a kill would skip.
  flushCompileCache()
  await stopped
  // A database that hangs would hold us for ever. Whatever is cut off here has not been promised to anybody.
  setTimeout(() => {
    console.error('Stopped without waiting any longer for work that does not end.')
    process.exit(1)
  }, stopTimeout).unref()
  await running.stop()
  return 0
}

/** Why the server cannot listen, in a sentence that says which setting to change. Anything else is thrown again. */
function whyDeaf(error: unknown, { host, port }: Config): string {
  if (!(error instanceof Error && 'syscall' in error && 'code' in error)) throw error
  if (error.code === 'EADDRINUSE') return `Port ${port} is in use: stop what listens there, or set PORT.`
  if (error.code === 'EACCES') return `Port ${port} is not for this user: set PORT to 1024 or above.`
  if (error.code === 'EADDRNOTAVAIL')
    return `HOST is "${host}": allowed is an address of this machine, and this is none.`
  if (error.syscall === 'getaddrinfo')
    return `HOST is "${host}": allowed is an address of this machine, or a name of one, and this name is not known here.`
  return `HOST is "${host}", PORT is ${port}: nothing can listen there (${error.message}).`
}

async function printLinks(ctx: Context): Promise<void> {
  const { config } = ctx
  const base = config.baseURL.origin
  if (config.mode === 'production') {
    ctx.log.info({ address: base }, 'Tollgate is serving')
    return
  }
  const lines = [
    ['Sign up', `${base}/sign-up`],
    [
      'Admin',
      (await hasAdmin(ctx)) ? `${base}/admin` : `${await createSetupLink(ctx)}  (once: makes you the administrator)`,
    ],
    ...(await shopLines(ctx)),
    ['Mail inbox', `${base}/dev/inbox`],
    ['API docs', `${base}/docs`],
  ]
  console.log(`\n  ${config.appName} is ready (development mode, ${shownAddress(config.databaseUrl)})\n`)
  for (const [label, address] of lines) console.log(`  ${label!.padEnd(11)} ${address}`)
  console.log()
}

/** Where something is sold, or how to get there. */
async function shopLines(ctx: Context): Promise<string[][]> {
  if (!isBillingServed(ctx.config)) return []
  const shop = await findFirstShop(ctx.db)
  const base = ctx.config.baseURL.origin
  if (!shop)
    return [
      ['Dashboard', `${base}/dashboard  (once you have an organization that sells)`],
      ['Demo shop', 'npx tollgate seed'],
    ]
  return [
    ['Dashboard', `${base}/dashboard/${shop.slug}`],
    ['Pricing', `${base}/pricing/${shop.slug}`],
  ]
}

/** Resolves when somebody wants the server to stop: a signal, or the npm that started it has gone. */
function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve())
    if (!process.env.npm_lifecycle_event) return
    // A shell between npm and us may die without passing the signal on; the port must not stay taken.
    const parent = process.ppid
    const watch = setInterval(() => {
      if (process.ppid === parent) return
      clearInterval(watch)
      resolve()
    }, 500)
    watch.unref()
  })
}
