import type { Page } from 'playwright-core'

type Stop = { readonly name: string; readonly ring: boolean; readonly html: string; readonly inPage: boolean }

/** Where the keyboard is: what the element is called, and whether it can be seen that it is there. */
function whereFocusIs(page: Page): Promise<Stop> {
  return page.evaluate(() => {
    const element = document.activeElement
    if (!(element instanceof HTMLElement) || element === document.body)
      return { name: '', ring: false, html: '', inPage: false }
    const isField =
      element instanceof HTMLInputElement ||
      element instanceof HTMLSelectElement ||
      element instanceof HTMLTextAreaElement
    const label = isField ? element.labels?.[0]?.textContent : element.textContent
    const name = (element.getAttribute('aria-label') ?? label ?? '').trim()
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element)
    const drawn = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2
    const { top, bottom, left, right } = element.getBoundingClientRect()
    const inView = bottom > 0 && top < innerHeight && right > 0 && left < innerWidth
    const ring = drawn && outlineColor !== 'rgba(0, 0, 0, 0)' && inView
    return { name, ring, html: element.outerHTML.slice(0, 100), inPage: true }
  })
}

/**
 * Presses Tab from before a page until after it: what comes in turn, and what does not show the focus. A button of the
 * test stands on either side, because browsers differ in what follows the last control: their own bar, or the page again.
 */
export async function stops(page: Page): Promise<{ names: string[]; invisible: string[] }> {
  const names: string[] = []
  const invisible: string[] = []
  await page.evaluate(() => {
    const before = document.createElement('button')
    const after = document.createElement('button')
    before.dataset.edge = after.dataset.edge = ''
    document.body.prepend(before)
    document.body.append(after)
    before.focus()
  })
  for (let count = 0; count < 60; count++) {
    await page.keyboard.press('Tab')
    if (await page.evaluate(leavePage)) return { names, invisible }
    const { name, ring, html } = await whereFocusIs(page)
    names.push(name)
    if (!ring) invisible.push(html)
  }
  throw new Error(`Tab does not come out of the page: ${names.join(', ')}`)
}

/** Where the focus has reached the button after the page, takes both buttons away again. */
function leavePage(): boolean {
  if (!document.activeElement?.matches('[data-edge]')) return false
  for (const edge of document.querySelectorAll('[data-edge]')) edge.remove()
  return true
}

/** Goes on with Tab until the element of that name has the focus, and sees at each stop where it is. */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const passed: string[] = []
  for (let count = 0; count < 60; count++) {
    const stop = await whereFocusIs(page)
    if (stop.inPage && count > 0 && !stop.ring) throw new Error(`The focus cannot be seen on ${stop.html}`)
    if (typeof name === 'string' ? stop.name === name : name.test(stop.name)) return
    passed.push(stop.name)
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not lead to ${name}, only to: ${passed.join(', ')}`)
}

/** Types into the field of that name, in place of what it holds. */
export async function typeInto(page: Page, name: string | RegExp, text: string): Promise<void> {
  await tabTo(page, name)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText(text)
}

/** Ticks the box of that name, or takes its tick away. */
export async function tick(page: Page, name: string): Promise<void> {
  await tabTo(page, name)
  await page.keyboard.press('Space')
}

/** Chooses in the list of that name by typing how the choice begins. */
export async function choose(page: Page, name: string, choice: string): Promise<void> {
  await tabTo(page, name)
  await page.keyboard.type(choice)
}

/** Presses the button or follows the link of that name. */
export async function press(page: Page, name: string | RegExp): Promise<void> {
  await tabTo(page, name)
  await page.keyboard.press('Enter')
}
