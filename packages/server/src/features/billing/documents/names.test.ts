import fc from 'fast-check'
import { expect, test } from 'vitest'
import { invoice } from '../testing/drawn-invoice.ts'
import { pdfPages, pdfPlaces, pdfText } from '../testing/pdf.ts'
import type { DocumentContent } from './drawing/document-content.ts'
import { needsScriptFonts } from './drawing/script-fonts.ts'
import { drawDocument } from './drawing.ts'
import { createPress } from './press.ts'

const { buyer, seller } = invoice
const address = { line1: 'Street 1', line2: null, postalCode: '1', city: 'City', state: null, country: 'DE' }

const called = (name: string, country = 'DE'): DocumentContent => ({
  ...invoice,
  buyer: { ...buyer, name, address: { ...address, country } },
})

/** The buyer's name on the invoice, from left to right; several lines are joined. */
const nameOn = (pdf: Uint8Array): string =>
  /Billed to\n([\s\S]*?)\nStreet 1/.exec(pdfText(pdf)[0]!)![1]!.replace(/\n/g, '')

test.each([
  ['Japanese', '株式会社 東京データ・ソリューションズ'],
  ['Chinese', '北京字节跳动科技有限公司'],
  ['Taiwanese', '臺灣積體電路製造股份有限公司'],
  ['Korean', '주식회사 카카오뱅크'],
  ['Korean with Chinese characters', '삼성전자 三星電子'],
  ['Chinese and Latin', 'Acme 株式 GmbH (東京)'],
  ['Thai', 'บริษัท เทคโนโลยี จำกัด'],
  ['Armenian', 'Տեխնոլոգիաներ'],
  ['Georgian', 'ტექნოლოგიები'],
  ['Ethiopic', 'ቴክኖሎጂ'],
  ['Lao', 'ບໍລິສັດ ລາວ'],
  ['Tamil', 'நிறுவனம்'],
  ['a mark that its font has no place for on its letter', 'ਪੰਜਾਬੀ'],
])('a name in %s is read as it was typed', async (_, name) => {
  const pdf = await drawDocument(called(name))

  // Vowels written before their consonant, and stacked marks, have a drawing order of their own.
  expect([...nameOn(pdf)].sort()).toEqual([...name].sort())
  expect(pdfText(pdf)[0]).not.toContain('U+')
})

test.each([
  ['Hebrew', 'שלום כהן', 'ןהכ םולש'],
  ['Hebrew with digits', 'רחוב 12, קומה 3', '3 המוק ,12 בוחר'],
  ['Hebrew with Latin letters and brackets', 'חברה (ישראל) Acme Ltd', 'Acme Ltd (לארשי) הרבח'],
  ['Latin with Hebrew', 'Acme (ישראל) Ltd', 'Acme (לארשי) Ltd'],
  ['Arabic', 'شركة التقنية', 'ةينقتلا ةكرش'],
  ['Arabic with its digits', 'مبنى ١٢٣', '١٢٣ ىنبم'],
  ['Persian with its digits', 'پلاک ۱۲۳', '۱۲۳ کالپ'],
])('%s is written from right to left, with its Latin text and numbers from left to right', async (_, name, drawn) => {
  expect(nameOn(await drawDocument(called(name)))).toBe(drawn)
})

/** The families of a document's embedded fonts; each file of a family has a number after a dot. */
const fontsOf = async (content: DocumentContent): Promise<Set<string>> => {
  const file = Buffer.from(await drawDocument(content, { compress: false })).toString('latin1')
  return new Set(Array.from(file.matchAll(/\/FontName \/\w+\+([^\s.]+)/g), ([, name]) => name!))
}

test.each([
  ['直角', 'JP', 'NotoSansJP-600'],
  ['直角', 'TW', 'NotoSansTC-600'],
  ['直角', 'KR', 'NotoSansKR-600'],
  ['直角', 'CN', 'NotoSansSC-600'],
  ['直角', 'DE', 'NotoSansSC-600'],
  ['直角データ', 'DE', 'NotoSansJP-600'],
  ['직각 直角', 'DE', 'NotoSansKR-600'],
])('of the forms that %s has, that of the language or of the country (%s) is drawn', async (name, country, font) => {
  expect(await fontsOf(called(name, country))).toEqual(new Set(['NotoSans-Regular', 'NotoSans-SemiBold', font]))
})

test('a screen reader reads the typed text, in any order and with any fonts', async () => {
  const typed = 'חברה Acme 株式'
  const file = Buffer.from(await drawDocument(called(typed), { compress: false })).toString('latin1')

  const utf16 = Buffer.from(`\ufeff${typed}`, 'utf16le').swap16().toString('latin1')
  expect(file).toContain(`/ActualText (${utf16.replace(/[\\()]/g, '\\$&')})`)
})

test.each([
  ['Chinese', '株'.repeat(256)],
  ['Hebrew', 'שלום עולם '.repeat(40)],
  ['Thai', 'บริษัทเทคโนโลยีไทยจำกัด'.repeat(20)],
  ['Arabic without an end', 'ش'.repeat(256)],
])(
  'a long name in %s breaks to lines of its column, and ends with an ellipsis when they are too many',
  async (_, name) => {
    const pdf = await drawDocument(called(name))
    const [page] = pdfPages(pdf)
    const [ordinary] = pdfPages(await drawDocument(called('Ada')))

    const street = (on: typeof page) => pdfPlaces(on!).findLast(({ text }) => text === 'Street 1')!.y
    const lineHeight = 9.5 * 1.362 + 2.5
    expect(street(page) - street(ordinary)).toBeCloseTo(5 * lineHeight, 1)
    for (const { x } of pdfPlaces(page!)) {
      expect(x).toBeGreaterThanOrEqual(55)
      expect(x).toBeLessThan(540)
    }
    expect(nameOn(pdf)).toContain('…')
    expect(pdfText(pdf)[0]).toContain('Total\n€11.31 EUR')
  },
)

test('text without a font keeps its information: whole names, a sentence that explains it, the foot', async () => {
  const name = 'ကုမ္ပဏီ💥'
  const [numbered] = pdfText(await drawDocument({ ...called(name), seller: { ...seller, legalName: '東京 💥' } }))
  const [usual] = pdfText(await drawDocument(invoice))

  const points = [...numbered!.matchAll(/U\+([0-9A-F]{4,6})/g)].map(([, digits]) => Number.parseInt(digits!, 16))
  expect(String.fromCodePoint(...points)).toContain(name)
  expect(numbered).toContain('stands for letters that this document’s font does not have')
  expect(numbered!.replace(/\n/g, '')).toContain('ACME-000123 · 東京 [U+1F4A5]Page 1')
  expect(usual).not.toContain('U+')
})

test('without the optional package, letters of further scripts are written as numbers, and nothing else changes', async () => {
  const load = async () => undefined
  const [page] = pdfText(await drawDocument(called('株 Ада Άλφα'), { load }))

  expect(page!.replace(/\n/g, '')).toContain('[U+682A] Ада Άλφα')
  expect(page).toContain('stands for letters that this document’s font does not have')
  for (const content of [invoice, called('Ірина Ψυχή Žižka अनु')])
    expect(Buffer.compare(await drawDocument(content), await drawDocument(content, { load }))).toBe(0)
})

test.each([
  ['Ada Lovelace GmbH, 12 €', false],
  ['Ірина Ψυχή Žižka', false],
  ['अनु', false],
  ['Boom 💥', false],
  ['株', true],
  ['データ', true],
  ['שלום', true],
  ['บริษัท', true],
])('%s needs the optional package: %s', (name, isNeeded) => {
  expect(needsScriptFonts(called(name))).toBe(isNeeded)
})

test('no document needs hundreds of font files: excess characters are written as numbers', async () => {
  const everywhere = Array.from({ length: 250 }, (_, at) => String.fromCodePoint(0xac00 + 44 * at)).join('')
  const lines = [{ label: everywhere, amount: 1900 }]
  const text = pdfText(await drawDocument({ ...invoice, lines }))[0]!

  expect(text).toContain('가')
  expect(text).toContain('[U+')
})

test('the same names give the same bytes, whatever was drawn before and on any thread', async () => {
  const press = createPress()
  const content = called('חברה 株式会社 شركة ริษัท')
  const here = await drawDocument(content)
  await drawDocument(called('株 データ שָׁלוֹם ش (1)', 'TW'))
  const again = await drawDocument(content)
  const there = await press.draw(content)
  await press.close()

  expect(Buffer.compare(here, again)).toBe(0)
  expect(Buffer.compare(here, there)).toBe(0)
})

test('letters that share a glyph are read in their usual form, whichever came first', async () => {
  const read = async (name: string) => nameOn(await drawDocument(called(name)))

  expect(await read('µ\u00a0μ ﬁ')).toBe('µ μ fi')
  expect(await read('a ﬁ')).toBe('a fi')
})

test('any typed characters, in any order, give a document', async () => {
  const blocks = [
    '\u0590',
    '\u0600',
    '\u0900',
    '\u0980',
    '\u0a00',
    '\u0a80',
    '\u0b80',
    '\u0c00',
    '\u0c80',
    '\u0d00',
    '\u0d80',
  ]
  const more = [
    '\u0e00',
    '\u0e80',
    '\u1000',
    '\u1200',
    '\u1780',
    '\u2000',
    '\u3000',
    '\u4e00',
    '\uac00',
    '\ufb50',
    '\ud83d\udc00',
  ]
  const letter = fc
    .tuple(fc.constantFrom(' ', 'a', '1', '(', ...blocks, ...more), fc.nat(127))
    .map(([first, offset]) => String.fromCodePoint(first.codePointAt(0)! + (first > '\u0100' ? offset : 0)))
  const label = fc.array(letter, { maxLength: 60 }).map((letters) => letters.join(''))

  await fc.assert(
    fc.asyncProperty(fc.array(label, { minLength: 1, maxLength: 12 }), async (labels) => {
      const lines = labels.map((each) => ({ label: each, amount: 1900 }))
      expect(pdfText(await drawDocument({ ...invoice, lines })).at(-1)).toContain('Total\n')
    }),
    { seed: 20_260_301, numRuns: 8 },
  )
})
