import { ClusterLevel, type Face, type Font, shape, Buffer as Text } from 'harfbuzzjs'
import { encodeOutline, leftOf, pointsOf } from './outline.ts'
import { headWithLongLocations, joined, locationsOf, viewOf, writeFont } from './sfnt.ts'

/** A glyph of a document: its number, its width, and the letters that it stands for. */
export type Glyph = { readonly id: number; readonly advanceWidth: number; readonly codePoints: readonly number[] }

/** Where a glyph of a run goes, in font units. */
type Position = {
  readonly xAdvance: number
  readonly yAdvance: number
  readonly xOffset: number
  readonly yOffset: number
}

/** The glyphs of a text, in drawing order. */
type Run = {
  readonly direction: 'ltr' | 'rtl'
  readonly glyphs: readonly Glyph[]
  readonly positions: readonly Position[]
  readonly advanceWidth: number
}

/**
 * A font in one document: shaped by HarfBuzz, with the members that pdfkit asks a font for. It embeds outlines in the
 * chosen weight. A glyph that represents several letters, such as the dotless bodies of Arabic ones, is embedded once per
 * letter. Copying or searching a name then finds the typed letters.
 */
export class DocumentFont {
  readonly postscriptName: string
  readonly unitsPerEm: number
  readonly ascent: number
  readonly descent: number
  readonly lineGap: number
  readonly xHeight: number
  readonly capHeight: number
  readonly italicAngle: number
  readonly bbox: { readonly minX: number; readonly minY: number; readonly maxX: number; readonly maxY: number }
  readonly post: { readonly isFixedPitch: boolean }
  readonly head: { readonly macStyle: { readonly italic: boolean } }

  readonly #face: Face
  readonly #font: Font
  /** Each glyph with the letters that it stands for, and the glyph's number in the font file. Number 0 is the missing glyph. */
  readonly #glyphs: { readonly glyph: Glyph; readonly source: number }[] = []
  readonly #numbers = new Map<string, Glyph>()

  constructor(face: Face, font: Font, weight: string, number: number) {
    this.#face = face
    this.#font = font
    const head = viewOf(tableOf(face, 'head'))
    const hhea = viewOf(tableOf(face, 'hhea'))
    const os2 = viewOf(face.referenceTable('OS/2') ?? new Uint8Array())
    const post = viewOf(face.referenceTable('post') ?? new Uint8Array())
    const [x, cap] = os2.byteLength >= 90 ? [os2.getInt16(86), os2.getInt16(88)] : [0, 0]
    const name = face.getName(postscriptNameId, 'en').replace(/-.*/, '') || 'Font'
    // pdfkit takes two fonts of one name for the same font.
    this.postscriptName = `${name}${weight}.${number}`
    this.unitsPerEm = head.getUint16(18)
    this.ascent = hhea.getInt16(4)
    this.descent = hhea.getInt16(6)
    this.lineGap = hhea.getInt16(8)
    this.xHeight = x
    this.capHeight = cap
    this.italicAngle = post.byteLength >= 16 ? post.getInt32(4) / 65_536 : 0
    this.post = { isFixedPitch: post.byteLength >= 16 && post.getUint32(12) !== 0 }
    this.bbox = {
      minX: head.getInt16(36),
      minY: head.getInt16(38),
      maxX: head.getInt16(40),
      maxY: head.getInt16(42),
    }
    this.head = { macStyle: { italic: (head.getUint16(44) & 2) !== 0 } }
    this.#glyphOf(0, [])
  }

  /** Shapes a text. Text that begins with a right-to-left letter runs to the left. */
  layout(text: string): Run {
    const buffer = new Text()
    buffer.addText(text)
    buffer.guessSegmentProperties()
    // Marks keep letters of their own, so that what is copied has each letter once.
    buffer.setClusterLevel(ClusterLevel.CHARACTERS)
    shape(this.#font, buffer)
    const infos = buffer.getGlyphInfos()
    const lettersOf = lettersByCluster(
      text,
      infos.map(({ cluster }) => cluster),
    )
    const glyphs = infos.map(({ codepoint: source, cluster }) => this.#glyphOf(source, lettersOf(cluster)))
    const positions = buffer
      .getGlyphPositions()
      .map(({ xAdvance, yAdvance, xOffset, yOffset }) => ({ xAdvance, yAdvance, xOffset, yOffset }))
    const [first, last] = [infos[0], infos.at(-1)]
    return {
      direction: first && last && first.cluster > last.cluster ? 'rtl' : 'ltr',
      glyphs,
      positions,
      advanceWidth: positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0),
    }
  }

  getGlyph(number: number): Glyph {
    return this.#entry(number).glyph
  }

  /** A letter of the font, the last one; undefined if it has none. */
  someLetter(): string | undefined {
    const point = this.#face.collectUnicodes().at(-1)
    return point === undefined ? undefined : String.fromCodePoint(point)
  }

  /** The glyphs to embed in the document, numbered anew in the order of their use. */
  createSubset(): { includeGlyph(number: number): number; encode(): Uint8Array } {
    const places = new Map([[0, 0]])
    return {
      includeGlyph: (number) => {
        const place = places.get(number) ?? places.size
        places.set(number, place)
        return place
      },
      encode: () => this.#encode([...places.keys()]),
    }
  }

  #glyphOf(source: number, codePoints: readonly number[]): Glyph {
    const key = `${source} ${codePoints}`
    const known = this.#numbers.get(key)
    if (known) return known
    const glyph = { id: this.#glyphs.length, advanceWidth: this.#font.glyphHAdvance(source), codePoints }
    this.#glyphs.push({ glyph, source })
    this.#numbers.set(key, glyph)
    return glyph
  }

  #entry(number: number): { readonly glyph: Glyph; readonly source: number } {
    const entry = this.#glyphs[number]
    if (!entry) throw new Error(`the font has no glyph ${number}`)
    return entry
  }

  /** A TrueType file of these glyphs, with the tables that a PDF needs (ISO 32000-1, 9.9). */
  #encode(numbers: readonly number[]): Uint8Array {
    const entries = numbers.map((number) => this.#entry(number))
    const drawn = entries.map(({ source }) => pointsOf(this.#font.glyphToJson(source)))
    const outlines = drawn.map(encodeOutline)
    const hmtx = new Uint8Array(4 * entries.length)
    for (const [index, points] of drawn.entries()) {
      viewOf(hmtx).setUint16(4 * index, entries[index]?.glyph.advanceWidth ?? 0)
      viewOf(hmtx).setInt16(4 * index + 2, leftOf(points))
    }
    const hhea = Uint8Array.from(tableOf(this.#face, 'hhea'))
    viewOf(hhea).setUint16(34, entries.length)
    return writeFont(
      new Map([
        ['glyf', joined(outlines)],
        ['head', headWithLongLocations(tableOf(this.#face, 'head'))],
        ['hhea', hhea],
        ['hmtx', hmtx],
        ['loca', locationsOf(outlines)],
        ['maxp', limitsOf(drawn)],
      ]),
    )
  }
}

/** The name of a font in PostScript, by the table `name`. */
const postscriptNameId = 6

function tableOf(face: Face, tag: string): Uint8Array {
  const table = face.referenceTable(tag)
  if (!table?.length) throw new Error(`it has no table ${tag}`)
  return table
}

/**
 * The letters of each cluster. A cluster ends where the next one begins, and its first glyph takes all its letters: the
 * others stand for none.
 */
function lettersByCluster(text: string, clusters: readonly number[]): (cluster: number) => readonly number[] {
  const starts = [...new Set(clusters)].sort((a, b) => a - b)
  const letters = new Map(
    starts.map((start, index) => [
      start,
      Array.from(text.slice(index === 0 ? 0 : start, starts[index + 1]), (letter) => letter.codePointAt(0) ?? 0),
    ]),
  )
  return (cluster) => {
    const found = letters.get(cluster) ?? []
    letters.delete(cluster)
    return found
  }
}

/** The table `maxp`: how large the glyphs are. */
function limitsOf(glyphs: readonly (readonly { readonly endContour: boolean }[])[]): Uint8Array {
  const bytes = new Uint8Array(32)
  const view = viewOf(bytes)
  const most = (counts: readonly number[]) => counts.reduce((largest, count) => Math.max(largest, count), 0)
  const zones = 2
  view.setUint32(0, 0x00010000)
  view.setUint16(4, glyphs.length)
  view.setUint16(6, most(glyphs.map(({ length }) => length)))
  view.setUint16(8, most(glyphs.map((points) => points.filter(({ endContour }) => endContour).length)))
  view.setUint16(14, zones)
  return bytes
}
