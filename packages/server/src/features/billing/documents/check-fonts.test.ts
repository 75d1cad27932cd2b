import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createTestServer } from '../../../testing.ts'
import { invoice } from '../testing/drawn-invoice.ts'
import { pdfText } from '../testing/pdf.ts'
import { checkFonts } from './check-fonts.ts'
import { createPress } from './press.ts'

const onDisk = async (files: Record<string, Uint8Array>) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'tollgate-fonts-'))
  for (const [name, bytes] of Object.entries(files)) await writeFile(path.join(folder, name), bytes)
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
}

const notoSans = () =>
  readFile(fileURLToPath(import.meta.resolve('@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf')))

const hebrew = () => {
  const file = '@fontsource-variable/noto-sans-hebrew/files/noto-sans-hebrew-hebrew-wght-normal.woff2'
  return readFile(fileURLToPath(import.meta.resolve(file)))
}

/** Noto Sans with another letter in place of its last one (OpenType, table `cmap`, format 12). */
async function withLetter(letter: string): Promise<Buffer> {
  const font = await notoSans()
  const table = font.readUInt32BE(font.indexOf('cmap') + 8)
  const places = Array.from({ length: font.readUInt16BE(table + 2) }, (_, at) => font.readUInt32BE(table + 8 + 8 * at))
  const groups = table + places.find((place) => font.readUInt16BE(table + place) === 12)!
  const last = groups + 16 + 12 * (font.readUInt32BE(groups + 12) - 1)
  font.writeUInt32BE(letter.codePointAt(0)!, last)
  font.writeUInt32BE(letter.codePointAt(0)!, last + 4)
  // A different font has a different checksum.
  font.writeUInt32BE(letter.codePointAt(0)!, font.readUInt32BE(font.indexOf('head') + 8) + 8)
  return font
}

test('letters that the shipped fonts lack are taken from the fonts that the operator names, in their order', async () => {
  await using files = await onDisk({ 'lava.ttf': await withLetter('🌋'), 'boom.ttf': await withLetter('💥') })
  const press = createPress([path.join(files.folder, 'lava.ttf'), path.join(files.folder, 'boom.ttf')])

  const text = pdfText(await press.draw({ ...invoice, buyer: { ...invoice.buyer, name: 'Boom 💥 🌋 🌊' } }))[0]!
  await press.close()

  expect(text.replace(/\n/g, '')).toContain('Boom 💥 🌋 [U+1F30A]')
})

test('a font that is no use refuses the start, with a sentence for each', async () => {
  await using files = await onDisk({
    'text.ttf': Buffer.from('not a font'),
    'half.ttf': (await notoSans()).subarray(0, 3000),
    'good.ttf': await notoSans(),
    'good.woff2': await hebrew(),
  })
  const names = ['none.ttf', 'text.ttf', 'good.ttf', 'half.ttf', 'good.woff2']
  const fonts = names.map((name) => path.join(files.folder, name))

  const refused = createTestServer({ billing: { documents: { fonts } } })

  await expect(refused).rejects.toMatchObject({ name: 'ConfigError' })
  const lines = await refused.catch((error: Error) => error.message.split('\n').slice(1))
  expect(lines).toEqual([
    `  - billing.documents.fonts[0] is ${JSON.stringify(fonts[0])}: there is no file that can be read`,
    expect.stringContaining(`fonts[1] is ${JSON.stringify(fonts[1])}: it is no font that documents can be drawn with`),
    expect.stringContaining(`fonts[3] is ${JSON.stringify(fonts[3])}: it is no font that documents can be drawn with`),
  ])
})

test('without the optional package, the operator’s fonts refuse the start', async () => {
  expect(await checkFonts(['a.ttf'], async () => undefined)).toEqual([
    'billing.documents.fonts needs the package @tollgate/documents-fonts, which is not installed',
  ])
  expect(await checkFonts([], async () => undefined)).toEqual([])
})

test('fonts that can be drawn with are no reason not to start', async () => {
  await using files = await onDisk({ 'good.ttf': await notoSans(), 'good.woff2': await hebrew() })

  await using server = await createTestServer({
    billing: { documents: { fonts: ['good.ttf', 'good.woff2'].map((name) => path.join(files.folder, name)) } },
  })

  expect((await server.visitor().get('/ok')).status).toBe(200)
})
