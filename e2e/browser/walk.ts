import type { Browser, Page } from 'playwright-core'
import { watchShifts } from './inspection.ts'
import { openVisitor, type Visitor } from './visitor.ts'

/**
 * Looks at every address in a browser of its own, which `enter` can sign in first. Two windows share the addresses: while one of
 * them loads, the other one is looked at.
 */
export async function walk(
  browser: Browser,
  addresses: readonly string[],
  look: (page: Page, address: string) => Promise<string[]>,
  enter: (visitor: Visitor) => Promise<void> = async () => undefined,
): Promise<string[]> {
  await using visitor = await openVisitor(browser)
  await enter(visitor)
  const left = [...addresses]
  const places = new Map<string, string[]>()
  const walkAlone = async (page: Page) => {
    await watchShifts(page)
    for (let address = left.shift(); address !== undefined; address = left.shift()) {
      for (const fault of await look(page, address)) places.set(fault, [...(places.get(fault) ?? []), address])
    }
  }
  await Promise.all([walkAlone(visitor.page), walkAlone(await visitor.context.newPage())])
  // The same fault on many pages is one fault.
  const found = [...places].map(([fault, [first, ...others]]) => `${fault} at ${first} and ${others.length} others`)
  return [...found, ...visitor.takeFaults()]
}
