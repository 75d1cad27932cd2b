import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { listen } from '../packages/server/src/app/node.ts'
import { createTollgate } from '../packages/server/src/app/server.ts'
import { launchChromium } from '../testing/chromium.ts'

/**
 * How soon the sign-in page is seen and done on a slow phone, beside a plain page in the same run:
 * `node bench/page-load.ts`, which writes PAGES.md. Network and processor are slowed down by the browser itself.
 */
const runs = 7
/** Lighthouse's mobile preset: 1.6 Mbit/s down, 750 kbit/s up, 150 ms, a processor four times slower. */
const slow = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }
const processorSlowdown = 4

type Load = { readonly lcp: number; readonly shift: number; readonly script: number }

/** Runs in the page: this file knows no browser. */
const observers = `
  const seen = (window.seen = { lcp: 0, shift: 0 })
  const watch = (type, take) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true })
  watch('largest-contentful-paint', ({ startTime }) => { seen.lcp = startTime })
  watch('layout-shift', ({ value }) => { seen.shift += value })
`

async function load(browser: Browser, address: string): Promise<Load> {
  const context = await browser.newContext({ viewport: { width: 360, height: 640 } })
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', slow)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: processorSlowdown })
  let script = 0
  devtools.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Script') scripts.add(requestId)
  })
  const scripts = new Set<string>()
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) script += encodedDataLength
  })
  await page.addInitScript({ content: observers })
  await page.goto(address, { waitUntil: 'networkidle' })
  const seen = await page.evaluate<{ lcp: number; shift: number }>('window.seen')
  await context.close()
  return { ...seen, script }
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const plain = createServer((_, response) => {
  response.setHeader('content-type', 'text/html')
  response.end('<!doctype html><title>Plain</title><h1>Sign in</h1><p>A page of nothing but text.</p>')
}).listen(0, '127.0.0.1')
const tollgate = await createTollgate(
  {},
  { env: { TOLLGATE_MODE: 'development', PORT: '0', DATABASE_URL: 'sqlite::memory:', LOG_LEVEL: 'warn' } },
)
const running = await listen(tollgate)
const { browser, ...missing } = await launchChromium()
if (!browser) throw new Error(JSON.stringify(missing))

const pages = {
  'plain page': `http://127.0.0.1:${(plain.address() as AddressInfo).port}/`,
  '/sign-in': `http://127.0.0.1:${running.port}/sign-in`,
  '/sign-up': `http://127.0.0.1:${running.port}/sign-up`,
}
const measured: Record<string, Load[]> = Object.fromEntries(Object.keys(pages).map((name) => [name, []]))
for (let run = 0; run < runs; run += 1) {
  // Interleaved, so that whatever else the machine does meets every page alike.
  for (const [name, address] of Object.entries(pages)) measured[name]?.push(await load(browser, address))
}
await browser.close()
await running.stop()
plain.close()

const rows = Object.entries(measured).map(([name, loads]) => {
  const lcps = loads.map(({ lcp }) => lcp)
  const last = loads.at(-1)
  const shift = Math.max(...loads.map((each) => each.shift))
  return `| ${name} | ${Math.round(median(lcps))} | ${Math.round(Math.min(...lcps))}–${Math.round(Math.max(...lcps))} | ${((last?.script ?? 0) / 1024).toFixed(1)} | ${shift.toFixed(3)} |`
})
const page = `# How soon the pages are seen

\`node bench/page-load.ts\`: Chromium ${browser.version()}, 360 × 640, ${slow.latency} ms and 1.6 Mbit/s, processor slowed ${processorSlowdown} times, ${runs} loads each, interleaved, empty cache.

| Page | Largest contentful paint, median ms | range | JavaScript sent, KiB | layout shift, worst |
|---|---|---|---|---|
${rows.join('\n')}

The bar: /sign-in at most 350 ms after the plain page, at most 80 KiB of JavaScript, layout shift at most 0.01.
`
writeFileSync(new URL('PAGES.md', import.meta.url), page)
console.log(page)
process.exit(0)
