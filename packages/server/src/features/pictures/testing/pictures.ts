import { crc32, deflateSync } from 'node:zlib'

/** Pictures for tests, made byte by byte. */

const chunk = (type: string, data: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.byteLength)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

type Options = {
  /** Opacity of every pixel, 255 for none transparent. */
  readonly alpha?: number
  /** Its further chunks, such as texts. */
  readonly more?: readonly Buffer[]
}

/** A PNG of one color. */
export function pngOf(width: number, height: number, { alpha = 255, more = [] }: Options = {}): Buffer<ArrayBuffer> {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 6], 8) // eight bits; red, green, blue and alpha
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 4, Buffer.from([180, 60, 30, alpha]))])
  const rows = deflateSync(Buffer.alloc(row.byteLength * height, row))
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    ...more,
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** A text in a PNG. */
export const pngText = (text: string): Buffer => chunk('tEXt', Buffer.from(`Comment\0${text}`, 'latin1'))

/** A PNG that says it has this size and holds nothing. */
export function hollowPng(width: number, height: number): Buffer<ArrayBuffer> {
  const png = pngOf(1, 1)
  png.writeUInt32BE(width, 16)
  png.writeUInt32BE(height, 20)
  return png
}

/** The smallest WebP: one pixel. */
export const webp: Buffer<ArrayBuffer> = Buffer.from(
  'UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAwA0JaQAA3AA/vuUAAA=',
  'base64',
)

/** A segment of a JPEG, with its length. */
export function jpegSegment(marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(data.byteLength + 2, 2)
  return Buffer.concat([head, data])
}

/** The frame header of a JPEG. */
export function jpegFrame(width: number, height: number, marker = 0xc0): Buffer {
  const data = Buffer.alloc(9)
  data[0] = 8
  data.writeUInt16BE(height, 1)
  data.writeUInt16BE(width, 3)
  data.set([1, 1, 0x11], 5) // one component, of every pixel
  return jpegSegment(marker, data)
}

/** A gray, progressive JPEG of 8 × 8 pixels that has its one block in each of its scans. */
export function jpegOfScans(scans: number): Buffer<ArrayBuffer> {
  const quantization = jpegSegment(0xdb, Buffer.concat([Buffer.from([0]), Buffer.alloc(64, 1)]))
  const codes = jpegSegment(0xc4, Buffer.concat([Buffer.from([0, 1]), Buffer.alloc(16)])) // one code of one bit, for zero
  const scan = Buffer.concat([jpegSegment(0xda, Buffer.from([1, 1, 0, 0, 0, 0])), Buffer.from([0x7f])])
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    quantization,
    jpegFrame(8, 8, 0xc2),
    codes,
    ...Array<Buffer>(scans).fill(scan),
    Buffer.from([0xff, 0xd9]),
  ])
}

/**
 * A JPEG that shows one size to a reader that takes a marker without length for one with a length, and another size to
 * the decoder.
 */
export const hiddenJpeg = (shown: number, real: number): Buffer<ArrayBuffer> =>
  Buffer.concat([
    Buffer.from([0xff, 0xd8, 0xff, 0x01]),
    jpegSegment(0xe0, jpegFrame(shown, shown)),
    jpegFrame(real, real),
    Buffer.from([0xff, 0xd9]),
  ])
