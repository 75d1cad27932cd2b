import { existsSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { openServer } from '../app/node.ts'
import { createTollgate, readConfig, type Tollgate } from '../app/server.ts'
import { findFirstShop } from '../features/billing/checkout/shop.repository.ts'
import { createSetupLink, hasAdmin } from '../features/identity/first-admin.service.ts'
import { type Config, isBillingServed } from '../foundation/config/config.ts'
import { shownAddress } from '../foundation/config/shown-address.ts'
import type { Context } from '../foundation/context.ts'
import { type Command, readOptions } from './command.ts'
import { developmentSecret, loadConfigFile } from './load-config.ts'
import { withSameSettings } from './same-settings.ts'

export const dev: Command = {
  name: 'dev',
  usage: '[--open]',
  summary:
    'Starts the server in development mode: builds the web app if needed, creates the database, prints the links.',
  run: async (words) => {
    readOptions(words, { open: { type: 'boolean' } })
    return serve(buildWeb)
  },
}

export const start: Command = {
  name: 'start',
  usage: '',
  summary: 'Starts the server as configured; production needs SECRET and BASE_URL.',
  run: async (words) => {
    readOptions(words, {})
    return serve()
  },
}

/** In the repository the pages are built from their sources; the published package contains them. */
async function buildWeb(): Promise<void> {
  const script = new URL('../../../../scripts/build-web.mjs', import.meta.url)
  if (!existsSync(fileURLToPath(script))) return
  const { buildWebIfChanged }: { buildWebIfChanged(): Promise<unknown> | unknown } = await import(script.href)
  await buildWebIfChanged()
}

/** Milliseconds. Longer than running requests and jobs may take, shorter than the kill timeout of process managers. */
const stopTimeout = 25_000

/** `prepare` is for slow work, which runs only after the settings are checked. */
async function serve(prepare?: () => Promise<void>): Promise<number> {
  const file = await loadConfigFile()
  const config = readConfig(file, process.env, developmentSecret)
  await prepare?.()
  const opened = await openServer(config).catch((error: unknown) => {
    console.error(whyDeaf(error, config))
  })
  if (!opened) return 1
  // From here on a signal stops gracefully, even during migrations.
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
  // Now instead of at the end, which a kill would skip.
  flushCompileCache()
  await stopped
  // Otherwise a hanging database would block the stop forever. Work cut off here was never acknowledged.
  setTimeout(() => {
    console.error('Stop timed out; unfinished work was cut off.')
    process.exit(1)
  }, stopTimeout).unref()
  await running.stop()
  return 0
}

/** Why the server cannot listen, and which setting to change. Rethrows any other error. */
function whyDeaf(error: unknown, { host, port }: Config): string {
  if (!(error instanceof Error && 'syscall' in error && 'code' in error)) throw error
  if (error.code === 'EADDRINUSE') return `Port ${port} is in use: stop the process that uses it, or set PORT.`
  if (error.code === 'EACCES') return `This user may not use port ${port}: set PORT to 1024 or above.`
  if (error.code === 'EADDRNOTAVAIL') return `HOST is "${host}": must be an address of this machine.`
  if (error.syscall === 'getaddrinfo')
    return `HOST is "${host}": must be an address of this machine, or a name for one; this name is unknown here.`
  return `HOST is "${host}", PORT is ${port}: the server cannot listen there (${error.message}).`
}

/** Prints the addresses to try, and how to become the administrator. */
export async function printLinks(ctx: Context): Promise<void> {
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
      (await hasAdmin(ctx))
        ? `${base}/admin`
        : `${await createSetupLink(ctx)}  (works once: makes you the administrator)`,
    ],
    ...(await shopLines(ctx)),
    ['Mail inbox', `${base}/dev/inbox`],
    ['API docs', `${base}/docs`],
  ]
  console.log(`\n  ${config.appName} is ready (development mode, ${shownAddress(config.databaseUrl)})\n`)
  for (const [label = '', address] of lines) console.log(`  ${label.padEnd(11)} ${address}`)
  console.log()
}

/** The addresses of the first shop, or how to create one. */
async function shopLines(ctx: Context): Promise<string[][]> {
  if (!isBillingServed(ctx.config)) return []
  const shop = await findFirstShop(ctx.db)
  const base = ctx.config.baseURL.origin
  if (!shop)
    return [
      ['Dashboard', `${base}/dashboard  (once you have an organization that sells)`],
      ['Demo shop', withSameSettings('npx tollgate seed', process.env)],
    ]
  return [
    ['Dashboard', `${base}/dashboard/${shop.slug}`],
    ['Pricing', `${base}/pricing/${shop.slug}`],
  ]
}

/** Resolves when the server should stop: on a signal, or when the npm that started it has exited. */
function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve())
    if (!process.env.npm_lifecycle_event) return
    // A shell between npm and us may exit without forwarding the signal; the port must not stay in use.
    const parent = process.ppid
    const watch = setInterval(() => {
      if (process.ppid === parent) return
      clearInterval(watch)
      resolve()
    }, 500)
    watch.unref()
  })
}
