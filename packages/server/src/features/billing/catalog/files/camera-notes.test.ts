import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { withoutCameraNotes } from './camera-notes.ts'

/** Notes of a camera in a directory of two entries: how it is turned, and the place as a text. */
function exif(orientation: number, order: 'MM' | 'II' = 'MM'): Buffer {
  const notes = Buffer.alloc(60)
  const write = (value: number, at: number, size: number) =>
    order === 'MM' ? notes.writeUIntBE(value, at, size) : notes.writeUIntLE(value, at, size)
  notes.write(order, 'latin1')
  write(42, 2, 2)
  write(8, 4, 4)
  write(2, 8, 2)
  write(0x010e, 10, 2) // a text of the picture
  write(2, 12, 2)
  write(12, 14, 4)
  write(40, 18, 4)
  write(0x0112, 22, 2)
  write(3, 24, 2)
  write(1, 26, 4)
  write(orientation, 30, 2)
  notes.write(secret, 40, 'latin1')
  return notes
}
const secret = '52.5N 13.4E'

const segment = (marker: number, ...content: readonly (string | Buffer)[]): Buffer => {
  const bytes = Buffer.concat(content.map((each) => (typeof each === 'string' ? Buffer.from(each, 'latin1') : each)))
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(bytes.byteLength + 2, 2)
  return Buffer.concat([head, bytes])
}
const start = Buffer.from([0xff, 0xd8])
const end = Buffer.from([0xff, 0xd9])
const scan = Buffer.concat([segment(0xda, '\x01\x01\0\0\x3f\0'), Buffer.from([1, 0xff, 0, 2, 0xff, 0xd0, 3])])
const jpeg = (...parts: Buffer[]) => Buffer.concat([start, ...parts, scan, end])

const pngChunk = (type: string, content: Buffer): Buffer => {
  const bytes = Buffer.alloc(content.byteLength + 12)
  bytes.writeUInt32BE(content.byteLength)
  bytes.write(type, 4, 'latin1')
  bytes.set(content, 8)
  bytes.writeUInt32BE(crc32(bytes.subarray(4, -4)), content.byteLength + 8)
  return bytes
}
const pngStart = [Buffer.from('89504e470d0a1a0a', 'hex'), pngChunk('IHDR', Buffer.alloc(13, 1))]
const png = (...parts: Buffer[]) => Buffer.concat([...pngStart, ...parts, pngChunk('IEND', Buffer.alloc(0))])

function webp(...parts: Buffer[]): Buffer {
  const bytes = Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBP', 'latin1'), ...parts])
  bytes.writeUInt32LE(bytes.byteLength - 8, 4)
  return bytes
}
const webpChunk = (type: string, content: Buffer): Buffer => {
  const head = Buffer.from(`${type}\0\0\0\0`, 'latin1')
  head.writeUInt32LE(content.byteLength, 4)
  return Buffer.concat([head, content, Buffer.alloc(content.byteLength % 2)])
}

/** The served bytes of a picture whose file is read in steps of this size. */
async function served(mimeType: string, bytes: Buffer, step: number): Promise<Buffer> {
  const file = new ReadableStream<Uint8Array>({
    start(stream) {
      for (let at = 0; at < bytes.byteLength; at += step) stream.enqueue(bytes.subarray(at, at + step))
      stream.close()
    },
  })
  return Buffer.from(await new Response(withoutCameraNotes(mimeType, file)).arrayBuffer())
}

/** The notes that are left of those of `exif`. */
const turned = (orientation: number, size: number) => {
  const bytes = Buffer.alloc(size)
  bytes.set(Buffer.from(`4d4d002a000000080001011200030000000100${orientation.toString(16).padStart(2, '0')}`, 'hex'))
  return bytes
}
const zeros = (size: number) => Buffer.alloc(size)
const jfif = segment(0xe0, 'JFIF\0', zeros(9))
const profile = segment(0xe2, 'ICC_PROFILE\0', 'colors')
const text = Buffer.from(secret, 'latin1')

test.each<[string, string, Buffer, Buffer]>([
  ['a JPEG', 'image/jpeg', jpeg(segment(0xe1, 'Exif\0\0', exif(1))), jpeg(segment(0xfe, zeros(66)))],
  [
    'a turned JPEG',
    'image/jpeg',
    jpeg(jfif, segment(0xe1, 'Exif\0\0', exif(6)), profile),
    jpeg(jfif, segment(0xe1, 'Exif\0\0', turned(6, 60)), profile),
  ],
  [
    'a JPEG whose numbers begin with their lowest byte',
    'image/jpeg',
    jpeg(segment(0xe1, 'Exif\0\0', exif(8, 'II'))),
    jpeg(segment(0xe1, 'Exif\0\0', turned(8, 60))),
  ],
  [
    'a JPEG with texts of programs',
    'image/jpeg',
    jpeg(segment(0xe1, 'http://ns.adobe.com/xap/1.0/\0', text), segment(0xed, text), segment(0xfe, text)),
    jpeg(segment(0xfe, zeros(40)), segment(0xfe, zeros(11)), segment(0xfe, zeros(11))),
  ],
  [
    'a JPEG with notes after a scan',
    'image/jpeg',
    jpeg(scan, segment(0xe1, text)),
    jpeg(scan, segment(0xfe, zeros(11))),
  ],
  [
    'a JPEG with a further picture behind it',
    'image/jpeg',
    Buffer.concat([jpeg(), jpeg(segment(0xe1, 'Exif\0\0', exif(1)))]),
    Buffer.concat([jpeg(), zeros(jpeg(segment(0xe1, 'Exif\0\0', exif(1))).byteLength)]),
  ],
  ['a PNG', 'image/png', png(pngChunk('eXIf', exif(1))), png(pngChunk('noTe', zeros(60)))],
  ['a turned PNG', 'image/png', png(pngChunk('eXIf', exif(3))), png(pngChunk('eXIf', turned(3, 60)))],
  ['a PNG with a text', 'image/png', png(pngChunk('tEXt', text)), png(pngChunk('noTe', zeros(11)))],
  [
    'a PNG with bytes behind it',
    'image/png',
    Buffer.concat([png(pngChunk('IDAT', text)), text]),
    Buffer.concat([png(pngChunk('IDAT', text)), zeros(11)]),
  ],
  ['a WebP', 'image/webp', webp(webpChunk('EXIF', exif(1))), webp(webpChunk('EXIF', zeros(60)))],
  [
    'a turned WebP',
    'image/webp',
    webp(webpChunk('VP8 ', text), webpChunk('EXIF', exif(6)), webpChunk('XMP ', text)),
    webp(webpChunk('VP8 ', text), webpChunk('EXIF', turned(6, 60)), webpChunk('XMP ', zeros(11))),
  ],
])('%s is shown without notes of the camera', async (_, mimeType, stored, shown) => {
  for (const step of [1, 7, 10_000]) expect(await served(mimeType, stored, step)).toEqual(shown)
})

test.each([
  ['image/gif', Buffer.from('GIF89a and more', 'latin1')],
  ['image/png', png(pngChunk('IDAT', Buffer.alloc(5000, 7)))],
  ['image/jpeg', jpeg(jfif, profile)],
  ['image/webp', webp(webpChunk('VP8 ', Buffer.alloc(500, 7)))],
])('a picture without notes, as %s, is shown as it is', async (mimeType, stored) => {
  expect(await served(mimeType, stored, 100)).toEqual(stored)
})

test('a picture that ends anywhere keeps its size', async () => {
  const pictures: [string, Buffer][] = [
    ['image/jpeg', jpeg(segment(0xe1, 'Exif\0\0', exif(6)))],
    ['image/png', png(pngChunk('eXIf', exif(6)), pngChunk('tEXt', text))],
    ['image/webp', webp(webpChunk('EXIF', exif(6)))],
  ]
  for (const [mimeType, stored] of pictures)
    for (let length = 0; length < stored.byteLength; length += 1)
      expect(await served(mimeType, stored.subarray(0, length), 50)).toHaveLength(length)
})

test('a file is closed when its reader leaves', async () => {
  let isClosed = false
  const file = new ReadableStream<Uint8Array>({
    pull: (stream) => stream.enqueue(Buffer.concat([start, Buffer.alloc(1000)])),
    cancel: () => {
      isClosed = true
    },
  })
  const reader = withoutCameraNotes('image/jpeg', file).getReader()
  await reader.read()

  await reader.cancel()

  expect(isClosed).toBe(true)
})
