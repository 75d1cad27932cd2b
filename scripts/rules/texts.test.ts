import { expect, test } from 'vitest'
import { projectOf } from './project.ts'
import { texts } from './texts.ts'

const folder = 'packages/server/src/foundation/mail'
const en = { greeting: 'Hello {name},', receipt: { subject: 'Receipt', body: ['From {seller}, {seller}', 'Keep it.'] } }
const de = { greeting: 'Guten Tag {name},', receipt: { subject: 'Beleg', body: ['{seller}: von {seller}', 'Ja.'] } }
const code = "const { greeting } = words\nexport const mail = words['receipt'].subject + words.receipt.body"

const json = (value: unknown) => JSON.stringify(value, null, 2)
const check = (files: Readonly<Record<string, string>>) =>
  texts.check(projectOf({ [`${folder}/locales/en.json`]: json(en), [`${folder}/locales/de.json`]: json(de), ...files }))

test.each([
  ['a text is missing', { greeting: de.greeting }, 1, 'receipt.subject is missing'],
  ['a paragraph is missing', { ...de, receipt: { ...de.receipt, body: ['{seller} {seller}'] } }, 5, 'receipt.body.1'],
  ['a text that English does not have', { ...de, farewell: 'Tschüss' }, 10, 'farewell is not in en.json'],
  ['an empty text', { ...de, greeting: ' ' }, 2, 'greeting is empty'],
  ['a placeholder is missing', { ...de, greeting: 'Guten Tag,' }, 2, 'has the placeholders none'],
  ['a translated placeholder', { ...de, greeting: 'Guten Tag {der Name},' }, 2, '{der Name}; en.json has {name}'],
])('%s', async (_, language, line, message) => {
  const file = `${folder}/locales/de.json`
  const findings = await check({ [file]: json(language), [`${folder}/templates.ts`]: code })

  expect(findings).toContainEqual({ file, line, message: expect.stringContaining(message) })
})

test('a text that the program does not use', async () => {
  const findings = await check({
    [`${folder}/templates.ts`]:
      "// the receipt's greeting\nexport const mail = words.receipt.subject + words.receipt.body",
    [`${folder}/templates.test.ts`]: "expect(words.greeting).toBe('')",
  })

  expect(findings).toEqual([
    { file: `${folder}/locales/en.json`, line: 2, message: expect.stringContaining('greeting is not used') },
  ])
})

test('a language that only some folders have', async () => {
  const documents = 'packages/server/src/features/billing/documents/locales'
  const findings = await check({ [`${folder}/templates.ts`]: code, [`${documents}/en.json`]: '{}' })

  expect(findings).toEqual([{ file: `${documents}/de.json`, line: 1, message: expect.stringContaining('missing') }])
})

test('texts with the placeholders of English, in any order, are fine', async () => {
  expect(await check({ [`${folder}/templates.ts`]: code })).toEqual([])
})
