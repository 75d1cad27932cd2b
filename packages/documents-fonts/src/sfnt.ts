import { aligned } from './outline.ts'

/** Bytes, read and written as the numbers of OpenType: big-endian. */
export const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** Joins parts to one table. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let offset = 0
  for (const part of parts) {
    bytes.set(part, offset)
    offset += part.length
  }
  return bytes
}

/** The table `loca` in its long form: where each glyph begins, and where the last one ends. */
export function locationsOf(glyphs: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(4 * (glyphs.length + 1))
  const view = viewOf(bytes)
  let offset = 0
  for (const [index, { length }] of glyphs.entries()) {
    offset += length
    view.setUint32(4 * (index + 1), offset)
  }
  return bytes
}

/** A copy of the table `head` for glyphs that are located in the long form. */
export function headWithLongLocations(head: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(head)
  viewOf(copy).setInt16(50, 1)
  return copy
}

const trueType = 0x00010000
/** What all bytes of a font add up to, by the table `head`. */
const magicSum = 0xb1b0afba

/** A font file of these tables (OpenType, "Organization of an OpenType font"). */
export function writeFont(tables: ReadonlyMap<string, Uint8Array>, flavour = trueType): Uint8Array {
  const sorted = [...tables].sort(([a], [b]) => (a < b ? -1 : 1))
  const header = 12 + 16 * sorted.length
  const bytes = new Uint8Array(header + sorted.reduce((sum, [, { length }]) => sum + aligned(length), 0))
  const view = viewOf(bytes)
  const power = 2 ** Math.floor(Math.log2(sorted.length))
  view.setUint32(0, flavour)
  for (const [index, word] of [sorted.length, 16 * power, Math.log2(power), 16 * (sorted.length - power)].entries())
    view.setUint16(4 + 2 * index, word)
  let offset = header
  for (const [index, [tag, table]] of sorted.entries()) {
    const entry = 12 + 16 * index
    bytes.set(Buffer.from(tag, 'latin1'), entry)
    bytes.set(table, offset)
    if (tag === 'head') view.setUint32(offset + 8, 0)
    const size = aligned(table.length)
    for (const [place, word] of [sumOf(view, offset, size), offset, table.length].entries())
      view.setUint32(entry + 4 + 4 * place, word)
    offset += size
  }
  const head =
    header + sorted.slice(0, indexOf(sorted, 'head')).reduce((sum, [, { length }]) => sum + aligned(length), 0)
  view.setUint32(head + 8, (magicSum - sumOf(view, 0, bytes.length)) >>> 0)
  return bytes
}

function indexOf(tables: readonly (readonly [string, Uint8Array])[], tag: string): number {
  const index = tables.findIndex(([name]) => name === tag)
  if (index === -1) throw new Error(`a font needs the table ${tag}`)
  return index
}

function sumOf(view: DataView, offset: number, size: number): number {
  let sum = 0
  for (let place = offset; place < offset + size; place += 4) sum = (sum + view.getUint32(place)) >>> 0
  return sum
}
