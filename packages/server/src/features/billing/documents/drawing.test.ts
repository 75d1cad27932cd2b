import { expect, test } from 'vitest'
import { mailLocales } from '../../../foundation/mail/templates.ts'
import { invoice } from '../testing/drawn-invoice.ts'
import { pdfPages, pdfPlaces, pdfText } from '../testing/pdf.ts'
import type { DocumentContent } from './drawing/document-content.ts'
import { drawDocument } from './drawing.ts'
import { createPress } from './press.ts'

const textOf = async (changes: Partial<DocumentContent> = {}) => pdfText(await drawDocument({ ...invoice, ...changes }))

test('an invoice names the seller, the products and the buyer, and explains its total', async () => {
  const [page, ...more] = await textOf()

  expect(more).toEqual([])
  expect(page!.split('\n')).toEqual([
    'Acme',
    'Paid on March 1, 2026',
    'Invoice',
    'Number',
    'ACME-000123',
    'Date of issue',
    'March 1, 2026',
    'Date of supply',
    'March 1, 2026',
    'From',
    'Acme Werkzeuge GmbH',
    'Hauptstraße 12',
    '10115 Berlin',
    'Germany',
    'Tax ID: DE123456789',
    'billing@acme.example',
    'https://acme.example',
    'Billed to',
    'Ada Lovelace',
    '1 Analytical Way',
    'Floor 3',
    'San Francisco, CA 94105',
    'United States',
    'Tax ID: ATU12345678',
    'ada@example.com',
    'Description',
    'Amount',
    'Pro, monthly',
    '€19.00',
    'Subtotal',
    '€19.00',
    'Discount Spring',
    '−€9.50',
    'Net amount',
    '€9.50',
    'VAT DE 19% on €9.50',
    '€1.81',
    'Total',
    '€11.31 EUR',
    'Visa ending in 4242',
    'ACME-000123 · Acme Werkzeuge GmbH',
    'Page 1 of 1',
  ])
})

test.each([
  ['en', 'Service period: March 1, 2026 – April 1, 2026'],
  ['de', 'Leistungszeitraum: 1. März 2026 – 1. April 2026'],
] as const)('in %s a subscription shows its paid period', async (locale, said) => {
  const period = { start: '2026-03-01T12:00:00.000Z', end: '2026-04-01T12:00:00.000Z' }
  const [page] = await textOf({ locale, lines: [{ label: 'Pro', amount: 1900, period }] })

  expect(page).toContain(`Pro\n${said}\n`)
  expect((await textOf({ locale }))[0]).not.toContain(said.slice(0, 10))
})

test.each([
  [
    'de',
    'invoice',
    ['Rechnung', 'Bezahlt am 1. März 2026', 'Vereinigte Staaten', 'MwSt. DE 19 % auf 9,50 €', '11,31 € EUR'],
  ],
  ['ru', 'receipt', ['Чек', 'Оплачено 1 марта 2026 г.', 'Соединенные Штаты', 'Итого', '11,31 € EUR']],
  ['tr', 'credit_note', ['İade faturası', 'İlgili fatura', 'ACME-000123', 'İade edilen toplam', '€11,31 EUR']],
  [
    'fr',
    'credit_note',
    ['Avoir', 'N° fiscal : DE123456789', 'Pour la facture', 'Remboursé le 1 mars 2026', 'Total remboursé'],
  ],
  ['pl', 'invoice', ['Faktura', 'Nabywca', 'Kwota netto', 'Razem']],
] as const)('in %s a document (%s) speaks the language of its buyer', async (locale, kind, parts) => {
  const [page] = await textOf({ locale, kind })

  for (const part of parts) expect(page).toContain(part)
})

test.each(mailLocales)('in %s nothing is left out for want of a letter or a word', async (locale) => {
  const tax = { treatment: 'reverse_charge', lines: [] } as const
  const [reversed, exempt] = [
    await textOf({ locale, isTest: true, tax: { ...tax, lines: [] }, taxAmount: 0 }),
    await textOf({ locale, tax: { treatment: 'exempt', lines: [] }, taxAmount: 0 }),
  ]

  for (const [page] of [reversed, exempt]) {
    expect(page).not.toMatch(/[?{}]|undefined/)
    expect(page!.split('\n').every((line) => line.length > 0)).toBe(true)
  }
  expect(reversed).not.toEqual(exempt)
})

test('a reverse charge states that the buyer owes the tax; an exempt sale states that it is exempt', async () => {
  const noTax = { taxAmount: 0, netAmount: 950, totalAmount: 950 }

  const reversed = await textOf({ ...noTax, tax: { treatment: 'reverse_charge', lines: [] } })
  const exempt = await textOf({ ...noTax, tax: { treatment: 'exempt', lines: [] } })
  const untaxed = await textOf({ ...noTax, tax: { treatment: 'not_registered', lines: [] } })

  expect(reversed[0]).toContain('Reverse charge: the recipient of the supply is liable for the tax.')
  expect(reversed[0]).toContain('Tax\n€0.00')
  expect(exempt[0]).toContain('What was sold is exempt from tax.')
  expect(untaxed[0]).not.toMatch(/Reverse|exempt/)
})

test('test money has a striped edge on every page, and a label', async () => {
  const lines = Array.from({ length: 40 }, (_, at) => ({ label: `Item ${at}`, amount: 100 }))

  const real = pdfPages(await drawDocument({ ...invoice, lines }))
  const tested = pdfPages(await drawDocument({ ...invoice, lines, isTest: true }))

  const stripes = (page: (typeof real)[number]) =>
    page.operations.filter(({ operator, operands }) => operator === 're' && operands[3] === '6').length
  expect(real.map(stripes)).toEqual(real.map(() => 0))
  expect(tested.map(stripes)).toEqual(tested.map(() => 1))
  expect((await textOf({ isTest: true }))[0]).toContain('Test mode: no real money has moved.')
})

test('many items break to further pages, each with the heads of the table and its number', async () => {
  const wordy = 'a description that is long enough to need more than one line of its column, and then some more words'
  const lines = Array.from({ length: 40 }, (_, at) => ({ label: `Item ${at + 1}: ${wordy}`, amount: 100 }))

  const pages = await textOf({ lines, discount: null, netAmount: 4000 })

  expect(pages.length).toBeGreaterThan(2)
  for (const [at, page] of pages.entries()) expect(page).toContain(`Page ${at + 1} of ${pages.length}`)
  for (const page of pages.slice(0, -1)) expect(page).toContain('Description\nAmount')
  const shown = pages.join('\n').match(/Item \d+:/g)
  expect(shown).toEqual(lines.map((_, at) => `Item ${at + 1}:`))
  expect(pages.at(-1)).toContain('Total\n€11.31 EUR')
})

test.each([
  ['an emoji', 'Boom 💥', 'Boom [U+1F4A5]'],
  ['a form of an emoji', 'Love ❤\ufe0f', 'Love [U+2764]'],
  ['half of a letter', 'Half \ud83d', 'Half'],
  ['a turn of direction', '\u202eevil\u202c', 'evil'],
  ['controls', 'a\u0000b\u001b[1mc', 'ab[1mc'],
  ['a letter and its mark apart', 'Cafe\u0301', 'Café'],
  ['what a PDF would take for its own', '(a) \\ <b> % endobj', '(a) \\ <b> % endobj'],
])('%s in a name breaks nothing', async (_, name, shown) => {
  const [page] = await textOf({ buyer: { ...invoice.buyer, name } })

  expect(page!.split('\n').map((line) => line.trim())).toContain(shown)
})

test('words without an end, amounts without a sense of proportion: everything stays within the page', async () => {
  const pages = pdfPages(
    await drawDocument({
      ...invoice,
      seller: {
        ...invoice.seller,
        name: 'N'.repeat(256),
        legalName: 'L'.repeat(256),
        website: `https://${'w'.repeat(2000)}`,
        note: Array(12).fill('Q'.repeat(82)).join('\n'),
      },
      buyer: {
        ...invoice.buyer,
        name: 'W'.repeat(256),
        address: { ...invoice.buyer.address!, line1: 'A'.repeat(255), line2: 'B '.repeat(120), city: 'C'.repeat(255) },
        email: `${'x'.repeat(64)}@${'y'.repeat(185)}.example`,
      },
      lines: Array.from({ length: 9 }, () => ({ label: 'W'.repeat(256), amount: 999_999_999_999 })),
      discount: { name: 'D'.repeat(256), amount: 999_999_999_999 },
      netAmount: 999_999_999_999,
      totalAmount: 999_999_999_999,
    }),
  )

  const shown = pages.flatMap(pdfPlaces).map(({ text }) => text)
  expect(shown.join('').match(/Q/g)).toHaveLength(12 * 82)
  const places = pages.flatMap(({ operations }) => operations.filter(({ operator }) => operator === 'Tm'))
  expect(places.length).toBeGreaterThan(50)
  for (const { operands } of places) {
    expect(Number(operands[4])).toBeGreaterThanOrEqual(55)
    expect(Number(operands[4])).toBeLessThan(540)
    expect(Number(operands[5])).toBeGreaterThan(30)
  }
})

test('the same document is the same to the byte, whenever and wherever it is drawn', async () => {
  const press = createPress()
  const here = await drawDocument(invoice)
  await drawDocument({ ...invoice, locale: 'fr', lines: [{ label: 'a\u00a0b  c', amount: 123_456_789 }] })
  const again = await drawDocument(invoice)
  const there = await press.draw(invoice)
  await press.close()

  expect(Buffer.compare(here, again)).toBe(0)
  expect(Buffer.compare(here, there)).toBe(0)
})

test('readers get title, language and headings; the date is that of the document', async () => {
  const file = Buffer.from(await drawDocument({ ...invoice, locale: 'de' }, { compress: false })).toString('latin1')

  expect(file).toContain('/Lang (de)')
  expect(file).toContain('/DisplayDocTitle true')
  expect(file).toContain('/Marked true')
  expect(file).toContain('(D:20260301120000Z)')
  expect(file).toContain('Rechnung ACME-000123')
  for (const type of ['/S /H1', '/S /Table', '/S /TH', '/S /TD']) expect(file).toContain(type)
})

test('a press batches its drawings, refuses after its end, and reports failures', async () => {
  const press = createPress()

  const drawn = await Promise.all(['A-1', 'A-2', 'A-3'].map((number) => press.draw({ ...invoice, number })))
  await expect(press.draw({ ...invoice, currency: 'no currency' })).rejects.toThrow(/currency/i)
  const after = await press.draw(invoice)
  await press.close()

  expect(drawn.map((pdf) => /A-\d/.exec(pdfText(pdf)[0]!)?.[0])).toEqual(['A-1', 'A-2', 'A-3'])
  expect(pdfText(after)[0]).toContain('ACME-000123')
  await expect(press.draw(invoice)).rejects.toMatchObject({ error: 'SERVICE_UNAVAILABLE' })
})

test('an invoice that is still to be paid says until when, with its number, and links to the page to pay it', async () => {
  const payUrl = 'https://pay.example.com/pay/token'
  const open = { dueAt: '2026-03-15T12:00:00.000Z', payUrl, card: null, balanceAmount: -100 }

  const [page] = await textOf(open)
  const bytes = Buffer.from(await drawDocument({ ...invoice, ...open }, { compress: false })).toString('latin1')
  const [note] = await textOf({ ...open, kind: 'credit_note' })

  expect(page!.split('\n')).toEqual(
    expect.arrayContaining([
      'Due on March 15, 2026',
      'Amount due',
      'Please pay by March 15, 2026 and quote ACME-000123.',
      'Pay online',
    ]),
  )
  expect(page).not.toContain('Paid on')
  expect(bytes).toContain(`/URI (${payUrl})`)
  expect(note).not.toContain('Pay online')
})
