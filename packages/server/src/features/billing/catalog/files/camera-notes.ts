import { crc32 } from 'node:zlib'
import { chunksOf } from '../../../../foundation/proof/proven.ts'

type Blanking = (source: Source) => AsyncGenerator<Uint8Array>

/** By media type; cameras write no others. */
const blankings: Readonly<Record<string, Blanking>> = {
  'image/jpeg': blankJpeg,
  'image/png': blankPng,
  'image/webp': blankWebp,
}

/**
 * A picture without what the camera or program wrote beside it, such as the place and the owner. Zeros take the place
 * of the notes, so that the size stays. Color profiles and the way the picture is turned stay, too. It holds 64 KB at
 * most.
 */
export function withoutCameraNotes(mimeType: string, bytes: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const blanking = blankings[mimeType]
  return blanking ? streamOf(closing(bytes, blanking)) : bytes
}

/** As `ReadableStream.from`, which browsers' types do not have. */
const streamOf = (pieces: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> =>
  new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await pieces.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: async () => void (await pieces.return(undefined)),
  })

/** Closes the file, also if the client leaves before its end. */
async function* closing(bytes: ReadableStream<Uint8Array>, blanking: Blanking): AsyncGenerator<Uint8Array> {
  const chunks = chunksOf(bytes)[Symbol.asyncIterator]()
  try {
    yield* blanking(createSource(chunks))
  } finally {
    await chunks.return?.()
  }
}

type Source = {
  /** The next bytes without taking them: at least `size`, fewer only at the end. */
  peek(size: number): Promise<Buffer>
  /** Takes peeked bytes. */
  take(size: number): Buffer
}

function createSource(chunks: AsyncIterator<Uint8Array>): Source {
  let held: Buffer = Buffer.alloc(0)
  return {
    peek: async (size) => {
      while (held.byteLength < size) {
        const { done, value } = await chunks.next()
        if (done) break
        held = held.byteLength === 0 ? Buffer.from(value) : Buffer.concat([held, value])
      }
      return held
    },
    take: (size) => {
      const taken = held.subarray(0, size)
      held = held.subarray(size)
      return taken
    },
  }
}

/** The next bytes, as they are. */
async function* passed(source: Source, size: number): AsyncGenerator<Buffer> {
  for (let left = size; left > 0; ) {
    const { byteLength } = await source.peek(1)
    if (byteLength === 0) return
    const taken = source.take(Math.min(left, byteLength))
    left -= taken.byteLength
    yield taken
  }
}

/** Zeros in place of the next bytes. */
async function* blanked(source: Source, size: number): AsyncGenerator<Buffer> {
  for await (const { byteLength } of passed(source, size)) yield Buffer.alloc(byteLength)
}

/** The most bytes of notes that are searched for the way the picture is turned: a JPEG cannot have more. */
const mostNotes = 64 * 1024

/** What a file is left with instead of these notes: zeros, or nothing but the way it is turned. */
function notesInstead(notes: Buffer): { readonly bytes: Buffer; readonly isTurned: boolean } {
  const bytes = Buffer.alloc(notes.byteLength)
  const prefix = notes.toString('latin1', 0, exifPrefix.length) === exifPrefix ? exifPrefix.length : 0
  const orientation = orientationIn(notes.subarray(prefix))
  // A directory of one entry, in TIFF 6.0: orientation, as one number of two bytes.
  const tiff = Buffer.from([
    77,
    77,
    0,
    42,
    0,
    0,
    0,
    8,
    0,
    1,
    1,
    0x12,
    0,
    3,
    0,
    0,
    0,
    1,
    0,
    orientation,
    0,
    0,
    0,
    0,
    0,
    0,
  ])
  const isTurned = orientation > 1 && prefix + tiff.byteLength <= bytes.byteLength
  if (isTurned) {
    bytes.write(exifPrefix.slice(0, prefix), 'latin1')
    bytes.set(tiff, prefix)
  }
  return { bytes, isTurned }
}

const exifPrefix = 'Exif\0\0'

/** The orientation in the first directory of a TIFF (Exif 2.32, section 4.6.2); 1 for a picture that is not turned. */
function orientationIn(tiff: Buffer): number {
  const order = tiff.toString('latin1', 0, 2)
  if (order !== 'MM' && order !== 'II') return 1
  const number = (at: number, size: 2 | 4): number => {
    if (at + size > tiff.byteLength) return 0
    return order === 'MM' ? tiff.readUIntBE(at, size) : tiff.readUIntLE(at, size)
  }
  const directory = number(4, 4)
  const count = number(directory, 2)
  for (let index = 0; index < count; index += 1) {
    const at = directory + 2 + 12 * index
    if (at >= tiff.byteLength) break
    if (number(at, 2) !== 0x0112) continue
    const orientation = number(at + 8, 2)
    return orientation >= 1 && orientation <= 8 ? orientation : 1
  }
  return 1
}

/** Segments of applications that say how the picture looks: size of pixels, color profile, kind of colors. */
const looks: readonly (readonly [marker: number, name: string])[] = [
  [0xe0, 'JFIF\0'],
  [0xe2, 'ICC_PROFILE\0'],
  [0xee, 'Adobe'],
]
const comment = 0xfe

/**
 * Walks the segments of a JPEG as decoders do (ITU T.81, annex B). What follows its end is blanked, too: telephones
 * write further pictures there, with notes of their own.
 */
async function* blankJpeg(source: Source): AsyncGenerator<Uint8Array> {
  yield* passed(source, 2)
  for (;;) {
    const head = await source.peek(4)
    if (head.byteLength < 4) return yield* passed(source, head.byteLength)
    const [first, marker = 0] = head
    if (first !== 0xff) {
      const next = head.indexOf(0xff)
      yield* passed(source, next === -1 ? head.byteLength : next)
    } else if (marker === 0xff) yield* passed(source, 1)
    // Within a scan: an ordinary byte, or a restart.
    else if (marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd7)) yield* passed(source, 2)
    else if (marker === 0xd9) {
      yield* passed(source, 2)
      return yield* blanked(source, Number.POSITIVE_INFINITY)
    } else yield* jpegSegment(source, marker, 2 + head.readUInt16BE(2))
  }
}

async function* jpegSegment(source: Source, marker: number, size: number): AsyncGenerator<Uint8Array> {
  const isNote = marker === comment || (marker & 0xf0) === 0xe0
  if (!isNote) return yield* passed(source, Math.max(size, 4))
  await source.peek(size)
  const segment = source.take(Math.max(size, 4))
  const content = segment.subarray(4)
  if (looks.some(([known, name]) => known === marker && content.toString('latin1', 0, name.length) === name))
    return yield segment
  const { bytes, isTurned } = notesInstead(content)
  yield Buffer.concat([Buffer.from([0xff, isTurned ? marker : comment]), segment.subarray(2, 4), bytes])
}

/** Chunks with notes; texts may hold those of cameras as well (PNG specification, 11.3). */
const pngNotes: ReadonlySet<string> = new Set(['eXIf', 'tEXt', 'zTXt', 'iTXt', 'tIME'])
/** A chunk that readers skip, by the cases of its letters. */
const skippedChunk = 'noTe'

async function* blankPng(source: Source): AsyncGenerator<Uint8Array> {
  yield* passed(source, 8)
  for (;;) {
    const head = await source.peek(8)
    if (head.byteLength < 8) return yield* passed(source, head.byteLength)
    const length = head.readUInt32BE(0)
    const type = head.toString('latin1', 4, 8)
    if (pngNotes.has(type)) yield* pngNote(source, type, length)
    else yield* passed(source, length + 12)
    if (type === 'IEND') return yield* blanked(source, Number.POSITIVE_INFINITY)
  }
}

async function* pngNote(source: Source, type: string, length: number): AsyncGenerator<Uint8Array> {
  const size = Buffer.from(source.take(8).subarray(0, 4))
  const notes = type === 'eXIf' && length <= mostNotes ? (await source.peek(length)).subarray(0, length) : undefined
  const { bytes, isTurned } = notesInstead(notes ?? Buffer.alloc(0))
  const name = Buffer.from(isTurned ? type : skippedChunk, 'latin1')
  yield Buffer.concat([size, name])
  let sum = crc32(name)
  if (isTurned) {
    source.take(length)
    sum = crc32(bytes, sum)
    yield bytes
  } else
    for await (const zeros of blanked(source, length)) {
      sum = crc32(zeros, sum)
      yield zeros
    }
  const end = Buffer.alloc(4)
  end.writeUInt32BE(sum)
  await source.peek(4)
  yield end.subarray(0, source.take(4).byteLength)
}

/** The chunks of a WebP, within its length (RFC 9649, section 2.3). */
async function* blankWebp(source: Source): AsyncGenerator<Uint8Array> {
  const start = await source.peek(12)
  if (start.byteLength < 12) return yield* passed(source, start.byteLength)
  let left = start.readUInt32LE(4) - 4
  yield* passed(source, 12)
  while (left >= 8) {
    const head = await source.peek(8)
    if (head.byteLength < 8) break
    const type = head.toString('latin1', 0, 4)
    const length = head.readUInt32LE(4)
    const size = Math.min(left, 8 + length + (length % 2))
    left -= size
    if (type === 'EXIF' || type === 'XMP ') yield* webpNote(source, type, size - 8)
    else yield* passed(source, size)
  }
  yield* blanked(source, Number.POSITIVE_INFINITY)
}

async function* webpNote(source: Source, type: string, length: number): AsyncGenerator<Uint8Array> {
  yield* passed(source, 8)
  if (type !== 'EXIF' || length > mostNotes) return yield* blanked(source, length)
  await source.peek(length)
  yield notesInstead(source.take(length)).bytes
}
