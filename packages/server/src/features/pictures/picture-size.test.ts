import { expect, test } from 'vitest'
import { pictureHead } from './picture-size.ts'
import { hiddenJpeg, hollowPng, jpegFrame, jpegSegment, webp } from './testing/pictures.ts'

const start = Buffer.from([0xff, 0xd8])
const jpeg = (...parts: Buffer[]) => Buffer.concat([start, ...parts])
const app = jpegSegment(0xe1, Buffer.alloc(40))

/** A WebP whose first chunk holds these bytes. */
const webpOf = (type: string, data: number[]) =>
  Buffer.concat([Buffer.from(`RIFF\0\0\0\0WEBP${type}\0\0\0\0`, 'latin1'), Buffer.from(data), Buffer.alloc(16)])

test.each<[string, Buffer, string]>([
  ['a PNG', hollowPng(300, 200), 'image/png 300 200'],
  ['a JPEG', jpeg(app, jpegFrame(640, 480)), 'image/jpeg 640 480'],
  ['a progressive JPEG', jpeg(app, jpegFrame(640, 480, 0xc2)), 'image/jpeg 640 480'],
  ['a JPEG with fill bytes', jpeg(app, Buffer.from([0xff, 0xff]), jpegFrame(640, 480)), 'image/jpeg 640 480'],
  ['the first of two frames', jpeg(jpegFrame(1, 2), jpegFrame(3, 4)), 'image/jpeg 1 2'],
  ['a WebP', webp, 'image/webp 1 1'],
  ['a WebP without loss', webpOf('VP8L', [0x2f, 0x2b, 0x41, 0x06, 0]), 'image/webp 300 26'],
  ['a WebP with a canvas', webpOf('VP8X', [0, 0, 0, 0, 0x2b, 1, 0, 0xc7, 0, 0]), 'image/webp 300 200'],
])('%s says its size', (_, bytes, said) => {
  const head = pictureHead(bytes)

  expect(`${head?.mediaType} ${head?.width} ${head?.height}`).toBe(said)
})

test.each<[string, Buffer]>([
  ['nothing', Buffer.alloc(0)],
  ['a JPEG that hides its frame behind a marker without length', hiddenJpeg(64, 14_000)],
  ['a JPEG with bytes between its segments', jpeg(app, Buffer.from([0]), jpegFrame(64, 64))],
  ['a JPEG with a restart marker before its frame', jpeg(Buffer.from([0xff, 0xd0]), jpegFrame(64, 64))],
  ['a JPEG of a kind that no decoder reads', jpeg(jpegFrame(64, 64, 0xc3))],
  ['a JPEG without end of its fill bytes', jpeg(Buffer.alloc(5_000_000, 0xff))],
  ['a JPEG of empty segments', jpeg(Buffer.alloc(5_000_000))],
  ['a JPEG whose segment has no length', jpeg(Buffer.from([0xff, 0xe0, 0, 0, 0xff, 0xe0]))],
  ['a PNG whose first chunk is another', Buffer.concat([hollowPng(9, 9).subarray(0, 12), Buffer.alloc(40)])],
  ['a WebP of another chunk', webpOf('ALPH', [0])],
  ['a HEIF, which nothing here decodes', Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic'.repeat(1000), 'latin1')],
])('%s says none', (_, bytes) => {
  expect(pictureHead(bytes)).toBeUndefined()
})

test('every beginning of a picture is read without a fault', () => {
  for (const bytes of [hollowPng(300, 200), jpeg(app, jpegFrame(640, 480)), webp])
    for (let length = 0; length < bytes.byteLength; length += 1)
      expect(() => pictureHead(bytes.subarray(0, length))).not.toThrow()
})
