import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { usualBrand } from '../packages/server/src/foundation/brand.repository.ts'
import type { MailTemplate } from '../packages/server/src/foundation/mail/mail-data.ts'
import { mailLocales, renderMail } from '../packages/server/src/foundation/mail/templates.ts'
import { mailSamples } from '../packages/server/src/foundation/mail/testing/mail-samples.ts'
import { openChromium, openVisitor } from './browser/visitor.ts'

let browser: Browser

beforeAll(async () => {
  browser = await openChromium()
})

afterAll(() => browser?.close())

/** Names as long as people make them: beside them an amount has little room. */
const long = {
  name: 'Konstantin von Schwarzenberger-Montgomeryshire',
  organizationName: 'Northwind Traders International Holding Company',
  items: [
    { label: 'Pro plan for the whole team, with priority support and every atlas of the collection', amount: 190_000 },
  ],
  endpointName: 'The bookkeeping of the northern branch',
}

test.each([
  ['a telephone', 360],
  ['the inbox of a telephone', 294],
])('no mail breaks a word or is cut off on %s, in any language', async (_, room) => {
  await using visitor = await openVisitor(browser, { viewport: { width: room, height: 740 } })
  const { page } = visitor
  const sender = { appName: 'Acme', baseURL: 'https://accounts.acme.example', brand: usualBrand }
  const faults: string[] = []
  for (const locale of mailLocales) {
    for (const template of Object.keys(mailSamples) as MailTemplate[]) {
      const { html } = renderMail(template, { ...mailSamples[template], ...long }, locale, sender)
      await page.setContent(html)
      const found = await page.evaluate(brokenWords)
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      if (width > room) found.push(`${width} px wide`)
      faults.push(...found.map((fault) => `${template} in ${locale}: ${fault}`))
    }
  }

  expect(faults).toEqual([])
})

/** In the page: the words that stand on two lines. Addresses break anywhere. */
function brokenWords(): string[] {
  const broken: string[] = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    for (const { 0: word, index } of (node.textContent ?? '').matchAll(/[\p{L}\p{N}.,:$€]+/gu)) {
      if (node.parentElement?.closest('a, .address, .preview')) continue
      const range = document.createRange()
      range.setStart(node, index)
      range.setEnd(node, index + word.length)
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
      if (lines.size > 1) broken.push(word)
    }
  }
  return broken
}
