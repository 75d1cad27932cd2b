import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { launchChromium } from '../../testing/chromium.ts'

/** Chromium for a test file; without one the run has stopped before it came here. */
export async function openChromium(): Promise<Browser> {
  const started = await launchChromium()
  if (started.browser === null) throw new Error(started.reason)
  return started.browser
}

/** The two widths that pages are looked at; heights as such screens have. */
export const desktop = { width: 1280, height: 800 } as const
export const phone = { width: 360, height: 740 } as const
/** What is left of 1280 pixels at a zoom of 400 %. */
export const zoomed = { width: 320, height: 640 } as const

/** A visitor with a browser context of their own. */
export type Visitor = AsyncDisposable & {
  readonly context: BrowserContext
  readonly page: Page
  /** What the console has said and what has gone wrong on any page, since the last call. */
  takeFaults(): readonly string[]
}

export type VisitorOptions = BrowserContextOptions & {
  /** Faults that the test causes on purpose: refused calls are reported to the console by every browser. */
  readonly expected?: RegExp
}

/** Opens a browser window that records everything that the developer tools report. */
export async function openVisitor(browser: Browser, options: VisitorOptions = {}): Promise<Visitor> {
  const { expected, ...rest } = options
  const context = await browser.newContext({ viewport: desktop, locale: 'en-US', reducedMotion: 'reduce', ...rest })
  // For what never comes: on a busy machine a page that is drawn anew may take many seconds.
  context.setDefaultTimeout(30_000)
  const faults: string[] = []
  const report = (page: Page, text: string) => {
    if (!expected?.test(text)) faults.push(`${new URL(page.url(), 'about:blank').pathname}: ${text}`)
  }
  // Violations of the policy are console messages too; so is whatever React has to say about hydration.
  context.on('page', (page) => {
    page.on('console', (message) => {
      // The browser reports this if a wrong field has the focus before it reads the attribute: this is no fault.
      if (message.text().startsWith('Autofocus processing was blocked')) return
      report(page, `${message.type()} ${message.text()}`)
    })
    page.on('pageerror', (error) => report(page, String(error)))
    page.on('requestfailed', (request) => {
      const reason = request.failure()?.errorText ?? ''
      // A page that is left lets go of what it was still loading.
      if (reason !== 'net::ERR_ABORTED') report(page, `${request.url()} failed: ${reason}`)
    })
  })
  const page = await context.newPage()
  return {
    context,
    page,
    takeFaults: () => faults.splice(0),
    [Symbol.asyncDispose]: () => context.close(),
  }
}

/** Waits until a page can be used with its script: rendered, taken over by React, and its effects run. */
export async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('load')
  if (await page.evaluate(() => matchMedia('(scripting: none)').matches)) return
  await page.waitForFunction(() => {
    if (document.readyState !== 'complete') return false
    const part = document.querySelector('#page > :not(style, link)')
    const goesOn = document.querySelector('script#props') !== null
    // The dashboard draws itself, and then waits for its data.
    if (goesOn && (!document.querySelector('h1') || document.querySelector('[data-waiting]'))) return false
    return !goesOn || (part !== null && Object.keys(part).some((key) => key.startsWith('__reactFiber')))
  })
  await page.evaluate(async () => {
    await document.fonts.ready
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  })
}
