import { inflateSync } from 'node:zlib'

/** A page's drawing operators in order, with their operands, and the text of the fonts' glyphs. */
export type PdfPage = {
  readonly operations: readonly { readonly operator: string; readonly operands: readonly string[] }[]
  readonly fonts: ReadonlyMap<string, readonly string[]>
}

/**
 * The pages of a PDF as pdfkit writes them (ISO 32000), found by object number instead of the cross-reference table.
 * Reads only what tests need.
 */
export function pdfPages(bytes: Uint8Array): PdfPage[] {
  const file = Buffer.from(bytes).toString('latin1')
  const objects = new Map<string, string>()
  for (const [, number, body] of file.matchAll(/(?:^|\n)(\d+) 0 obj\n([\s\S]*?)\nendobj/g)) objects.set(number!, body!)
  const referred = (body: string, name: string) => objects.get(new RegExp(`/${name} (\\d+) 0 R`).exec(body)?.[1] ?? '')
  const [, kids = ''] = /\/Kids \[([^\]]*)\]/.exec([...objects.values()].find((body) => body.includes('/Kids'))!) ?? []
  return [...kids.matchAll(/(\d+) 0 R/g)].map(([, number]) => {
    const page = objects.get(number!)!
    const resources = referred(page, 'Resources') ?? page
    const [, named = ''] = /\/Font <<([\s\S]*?)>>/.exec(resources) ?? []
    const fonts = [...named.matchAll(/\/(\w+) (\d+) 0 R/g)].map(
      ([, name, font]) => [name!, glyphsOf(streamOf(referred(objects.get(font!)!, 'ToUnicode')!))] as const,
    )
    return { operations: operationsOf(streamOf(referred(page, 'Contents')!)), fonts: new Map(fonts) }
  })
}

/** All text on each page, in writing order, line by line. */
export const pdfText = (bytes: Uint8Array): string[] =>
  pdfPages(bytes).map(({ operations, fonts }) => {
    let glyphs: readonly string[] = []
    const lines: string[] = []
    for (const { operator, operands } of operations) {
      if (operator === 'Tf') glyphs = fonts.get(operands[0]!.slice(1))!
      if (operator === 'TJ') lines.push(shownText(operands, glyphs))
    }
    return lines.join('\n').replace(/[\u00a0\u202f]/g, ' ')
  })

/** The text on a page, each piece with its start, in points from the left and the top. */
export function pdfPlaces({ operations, fonts }: PdfPage): { text: string; x: number; y: number }[] {
  let glyphs: readonly string[] = []
  let place = { x: 0, y: 0 }
  return operations.flatMap(({ operator, operands }) => {
    if (operator === 'Tf') glyphs = fonts.get(operands[0]!.slice(1))!
    if (operator === 'Tm') place = { x: Number(operands[4]), y: pageHeight - Number(operands[5]) }
    return operator === 'TJ' ? [{ text: shownText(operands, glyphs), ...place }] : []
  })
}

/** A4. */
const pageHeight = 841.89

/** The operands of `TJ`: glyphs in hex, with the offsets between them. */
export const shownText = (operands: readonly string[], glyphs: readonly string[]): string =>
  operands
    .filter((operand) => operand.startsWith('<'))
    .flatMap((hex) => hex.slice(1, -1).match(/.{4}/g) ?? [])
    .map((code) => glyphs[Number.parseInt(code, 16)] ?? '')
    .join('')

function streamOf(body: string): string {
  const data = /stream\n([\s\S]*)\nendstream/.exec(body)![1]!
  return body.includes('/FlateDecode') ? inflateSync(Buffer.from(data, 'latin1')).toString('latin1') : data
}

/** The text of each glyph, by glyph number. */
function glyphsOf(map: string): string[] {
  const glyphs: string[] = []
  for (const [, from, , list] of map.matchAll(/<(\w{4})> <(\w{4})> \[([^\]]*)\]/g))
    for (const [index, [, hex]] of [...list!.matchAll(/<([^>]*)>/g)].entries()) {
      const units = hex!.match(/\w{4}/g) ?? []
      glyphs[Number.parseInt(from!, 16) + index] = String.fromCharCode(
        ...units.map((unit) => Number.parseInt(unit, 16)),
      )
    }
  return glyphs
}

function operationsOf(content: string): PdfPage['operations'] {
  const operations: { operator: string; operands: string[] }[] = []
  let operands: string[] = []
  for (const [token] of content.matchAll(/<<[\s\S]*?>>|<[0-9a-fA-F]*>|\([^)]*\)|\/\w+|[[\]]|[-+.\d]+|[A-Za-z*]+/g)) {
    if (/^[A-Za-z*]/.test(token)) {
      operations.push({ operator: token, operands })
      operands = []
    } else if (token !== '[' && token !== ']') operands.push(token)
  }
  return operations
}
