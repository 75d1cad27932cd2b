import path from 'node:path'
import { expect, test } from 'vitest'
import { projectOf, projectOnDisk } from './project.ts'
import { texts } from './texts.ts'
import { computedKeys, sameAsInEnglish } from './texts-tables.ts'

const folder = 'packages/server/src/foundation/mail'
const en = {
  greeting: 'Hello {name},',
  receipt: { subject: 'Receipt', body: ['From {seller}, {seller}', 'Keep it.'] },
  seats: { one: 'One seat', other: '{count} seats' },
}
const de = {
  greeting: 'Guten Tag {name},',
  receipt: { subject: 'Beleg', body: ['{seller}: von {seller}', 'Ja.'] },
  seats: { one: '{count} Platz', other: '{count} Plätze' },
}
const code =
  "const { greeting, seats } = words\nexport const mail = words['receipt'].subject + words.receipt.body + greeting"

const json = (value: unknown) => JSON.stringify(value, null, 2)
const check = (files: Readonly<Record<string, string>>) =>
  texts.check(
    projectOf({
      [`${folder}/locales/en.json`]: json(en),
      [`${folder}/locales/de.json`]: json(de),
      [`${folder}/templates.ts`]: code,
      ...files,
    }),
  )

test.each([
  ['a text is missing', { ...de, receipt: { body: de.receipt.body } }, 3, 'receipt.subject is missing'],
  ['a paragraph is missing', { ...de, receipt: { ...de.receipt, body: ['{seller} {seller}'] } }, 5, 'receipt.body.1'],
  ['a text that English does not have', { ...de, farewell: 'Tschüss' }, 14, 'farewell is not in en.json'],
  ['an empty text', { ...de, greeting: ' ' }, 2, 'greeting is empty'],
  ['an exclamation mark', { ...de, receipt: { ...de.receipt, subject: 'Beleg!' } }, 4, 'receipt.subject shouts'],
  ['an English text', { ...de, receipt: { ...de.receipt, subject: 'Receipt' } }, 4, 'subject is not translated'],
  ['a placeholder is missing', { ...de, greeting: 'Guten Tag,' }, 2, 'has the placeholders none'],
  ['a translated placeholder', { ...de, greeting: 'Guten Tag {der Name},' }, 2, '{der Name}; en.json has {name}'],
  ['a number missing in its plural', { ...de, seats: { one: 'Ein Platz', other: 'Plätze' } }, 10, 'placeholders none'],
  [
    'a plural form is missing',
    { ...de, seats: { other: '{count} Plätze' } },
    10,
    'forms other; the language has one, o',
  ],
  ['a form too many', { ...de, seats: { ...de.seats, few: '{count} Plätze' } }, 10, 'forms few, one, other; the lang'],
  ['one text for a plural', { ...de, seats: '{count} Plätze' }, 10, 'seats has no plural forms'],
  ['a plural for one text', { ...de, greeting: { one: '{name}', other: '{name}' } }, 2, 'en.json has none'],
])('%s', async (_, language, line, message) => {
  const file = `${folder}/locales/de.json`

  expect(await check({ [file]: json(language) })).toContainEqual({
    file,
    line,
    message: expect.stringContaining(message),
  })
})

test('texts with the placeholders of English, in any order, are fine', async () => {
  expect(await check({})).toEqual([])
})

test('the form for 1, 21 and 31 names its number, the form for 1 alone need not', async () => {
  const file = `${folder}/locales/uk.json`
  const seats = { few: '{count} місця', many: '{count} місць', other: '{count} місця' }
  const uk = { ...de, seats: { ...seats, one: 'Одне місце' } }

  expect(await check({ [file]: json(uk) })).toEqual([
    { file, line: 10, message: 'seats has the placeholders none; en.json has {count}' },
  ])
  expect(await check({ [file]: json({ ...uk, seats: { ...seats, one: '{count} місце' } }) })).toEqual([])
})

test('a mail may greet with an exclamation mark, and short or shared words may be the English ones', async () => {
  const shared = { ...en, ok: 'OK', list: '{name}: {seller}', team: 'Team' }

  expect(
    await check({
      [`${folder}/locales/en.json`]: json(shared),
      [`${folder}/locales/de.json`]: json({ ...shared, ...de, greeting: 'Hallo {name}!' }),
      [`${folder}/list.ts`]: 'export const list = words.ok + words.list + words.team',
    }),
  ).toEqual([])
})

test.each([
  ['mentions it in a comment', '// words.greeting\nexport const mail = words.receipt.subject + words.receipt.body'],
  ['has a variable of its name', 'export const greeting = words.receipt.subject + words.receipt.body'],
])('a text is unused if the program only %s', async (_, other) => {
  const findings = await check({
    [`${folder}/templates.ts`]: `${other} + words.seats`,
    [`${folder}/templates.test.ts`]: "expect(words.greeting).toBe('')",
  })

  expect(findings).toEqual([
    { file: `${folder}/locales/en.json`, line: 2, message: expect.stringContaining('greeting is not used') },
  ])
})

test('a text is unused if one file reads its group and another a text of its name elsewhere', async () => {
  const findings = await check({
    [`${folder}/templates.ts`]: 'export const mail = words.greeting + words.seats + words.receipt.body',
    [`${folder}/other.ts`]: 'export const other = words.refund.subject',
  })

  expect(findings).toEqual([
    { file: `${folder}/locales/en.json`, line: 4, message: expect.stringContaining('receipt.subject is not used') },
  ])
})

test.each([
  ['by a computed member', 'export const mail = words.receipt[part] + words.greeting + words.seats'],
  ['by passing it on', 'export const mail = lines(words.receipt).concat(words.greeting, words.seats)'],
  ['item by item', 'export const mail = words.receipt.map(lineOf) + words.greeting + words.seats'],
])('a group of texts is used if a file reads it whole: %s', async (_, code) => {
  expect(await check({ [`${folder}/templates.ts`]: code })).toEqual([])
})

test('a group that is only spread is not used', async () => {
  const code = 'export const mail = { ...words.receipt, rest: words.greeting + words.seats }'

  const findings = await check({ [`${folder}/templates.ts`]: code })

  expect(findings.map(({ message }) => message.split(' ')[0])).toEqual(['receipt.subject', 'receipt.body'])
})

test('pages read a group under the name that a file of texts exports', async () => {
  const shop = 'apps/web/src/dashboard/seller'
  const files = {
    [`${shop}/locales/orders/en.json`]: json({ order: { title: 'Order', gone: 'No such order' } }),
    [`${shop}/locales/orders/de.json`]: json({ order: { title: 'Bestellung', gone: 'Keine solche Bestellung' } }),
    [`${shop}/orders/orders.texts.ts`]: 'export const orderWords = { ...words.order }',
    [`${shop}/orders/order.page.tsx`]: "import { orderWords as words } from './orders.texts.ts'\nwords.title",
  }

  const findings = await texts.check(projectOf(files))

  expect(findings.map(({ message }) => message.split(' ')[0])).toEqual(['order.gone'])
})

test('pages read the texts of components', async () => {
  const file = 'packages/react/src/locales/joining/en.json'
  const title = { joinOrganization: { title: 'Join' } }
  const page = 'export const title = messages.joinOrganization.title'

  const findings = await texts.check(projectOf({ [file]: json(title), 'apps/web/src/hosted/pages.tsx': page }))

  expect(findings).toEqual([])
})

test('a computed key is used if a file of its row names what the code computes', async () => {
  const file = 'packages/react/src/locales/en.json'
  const strengths = { password: { weak: 'weak', mighty: 'mighty' } }

  const findings = await texts.check(
    projectOf({
      [file]: json(strengths),
      'packages/react/src/components/password-strength.ts': "export type Strength = 'weak'",
    }),
  )

  expect(findings).toEqual([{ file, line: 4, message: expect.stringContaining('password.mighty is not used') }])
})

test('a language that only some folders have', async () => {
  const documents = 'packages/server/src/features/billing/documents/locales'
  const findings = await check({ [`${documents}/en.json`]: '{}' })

  expect(findings).toEqual([{ file: `${documents}/de.json`, line: 1, message: expect.stringContaining('missing') }])
})

test('the tables hold nothing that no text needs', () => {
  const project = projectOnDisk(path.join(import.meta.dirname, '../..'))
  const english = project.files.filter((file) => file.endsWith('/en.json')).map((file) => project.find(file) ?? '')
  const unknown = Object.keys(sameAsInEnglish).filter((text) => !english.some((each) => each.includes(json(text))))
  const without = computedKeys.filter(({ folder: where }) => !project.files.includes(`${where}/en.json`))

  expect([unknown, without]).toEqual([[], []])
})
