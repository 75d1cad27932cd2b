import { expect, test } from 'vitest'
import { countScans } from './jpeg-scans.ts'
import { jpegFrame, jpegSegment } from './testing/pictures.ts'

const start = Buffer.from([0xff, 0xd8])
const end = Buffer.from([0xff, 0xd9])
const scan = (...coded: number[]) =>
  Buffer.concat([jpegSegment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])), Buffer.from(coded)])
const jpeg = (...parts: Buffer[]) => Buffer.concat([start, jpegFrame(64, 64, 0xc2), ...parts])

test.each<[string, Buffer, number]>([
  ['without a scan', jpeg(end), 0],
  ['with one scan', jpeg(scan(1, 2, 3), end), 1],
  ['with tables between its scans', jpeg(scan(1), jpegSegment(0xc4, Buffer.alloc(4)), scan(2), end), 2],
  ['with restarts and bytes of 255 within a scan', jpeg(scan(1, 0xff, 0, 0xff, 0xd0, 2, 0xff, 0xff, 0), end), 1],
  ['that holds another picture in a segment', jpeg(jpegSegment(0xe1, jpeg(scan(1), scan(1), end)), scan(1), end), 1],
  ['with another picture behind its end', jpeg(scan(1), end, jpeg(scan(1), scan(1), end)), 1],
  ['that ends within a scan', jpeg(scan(1), scan(2, 0xff)), 2],
  ['that ends within a segment', jpeg(scan(1), Buffer.from([0xff, 0xda, 0xff])), 2],
  ['of many empty scans', jpeg(...Array.from({ length: 1000 }, () => scan())), 1000],
  ['with a marker that no decoder reads', jpeg(scan(1, 0xff, 0x02)), Number.POSITIVE_INFINITY],
  ['with a second start', jpeg(scan(1), start), Number.POSITIVE_INFINITY],
  ['with a segment of no length', jpeg(Buffer.from([0xff, 0xc4, 0, 0])), Number.POSITIVE_INFINITY],
])('scans of a JPEG %s are counted as the decoder finds them', (_, bytes, scans) => {
  expect(countScans(bytes)).toBe(scans)
})
