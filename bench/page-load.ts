import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { listen } from '../packages/server/src/app/node.ts'
import { createTollgate } from '../packages/server/src/app/server.ts'
import { buildWebIfChanged } from '../scripts/build-web.mjs'
import { launchChromium } from '../testing/chromium.ts'
import { freePort } from '../testing/free-port.ts'

/**
 * How soon pages are seen on a slow phone, beside a plain page in the same run: `node bench/page-load.ts`, which writes
 * PAGES.md. Network and processor are slowed down by the browser itself. The dashboard is that of the demo data.
 */
const runs = 7
/** Lighthouse's mobile preset: 1.6 Mbit/s down, 750 kbit/s up, 150 ms, a processor four times slower. */
const slow = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }
const processorSlowdown = 4

type Load = {
  readonly lcp: number
  readonly shift: number
  /** Bytes of JavaScript sent, in all and before the largest contentful paint. */
  readonly script: number
  readonly scriptBefore: number
  /** Requests that began before it, the document included. */
  readonly requests: number
}

/** Runs in the page: this file knows no browser. */
const observers = `
  const seen = (window.seen = { lcp: 0, shift: 0 })
  performance.setResourceTimingBufferSize(1000)
  const watch = (type, take) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true })
  watch('largest-contentful-paint', ({ startTime }) => { seen.lcp = startTime })
  watch('layout-shift', ({ value }) => { seen.shift += value })
`

/** What was loaded, from the page's own record of it. */
const loaded = `(() => {
  const resources = performance.getEntriesByType('resource')
  const scripts = resources.filter(({ name }) => name.endsWith('.js'))
  const bytes = (list) => list.reduce((sum, { transferSize }) => sum + transferSize, 0)
  const before = ({ responseEnd }) => responseEnd <= seen.lcp
  return {
    ...seen,
    script: bytes(scripts),
    scriptBefore: bytes(scripts.filter(before)),
    requests: 1 + resources.filter(({ startTime }) => startTime <= seen.lcp).length,
  }
})()`

async function load(browser: Browser, address: string, cookie: string | undefined): Promise<Load> {
  const context = await browser.newContext({ viewport: { width: 360, height: 640 } })
  if (cookie) {
    const [name = '', value = ''] = cookie.split(/=(.*)/s)
    await context.addCookies([{ name, value, url: new URL(address).origin }])
  }
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', slow)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: processorSlowdown })
  await page.addInitScript({ content: observers })
  await page.goto(address, { waitUntil: 'networkidle' })
  if (new URL(page.url()).pathname !== new URL(address).pathname) throw new Error(`${address} led to ${page.url()}`)
  const found = await page.evaluate<Load>(loaded)
  await context.close()
  return found
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

await buildWebIfChanged()
const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-pages-'))
const port = await freePort()
const origin = `http://127.0.0.1:${port}`
const env = {
  TOLLGATE_MODE: 'development',
  PORT: String(port),
  BASE_URL: origin,
  SECRET: 'a secret of this bench that is long enough',
  DATABASE_URL: `sqlite:${folder}/demo.db`,
  LOG_LEVEL: 'warn',
}
const cli = fileURLToPath(new URL('../packages/server/src/cli/main.ts', import.meta.url))
const seeded = execFileSync(process.execPath, [cli, 'seed', '--json'], {
  cwd: folder,
  env: { ...process.env, ...env },
  encoding: 'utf8',
})
const { users }: { users: { email: string; password: string }[] } = JSON.parse(
  seeded.slice(seeded.indexOf('{"users"')).split('\n')[0] ?? '',
)

const plain = createServer((_, response) => {
  response.setHeader('content-type', 'text/html')
  response.end('<!doctype html><title>Plain</title><h1>Sign in</h1><p>A page of nothing but text.</p>')
}).listen(0, '127.0.0.1')
const tollgate = await createTollgate({}, { env })
const running = await listen(tollgate)
const { browser, ...missing } = await launchChromium()
if (!browser) throw new Error(JSON.stringify(missing))

const signedIn = await fetch(`${origin}/api/auth/sign-in/email`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(users[0]),
})
if (!signedIn.ok) throw new Error(`Signing in answered ${signedIn.status}: ${await signedIn.text()}`)
const session = signedIn.headers.getSetCookie()[0]?.split(';')[0]

const pages: Record<string, { address: string; cookie?: string | undefined }> = {
  'plain page': { address: `http://127.0.0.1:${(plain.address() as AddressInfo).port}/` },
  '/sign-in': { address: `${origin}/sign-in` },
  '/sign-up': { address: `${origin}/sign-up` },
  '/dashboard/:slug': { address: `${origin}/dashboard/northwind`, cookie: session },
  '/dashboard/:slug/orders': { address: `${origin}/dashboard/northwind/orders`, cookie: session },
  '/admin/users': { address: `${origin}/admin/users`, cookie: session },
}
const measured: Record<string, Load[]> = Object.fromEntries(Object.keys(pages).map((name) => [name, []]))
for (let run = 0; run < runs; run += 1) {
  // Interleaved, so that whatever else the machine does meets every page alike.
  for (const [name, { address, cookie }] of Object.entries(pages))
    measured[name]?.push(await load(browser, address, cookie))
}
await browser.close()
await running.stop()
plain.close()
rmSync(folder, { recursive: true, force: true })

const kibibytes = (bytes: number): string => (bytes / 1024).toFixed(1)
const rows = Object.entries(measured).map(([name, loads]) => {
  const lcps = loads.map(({ lcp }) => lcp)
  const shift = Math.max(...loads.map((each) => each.shift))
  const most = (of: (load: Load) => number) => Math.max(...loads.map(of))
  const cells = [
    name,
    Math.round(median(lcps)),
    `${Math.round(Math.min(...lcps))}–${Math.round(Math.max(...lcps))}`,
    kibibytes(most(({ script }) => script)),
    kibibytes(most(({ scriptBefore }) => scriptBefore)),
    most(({ requests }) => requests),
    shift.toFixed(3),
  ]
  return `| ${cells.join(' | ')} |`
})
const page = `# How soon the pages are seen

\`node bench/page-load.ts\`: Chromium ${browser.version()}, 360 × 640, ${slow.latency} ms and 1.6 Mbit/s, processor slowed ${processorSlowdown} times, ${runs} loads each, interleaved, empty cache. The dashboard shows the demo data.

| Page | Largest contentful paint, median ms | range | JavaScript sent, KiB | of it before the paint | requests before the paint | layout shift, worst |
|---|---|---|---|---|---|---|
${rows.join('\n')}

The bars: /sign-in at most 350 ms after the plain page and at most 80 KiB of JavaScript; the dashboard at most 1,800 ms, with at most 150 KiB of JavaScript and 20 requests before its paint; layout shift at most 0.01.
`
writeFileSync(new URL('PAGES.md', import.meta.url), page)
console.log(page)
process.exit(0)
