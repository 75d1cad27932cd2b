import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'
import { desktop, phone, settled, zoomed } from './visitor.ts'
import { isWholeMatrix } from './whole-matrix.ts'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What every document of a watched page has at hand: sent anew for each of them, it would take longer than its work. */
const axeAtHand = `window.axeAtHand = () => {${axeSource}\n}`

/** In the page: whether it has axe, or could take what is at hand. By the debugger, which the page's policy does not bind. */
function takesAxe(): boolean {
  if (!('axe' in window) && 'axeAtHand' in window && typeof window.axeAtHand === 'function') window.axeAtHand()
  return 'axe' in window
}

const everything: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
}
/** What another colour scheme can change: the elements and their names stay the same. */
const coloursOnly: RunOptions = { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } }

/**
 * Faults that axe finds on the page as it stands, each with the element that has it. The frame of a mail is left out: no
 * script runs in it.
 */
export async function axeFaults(page: Page, { colours = false } = {}): Promise<string[]> {
  if (!(await page.evaluate(takesAxe))) await page.evaluate(axeSource)
  const { violations } = await page.evaluate(
    (options) =>
      (window as unknown as { axe: { run(context: object, options: object): Promise<AxeResults> } }).axe.run(
        { exclude: ['iframe'] },
        options,
      ), // set by the source above
    { ...(colours ? coloursOnly : everything), resultTypes: ['violations' as const], iframes: false },
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary?.split('\n')[1] ?? ''}`),
  )
}

/** Whatever sticks out of the window sideways, so that one would have to scroll. */
export function overflowFaults(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { scrollWidth } = document.documentElement
    if (scrollWidth <= innerWidth) return []
    const wide = [...document.querySelectorAll('body *')].filter(
      (each) => each.getBoundingClientRect().right > innerWidth,
    )
    const culprits = wide.slice(-3).map((each) => each.outerHTML.slice(0, 120))
    return [`${scrollWidth} px wide in a window of ${innerWidth}: ${culprits.join(' | ')}`]
  })
}

/** Controls that are too small to be hit, and text that is cut off or hidden behind its neighbour. */
export function controlFaults(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const faults: string[] = []
    const hosted = document.querySelector('[data-tg]') !== null
    for (const element of document.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, summary')) {
      if (!element.checkVisibility({ visibilityProperty: true }) || element.closest('[data-tg="visually-hidden"]'))
        continue
      if (element instanceof HTMLInputElement && element.type === 'hidden') continue
      if (element.dataset.tg === 'visually-hidden' || element.classList.contains('skip')) continue
      // Initials in place of a portrait are a picture, as is everything else that is hidden from screen readers.
      const readable = element.cloneNode(true) as HTMLElement // a copy of an element is an element of its kind
      for (const picture of readable.querySelectorAll('[aria-hidden=true]')) picture.remove()
      // What a closed list shows is its value; its choices are not seen.
      const words = element.localName === 'select' ? '' : (readable.textContent ?? '').trim().toLowerCase()
      const name = (element.getAttribute('aria-label') ?? words).toLowerCase()
      const what = element.outerHTML.slice(0, 120)
      if (!name.includes(words))
        faults.push(`is called ${JSON.stringify(name)} but shows ${JSON.stringify(words)}: ${what}`)

      // Links within a sentence are as high as the sentence, which the guidelines allow.
      const inSentence = element.localName === 'a' && getComputedStyle(element).display === 'inline'
      // The label of a box can be pressed as well.
      const label =
        element instanceof HTMLInputElement && /^(?:checkbox|radio)$/.test(element.type) ? element.labels?.[0] : null
      const { width, height } = (label ?? element).getBoundingClientRect()
      const isLarge =
        hosted &&
        (element.dataset.tg === 'input' || (element.dataset.tg === 'button' && element.dataset.look !== 'quiet'))
      // Where there is a mouse and room, the pages of an organization are as dense as the dashboard.
      const isDense = element.closest('.place') !== null && innerWidth >= 900
      const least = isLarge ? (isDense ? 32 : 44) : 24
      if (!inSentence && (height < least || width < 24))
        faults.push(`${Math.round(width)} × ${Math.round(height)} px: ${what}`)
      const isText = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement
      if (!isText && element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0)
        faults.push(`its words do not fit (${element.scrollWidth} px in ${element.clientWidth}): ${what}`)
    }
    // Text beside text must not lie on top of it.
    for (const label of document.querySelectorAll('[data-tg="reveal"]')) {
      const box = label.parentElement?.getBoundingClientRect()
      const { left, right } = label.getBoundingClientRect()
      if (box && (left < box.left || right > box.right))
        faults.push(`sticks out of its field: ${label.outerHTML.slice(0, 120)}`)
    }
    return faults
  })
}

/**
 * Starts to watch how much of a page moves after it was first seen, and puts axe at hand; for every document of the page
 * from now on.
 */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript({ content: axeAtHand })
  await page.addInitScript(() => {
    const shifts: { value: number; sources: string }[] = []
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      // Not in the types yet: an entry of the kind that is asked for below.
      for (const entry of list.getEntries() as unknown as {
        value: number
        hadRecentInput: boolean
        sources: { node?: Element }[]
      }[]) {
        if (entry.hadRecentInput) continue
        const sources = entry.sources.map(({ node }) => node?.outerHTML?.slice(0, 80) ?? '').join(' | ')
        shifts.push({ value: entry.value, sources })
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

/** Layout shifts without user input, if they are large enough to notice. */
export function shiftFaults(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { shifts } = window as unknown as { shifts: { value: number; sources: string }[] } // set by watchShifts
    const sum = shifts.reduce((total, { value }) => total + value, 0)
    return sum <= 0.01 ? [] : [`moved by ${sum.toFixed(4)}: ${shifts.map(({ sources }) => sources).join(' | ')}`]
  })
}

/**
 * Loads an address while its answers come one after another, each with a frame of its own before the next one: whatever can move
 * something moves it then. Wide and narrow; `watchShifts` must have been called for the page.
 */
export async function shiftsInTurns(page: Page, address: string): Promise<string[]> {
  let before: Promise<void> = Promise.resolve()
  await page.route('**/v1/**', (route) => {
    before = before.then(async () => {
      await route.fulfill({ response: await route.fetch() })
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    })
    return before
  })
  const faults: string[] = []
  for (const viewport of [desktop, phone]) {
    await page.setViewportSize(viewport)
    await page.goto(address)
    await settled(page)
    await before
    faults.push(...named(`${viewport.width} px`, await shiftFaults(page)))
  }
  await page.unrouteAll({ behavior: 'wait' })
  return faults
}

const named = (name: string, faults: readonly string[]) => faults.map((fault) => `(${name}) ${fault}`)

const wideAndNarrow = [
  { viewport: desktop, colorScheme: 'light' },
  { viewport: phone, colorScheme: 'dark' },
] as const

/** The windows in which dialogs are looked at: two, and in the whole matrix all four. */
export const appearances = isWholeMatrix
  ? ([desktop, phone] as const).flatMap((viewport) =>
      (['light', 'dark'] as const).map((colorScheme) => ({ viewport, colorScheme })),
    )
  : wideAndNarrow

/** Looks at one address in one window. `watchShifts` must have been called for the page. */
export async function lookOnce(
  page: Page,
  address: string,
  { viewport, colorScheme = 'light', checked = true }: Look,
): Promise<string[]> {
  await page.setViewportSize(viewport)
  await page.emulateMedia({ colorScheme })
  const load = async () => {
    await page.goto(address)
    await settled(page)
    return await shiftFaults(page)
  }
  // On a busy machine a font may come after the first picture, once; a fault of the page moves it each time.
  const shifts = (await load()).length > 0 ? await load() : []
  return [
    ...shifts,
    ...(await overflowFaults(page)),
    ...(await controlFaults(page)),
    ...(checked ? await axeFaults(page) : []),
  ]
}

type Look = {
  readonly viewport: typeof desktop | typeof phone
  readonly colorScheme?: 'light' | 'dark'
  /** Whether axe looks at it too. */
  readonly checked?: boolean
}

/** The colour schemes that axe looks at in a wide and in a narrow window. */
type Schemes = { readonly wide: readonly Scheme[]; readonly narrow: readonly Scheme[] }
type Scheme = 'light' | 'dark'

const fourLooks: Schemes = { wide: ['light', 'dark'], narrow: ['light', 'dark'] }
/** For states that differ little: together, two neighbours have the four looks. */
const twoLooks = [
  { wide: ['light'], narrow: ['dark'] },
  { wide: ['dark'], narrow: ['light'] },
] as const satisfies readonly Schemes[]
const wideOnly: Schemes = { wide: ['light'], narrow: [] }

/** The looks of the states of one page, in turn: all four for the first one, and for the others two of them. */
export const looksInTurn = (index: number): Schemes => (index === 0 ? fourLooks : twoLooks[index % 2 === 0 ? 0 : 1])

/**
 * Looks at one address wide in light, and whether it fits a telephone; in the whole matrix also in the other schemes,
 * unless `schemes` says less. `watchShifts` must have been called for the page.
 */
export async function lookAround(page: Page, address: string, schemes: Schemes = fourLooks): Promise<string[]> {
  const { wide, narrow } = isWholeMatrix ? schemes : wideOnly
  /** Of all schemes after the first one, only the colours: the elements and their names stay the same. */
  const axeIn = async (schemes: readonly Scheme[]) => {
    const faults: string[] = []
    for (const [index, colorScheme] of schemes.entries()) {
      await page.emulateMedia({ colorScheme })
      faults.push(...named(colorScheme, await axeFaults(page, { colours: index > 0 })))
    }
    return faults
  }
  const layout = await lookOnce(page, address, { viewport: desktop, checked: false })
  const inWide = [...layout, ...(await axeIn(wide))]
  await page.setViewportSize(phone)
  const inNarrow = [...(await axeIn(narrow)), ...(await overflowFaults(page)), ...(await controlFaults(page))]

  await page.setViewportSize(zoomed)
  return [...named('1280 px', inWide), ...named('360 px', inNarrow), ...named('320 px', await overflowFaults(page))]
}
