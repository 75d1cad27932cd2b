import type { pictureTypes } from '@tollgate/contract/picture'

/** What the first bytes of a picture say, before any of it is decoded. */
export type PictureHead = {
  readonly mediaType: (typeof pictureTypes)[number]
  readonly width: number
  readonly height: number
}

/**
 * Reads the type and the size of a JPEG, PNG or WebP from its own header, in a few steps of bounded length. Undefined
 * for everything else. It refuses whatever a decoder might read in another way, because the size decides how much
 * memory the decoder takes.
 */
export function pictureHead(bytes: Uint8Array): PictureHead | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    const size = sizeOfPng(view) ?? sizeOfWebp(view) ?? sizeOfJpeg(view)
    return size && size.width > 0 && size.height > 0 ? size : undefined
  } catch (error) {
    // The file ends within its header.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const pngSignature = 0x89504e47_0d0a1a0an
const textAt = (view: DataView, at: number) =>
  String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3))

/** The first chunk of a PNG is its header (PNG specification, 11.2.1). */
function sizeOfPng(view: DataView): PictureHead | undefined {
  if (view.byteLength < 24 || view.getBigUint64(0) !== pngSignature) return undefined
  if (view.getUint32(8) !== 13 || textAt(view, 12) !== 'IHDR') return undefined
  return { mediaType: 'image/png', width: view.getUint32(16), height: view.getUint32(20) }
}

/** The first chunk of a WebP is the canvas or the one frame (RFC 9649). */
function sizeOfWebp(view: DataView): PictureHead | undefined {
  if (view.byteLength < 30 || textAt(view, 0) !== 'RIFF' || textAt(view, 8) !== 'WEBP') return undefined
  const mediaType = 'image/webp' as const
  switch (textAt(view, 12)) {
    case 'VP8X': {
      const side = (at: number) => 1 + view.getUint16(at, true) + view.getUint8(at + 2) * 0x10000
      return { mediaType, width: side(24), height: side(27) }
    }
    case 'VP8L': {
      if (view.getUint8(20) !== 0x2f) return undefined
      const bits = view.getUint32(21, true)
      return { mediaType, width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) }
    }
    case 'VP8 ': {
      if (view.getUint16(23) !== 0x9d01 || view.getUint8(25) !== 0x2a) return undefined
      return { mediaType, width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
    }
    default:
      return undefined
  }
}

/** Segments before the frame that a JPEG may have: tables, restart interval, applications' data and comments. */
const isSegment = (marker: number): boolean =>
  marker === 0xc4 ||
  marker === 0xcc ||
  marker === 0xdb ||
  marker === 0xdd ||
  marker === 0xfe ||
  (marker & 0xf0) === 0xe0
/** Baseline, extended and progressive frames, with Huffman or arithmetic coding: those that the decoder reads. */
const frames: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2, 0xc9, 0xca])
/** The most fill bytes before a marker. */
const mostFill = 64

/**
 * Walks a JPEG's segments to its frame header (ITU T.81, B.1.1). Each marker must stand where the segment before it
 * ends: a decoder would skip other bytes, and might find another frame.
 */
function sizeOfJpeg(view: DataView): PictureHead | undefined {
  if (view.byteLength < 4 || view.getUint16(0) !== 0xffd8) return undefined
  for (let at = 2; ; ) {
    if (view.getUint8(at) !== 0xff) return undefined
    let fill = 0
    while (view.getUint8(at + 1) === 0xff) {
      at += 1
      fill += 1
      if (fill > mostFill) return undefined
    }
    const marker = view.getUint8(at + 1)
    const length = view.getUint16(at + 2)
    if (length < 2) return undefined
    if (frames.has(marker)) {
      if (length < 8) return undefined
      return { mediaType: 'image/jpeg', height: view.getUint16(at + 5), width: view.getUint16(at + 7) }
    }
    if (!isSegment(marker)) return undefined
    at += 2 + length
  }
}
