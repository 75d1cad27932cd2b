import { brotliDecompressSync } from 'node:zlib'
import { encodeOutline, leftOf, type Point } from './outline.ts'
import { headWithLongLocations, joined, locationsOf, viewOf, writeFont } from './sfnt.ts'

/**
 * Reads WOFF2 (WOFF File Format 2.0, W3C Recommendation), which HarfBuzz does not: unpacks the tables, and writes the
 * outlines and widths, which WOFF2 keeps in streams of their own, as the tables of OpenType. Hints are left out.
 */

const signature = 0x774f4632 // wOF2
const collection = 0x74746366 // ttcf

/** Whether a file begins as WOFF2 does. */
export const isWoff2 = (bytes: Uint8Array): boolean => bytes.length > 48 && viewOf(bytes).getUint32(0) === signature

/** The tags that a table of the directory names by number, in the order of the recommendation (section 4.1). */
const knownTags = (
  'cmap head hhea hmtx maxp name OS/2 post cvt_ fpgm glyf loca prep CFF_ VORG EBDT EBLC gasp hdmx kern LTSH PCLT VDMX vhea ' +
  'vmtx BASE GDEF GPOS GSUB EBSC JSTF MATH CBDT CBLC COLR CPAL SVG_ sbix acnt avar bdat bloc bsln cvar fdsc feat fmtx fvar ' +
  'gvar hsty just lcar mort morx opbd prop trak Zapf Silf Glat Gloc Feat Sill'
)
  .split(' ')
  .map((tag) => tag.replace('_', ' '))
const tagFollows = 63

/** Reads numbers one after the other. */
class Reader {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#view = viewOf(bytes)
  }

  byte(): number {
    this.#at += 1
    return this.#view.getUint8(this.#at - 1)
  }

  word(): number {
    this.#at += 2
    return this.#view.getUint16(this.#at - 2)
  }

  signedWord(): number {
    this.#at += 2
    return this.#view.getInt16(this.#at - 2)
  }

  long(): number {
    this.#at += 4
    return this.#view.getUint32(this.#at - 4)
  }

  take(length: number): Uint8Array {
    this.#at += length
    if (this.#at > this.#bytes.length) throw new Error('the file ends too early')
    return this.#bytes.subarray(this.#at - length, this.#at)
  }

  /** `UIntBase128`: seven bits in each byte, the highest bit of all but the last set. */
  base128(): number {
    for (let value = 0, byte = 0; ; ) {
      byte = this.byte()
      value = value * 128 + (byte & 127)
      if (byte < 128) return value
    }
  }

  /** `255UInt16`: one byte for small numbers. */
  short(): number {
    const code = this.byte()
    if (code === 253) return this.word()
    if (code === 254) return 506 + this.byte()
    return code === 255 ? 253 + this.byte() : code
  }
}

type Entry = { readonly tag: string; readonly length: number; readonly isTransformed: boolean }

/** The font of a WOFF2 file as an OpenType file. */
export function unpackWoff2(bytes: Uint8Array): Uint8Array {
  const file = new Reader(bytes)
  file.take(4)
  const flavour = file.long()
  if (flavour === collection) throw new Error('it is a WOFF2 collection')
  file.take(4)
  const count = file.word()
  file.take(6)
  const packedSize = file.long()
  file.take(24)
  const entries = Array.from({ length: count }, () => readEntry(file))

  const unpacked = new Reader(brotliDecompressSync(file.take(packedSize)))
  const tables = new Map<string, Uint8Array>()
  const transformed = new Set<string>()
  for (const { tag, length, isTransformed } of entries) {
    tables.set(tag, unpacked.take(length))
    if (isTransformed) transformed.add(tag)
  }
  if (transformed.has('glyf')) writeGlyphs(tables, transformed.has('hmtx'))
  return writeFont(tables, flavour)
}

function readEntry(file: Reader): Entry {
  const flags = file.byte()
  const number = flags & 63
  const tag = number === tagFollows ? Buffer.from(file.take(4)).toString('latin1') : (knownTags[number] ?? '')
  const original = file.base128()
  const version = flags >> 6
  // Outlines are transformed unless they say otherwise; other tables the other way round.
  const isTransformed = tag === 'glyf' || tag === 'loca' ? version !== 3 : version !== 0
  return { tag, length: isTransformed ? file.base128() : original, isTransformed }
}

function writeGlyphs(tables: Map<string, Uint8Array>, hasPackedWidths: boolean): void {
  const glyphs = readGlyphs(tableOf(tables, 'glyf'))
  const encoded = glyphs.map(({ bytes }) => bytes)
  tables.set('glyf', joined(encoded))
  tables.set('loca', locationsOf(encoded))
  tables.set('head', headWithLongLocations(tableOf(tables, 'head')))
  if (!hasPackedWidths) return
  const count = viewOf(tableOf(tables, 'hhea')).getUint16(34)
  const lefts = glyphs.map(({ left }) => left)
  tables.set('hmtx', readWidths(tableOf(tables, 'hmtx'), count, lefts))
}

function tableOf(tables: ReadonlyMap<string, Uint8Array>, tag: string): Uint8Array {
  const table = tables.get(tag)
  if (!table) throw new Error(`it has no table ${tag}`)
  return table
}

type EncodedGlyph = { readonly bytes: Uint8Array; readonly left: number }

/** The streams of the transformed table `glyf` (section 5.1), in their order. */
function streamsOf(table: Uint8Array) {
  const reader = new Reader(table)
  reader.take(4)
  const count = reader.word()
  reader.word()
  const sizes = Array.from({ length: 7 }, () => reader.long())
  const [contours, points, flags, coordinates, composites, boxes] = sizes.map((size) => new Reader(reader.take(size)))
  if (!contours || !points || !flags || !coordinates || !composites || !boxes)
    throw new Error('its outlines have no streams')
  return { count, contours, points, flags, coordinates, composites, boxes }
}
type Streams = ReturnType<typeof streamsOf>

function readGlyphs(table: Uint8Array): EncodedGlyph[] {
  const streams = streamsOf(table)
  const hasBox = streams.boxes.take(4 * Math.ceil(streams.count / 32))
  return Array.from({ length: streams.count }, (_, id) => {
    const contours = streams.contours.signedWord()
    const box = ((hasBox[id >> 3] ?? 0) & (128 >> (id & 7))) === 0 ? undefined : streams.boxes.take(8)
    if (contours < 0) return readComposite(streams, box)
    const points = readPoints(streams, contours)
    return { bytes: encodeOutline(points), left: leftOf(points) }
  })
}

function readPoints({ points: counts, flags, coordinates }: Streams, contours: number): Point[] {
  if (contours === 0) return []
  const lengths = Array.from({ length: contours }, () => counts.short())
  let [x, y] = [0, 0]
  const points = lengths.flatMap((length) =>
    Array.from({ length }, (_, index): Point => {
      const flag = flags.byte()
      const [dx, dy] = readStep(flag & 127, coordinates)
      x += dx
      y += dy
      return { x, y, onCurve: flag < 128, endContour: index === length - 1 }
    }),
  )
  // The hints' length; the hints stand in a stream that is not read.
  coordinates.short()
  return points
}

/** The step to the next point: the flag says in how many bytes, with which signs and offsets (section 5.2). */
function readStep(flag: number, from: Reader): [number, number] {
  const signed = (isPositive: number, size: number) => ((isPositive & 1) === 1 ? size : -size)
  if (flag < 10) return [0, signed(flag, ((flag >> 1) << 8) + from.byte())]
  if (flag < 20) return [signed(flag, (((flag - 10) >> 1) << 8) + from.byte()), 0]
  if (flag < 84) {
    const [kind, both] = [flag - 20, from.byte()]
    const [dx, dy] = [1 + 16 * (kind >> 4) + (both >> 4), 1 + 16 * ((kind >> 2) & 3) + (both & 15)]
    return [signed(flag, dx), signed(flag >> 1, dy)]
  }
  if (flag < 120) {
    const kind = flag - 84
    const dx = 1 + 256 * Math.floor(kind / 12) + from.byte()
    return [signed(flag, dx), signed(flag >> 1, 1 + 256 * ((kind % 12) >> 2) + from.byte())]
  }
  if (flag < 124) {
    const [high, middle, low] = [from.byte(), from.byte(), from.byte()]
    return [signed(flag, (high << 4) + (middle >> 4)), signed(flag >> 1, ((middle & 15) << 8) + low)]
  }
  const dx = from.word()
  return [signed(flag, dx), signed(flag >> 1, from.word())]
}

/** Flags of a component (OpenType, table `glyf`, composite glyphs). */
const component = { longPlace: 0x1, oneScale: 0x8, more: 0x20, twoScales: 0x40, matrix: 0x80, hints: 0x100 }

function readComposite({ composites, coordinates }: Streams, box: Uint8Array | undefined): EncodedGlyph {
  if (!box) throw new Error('one of its composite glyphs has no bounds')
  const parts = [Uint8Array.of(0xff, 0xff), box]
  let flags = 0
  let hasHints = false
  do {
    flags = composites.word()
    hasHints ||= (flags & component.hints) !== 0
    const written = flags & ~component.hints
    const place = (flags & component.longPlace) === 0 ? 2 : 4
    const scale =
      (flags & component.oneScale) !== 0
        ? 2
        : (flags & component.twoScales) !== 0
          ? 4
          : (flags & component.matrix) !== 0
            ? 8
            : 0
    parts.push(Uint8Array.of(written >> 8, written & 255), composites.take(2 + place + scale))
  } while ((flags & component.more) !== 0)
  if (hasHints) coordinates.short()
  const bytes = joined(parts)
  const padding = new Uint8Array((4 - (bytes.length % 4)) % 4)
  return { bytes: joined([bytes, padding]), left: viewOf(box).getInt16(0) }
}

/** The table `hmtx` without the bearings that are each outline's left edge (section 5.4). */
function readWidths(table: Uint8Array, count: number, lefts: readonly number[]): Uint8Array {
  const reader = new Reader(table)
  const flags = reader.byte()
  const widths = Array.from({ length: count }, () => reader.word())
  const bearings = lefts.map((left, id) => ((flags & (id < count ? 1 : 2)) === 0 ? reader.signedWord() : left))
  const bytes = new Uint8Array(4 * count + 2 * (lefts.length - count))
  const view = viewOf(bytes)
  for (const [id, bearing] of bearings.entries()) {
    const width = widths[id]
    if (width !== undefined) view.setUint16(4 * id, width)
    view.setInt16(width === undefined ? 4 * count + 2 * (id - count) : 4 * id + 2, bearing)
  }
  return bytes
}
