import type { Browser } from 'playwright-core'
import { expect, test } from 'vitest'
import { fixtures } from '../../packages/server/src/pages/testing/fixtures.ts'
import { lookAround, lookOnce, looksInTurn } from './inspection.ts'
import type { Site } from './site.ts'
import { desktop, phone } from './visitor.ts'
import { walk } from './walk.ts'
import { isWholeMatrix } from './whole-matrix.ts'

/** What is walked through in one file: half of the pages, so that the two halves may run side by side. */
type Area = 'people' | 'organizations'

const areaOf = (address: string): Area =>
  /^\/(?:org|organizations|accept-invitation|join|checkout|pricing)\//.test(address) ? 'organizations' : 'people'

/** Every state of every page by its address, and which one of its page it is. */
const turnOf = new Map<string, number>(
  Object.entries(fixtures).flatMap(([path, byName]) =>
    Object.keys(byName).map((name, index) => [`${path}?fixture=${name}`, index]),
  ),
)
const states = [...turnOf.keys()]

/** Besides English, which the first walk is in, and German, whose words are the longest. */
const otherLanguages = ['es', 'fr', 'pl', 'ru', 'tr', 'uk'] as const

/** Two languages for each state: German, and one of the others in turn. */
const translated = states.flatMap((state, index) =>
  ['de', otherLanguages[index % otherLanguages.length]].map((language) => `${state}&lang=${language}`),
)

/** What holds for every state of every page of an area. */
export function pageStory(area: Area, opened: () => { readonly site: Site; readonly browser: Browser }): void {
  const own = (addresses: readonly string[]) => addresses.filter((address) => areaOf(address) === area)

  if (isWholeMatrix) {
    test('every state of every page is accessible, in place and quiet: wide and narrow, light and dark', async () => {
      const { site, browser } = opened()
      const faults = await walk(browser, own(states), (page, address) =>
        lookAround(page, site.origin + address, looksInTurn(turnOf.get(address) ?? 0)),
      )

      expect(own(states).length).toBeGreaterThan(100)
      expect(faults).toEqual([])
    }, 900_000)

    test('every state fits a telephone in German and in another language', async () => {
      const { site, browser } = opened()
      const faults = await walk(browser, own(translated), (page, address) =>
        lookOnce(page, site.origin + address, { viewport: phone, checked: false }),
      )

      expect(faults).toEqual([])
    }, 900_000)
  } else {
    test('every state of every page is accessible, in place and quiet: wide in English, or narrow, dark and in German', async () => {
      const { site, browser } = opened()
      const faults = await walk(browser, own(states), (page, address) =>
        states.indexOf(address) % 2 === 0
          ? lookOnce(page, site.origin + address, { viewport: desktop })
          : lookOnce(page, `${site.origin}${address}&lang=de`, { viewport: phone, colorScheme: 'dark' }),
      )

      expect(own(states).length).toBeGreaterThan(100)
      expect(faults).toEqual([])
    }, 900_000)
  }
}
