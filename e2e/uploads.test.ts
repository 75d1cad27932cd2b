import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeFaults } from './browser/inspection.ts'
import { press } from './browser/keyboard.ts'
import { ada, hear, signIn, visit, withMouse } from './browser/people.ts'
import { openSite, type Person, type Site } from './browser/site.ts'
import { openChromium, openVisitor, type VisitorOptions } from './browser/visitor.ts'

const grace: Person = { ...ada, name: 'Grace Hopper', email: 'grace@example.com' }

/** Pictures that people drop, paste or choose, crop and upload. */

let site: Site
let browser: Browser

beforeAll(async () => {
  ;[site, browser] = await Promise.all([openSite(), openChromium()])
  const owner = await site.account(ada)
  await site.organization({ name: 'Northwind', slug: 'northwind' }, owner, {})
  await site.administrator(grace)
})

afterAll(async () => {
  await browser.close()
  await site[Symbol.asyncDispose]()
})

async function openPage(path: string, options: VisitorOptions = {}, person = ada) {
  const visitor = await openVisitor(browser, options)
  await signIn(visitor, site, person)
  await visit(visitor.page, site, path)
  return visitor
}

/** A picture with a red left half and a blue right half. */
const halves = (page: Page, type: 'image/png' | 'image/jpeg' = 'image/png'): Promise<number[]> =>
  page.evaluate(async (type) => {
    const canvas = document.createElement('canvas')
    Object.assign(canvas, { width: 800, height: 400 })
    const context = canvas.getContext('2d')!
    for (const [at, color] of ['#f00', '#00f'].entries()) {
      context.fillStyle = color
      context.fillRect(at * 400, 0, 400, 400)
    }
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type))
    return [...new Uint8Array(await blob!.arrayBuffer())]
  }, type)

/** Drops or pastes a file as a browser does. */
const hand = (page: Page, how: 'drop' | 'paste', bytes: readonly number[], type = 'image/png') =>
  page.evaluate(
    ({ how, bytes, type }) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([new Uint8Array(bytes)], 'halves', { type }))
      const event =
        how === 'drop'
          ? new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true })
          : new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true, cancelable: true })
      document.querySelector('[data-tg="picture"], .picture_field')!.dispatchEvent(event)
    },
    { how, bytes, type },
  )

/** The size of a picture of the page, and the colors of its left and right edges: `r` or `b`. */
const seen = (page: Page, selector: string) =>
  page.locator(selector).evaluate(async (picture) => {
    const image = new Image()
    image.src = (picture as HTMLImageElement).src
    await image.decode()
    const canvas = document.createElement('canvas')
    const { width, height } = Object.assign(canvas, { width: image.naturalWidth, height: image.naturalHeight })
    const context = canvas.getContext('2d', { willReadFrequently: true })!
    context.drawImage(image, 0, 0)
    const colorAt = (x: number) => {
      const [red = 0, , blue = 0] = context.getImageData(x, height >> 1, 1, 1).data
      return red > blue ? 'r' : 'b'
    }
    return `${width}x${height} ${colorAt(2)}${colorAt(width - 3)}`
  })

const avatar = '[data-tg="picture"] img'

test('a picture is dropped, cropped by arrow keys and saved without a mouse', async () => {
  await using visitor = await openPage('/account')
  const { page } = visitor
  await hand(page, 'drop', await halves(page))
  await page.getByRole('dialog', { name: 'Crop picture' }).waitFor()
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Position of the picture')
  expect(await axeFaults(page)).toEqual([])

  for (let count = 0; count < 12; count += 1) await page.keyboard.press('ArrowRight')
  await press(page, 'Save picture')
  await hear(page, 'status', 'Saved.')

  expect(await seen(page, avatar)).toBe('400x400 rr')
  expect(await page.locator(avatar).getAttribute('src')).toContain(`${site.origin}/pictures/`)
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('picture')
  expect(visitor.takeFaults()).toEqual([])
})

test('a pasted photo is moved by pointer, and can be zoomed', async () => {
  await using visitor = await openPage('/account')
  const { page } = visitor
  await hand(page, 'paste', await halves(page, 'image/jpeg'), 'image/jpeg')
  await page.getByLabel('Zoom').fill('2')
  const board = (await page.locator('canvas').boundingBox())!
  await page.mouse.move(board.x + board.width / 2, board.y + board.height / 2)
  await page.mouse.down()
  await page.mouse.move(board.x - board.width, board.y, { steps: 8 })
  await page.mouse.up()
  await withMouse(page).press('Save picture')
  await hear(page, 'status', 'Saved.')

  expect(await seen(page, avatar)).toBe('200x200 bb')
  expect(visitor.takeFaults()).toEqual([])
})

test('Escape keeps the picture as it was, and the same file can be chosen again', async () => {
  await using visitor = await openPage('/account')
  const { page } = visitor
  const file = { name: 'halves.png', mimeType: 'image/png', buffer: Buffer.from(await halves(page)) }
  for (const _ of ['first', 'second']) {
    await page.getByLabel('picture').setInputFiles(file)
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('picture')
  }
  expect(visitor.takeFaults()).toEqual([])
})

test.each([
  ['a drawing with scripts', 'image/svg+xml', 10, 'This file can’t be used.'],
  ['a file that is no picture', 'image/png', 10, 'This file can’t be used.'],
  ['a file of more than 5 MB', 'image/jpeg', 5 * 1024 * 1024 + 1, 'This picture is too large.'],
])('%s is refused at the field', async (_, mimeType, size, text) => {
  await using visitor = await openPage('/account')
  const { page } = visitor
  await page.locator('#picture').setInputFiles({ name: 'file', mimeType, buffer: Buffer.alloc(size) })
  await page.locator('#picture-error').getByText(text).waitFor()
  expect(await page.locator('#picture').getAttribute('aria-invalid')).toBe('true')
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(visitor.takeFaults()).toEqual([])
})

test('without a script a file is uploaded as it is, refused with its reason, and removed', async () => {
  await using drawing = await openPage('/account')
  const buffer = Buffer.from(await halves(drawing.page))
  await using visitor = await openPage('/account', { javaScriptEnabled: false, expected: /status of 400|failed: csp/ })
  const { page } = visitor
  const form = page.locator('form[enctype]')
  await form.locator('#picture').setInputFiles({ name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('no') })
  await form.getByRole('button', { name: 'Save picture' }).click()
  await page.locator('#picture-error').getByText('This file can’t be used.').waitFor()

  await form.locator('#picture').setInputFiles({ name: 'halves.png', mimeType: 'image/png', buffer })
  await form.getByRole('button', { name: 'Save picture' }).click()
  await hear(page, 'status', 'Saved.')
  expect(await page.locator(avatar).getAttribute('src')).toContain('/pictures/')

  await page.getByRole('button', { name: 'Remove picture' }).click()
  await hear(page, 'status', 'Saved.')
  expect(await page.locator(avatar).count()).toBe(0)
  expect(visitor.takeFaults()).toEqual([])
})

test('an organization has a logo from its creation on, and another one from its settings', async () => {
  // The page may ask for the short name once more, when the organization has it already.
  await using visitor = await openPage('/organizations/new', { expected: /status of 400/ })
  const { page } = visitor
  const mouse = withMouse(page)
  await mouse.fill('Name', 'Contoso')
  await hand(page, 'drop', await halves(page))
  await mouse.press('Save picture')
  await page.locator(avatar).waitFor()
  await mouse.press('Create organization')
  await page.getByRole('heading', { name: 'Contoso' }).waitFor()

  await visit(page, site, '/org/contoso/settings')
  expect(await seen(page, avatar)).toBe('400x400 rb')
  await hand(page, 'paste', await halves(page))
  await page.getByRole('dialog').waitFor()
  for (let count = 0; count < 12; count += 1) await page.keyboard.press('ArrowLeft')
  await mouse.press('Save picture')
  await hear(page, 'status', 'Saved.')
  expect(await seen(page, avatar)).toBe('400x400 bb')

  await mouse.press('Remove picture')
  await page.locator(avatar).waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('organization-picture')
  expect(visitor.takeFaults()).toEqual([])
})

test('an administrator gives the installation a logo in its own shape, which every page shows at once', async () => {
  await using visitor = await openPage('/admin/brand', {}, grace)
  const { page } = visitor
  await hand(page, 'drop', await halves(page))
  await page.getByRole('dialog', { name: 'Crop picture' }).waitFor()
  expect(await axeFaults(page)).toEqual([])
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Position of the picture')
  await page.getByLabel('Square').check()
  await page.getByLabel('As it is').check()
  await press(page, 'Save picture')
  await hear(page, 'alert', 'Picture saved')
  expect(await seen(page, '.picture_field img')).toBe('512x256 rb')

  const logo = (await page.locator('.picture_field img').getAttribute('src')) ?? 'none'
  await using stranger = await openVisitor(browser)
  await visit(stranger.page, site, '/sign-in')
  await stranger.page.locator(`img[src="${logo}"]`).waitFor()

  await press(page, 'Remove picture')
  await hear(page, 'alert', 'Picture removed')
  expect([...visitor.takeFaults(), ...stranger.takeFaults()]).toEqual([])
})
