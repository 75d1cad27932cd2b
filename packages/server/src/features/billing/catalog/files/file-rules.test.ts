import { describe, expect, test } from 'vitest'
import { checkNewFile, isWhatItSays, readableSize } from './file-rules.ts'

const part = (number: number, chunkStart: number, chunkEnd: number) => ({ number, chunkStart, chunkEnd })
const picture = { name: 'a.png', mimeType: 'image/png', size: 10, service: 'product_media' as const }
const wrong = (given: Partial<Parameters<typeof checkNewFile>[0]>) =>
  checkNewFile({ ...picture, version: null, upload: { parts: [part(1, 0, 10)] }, ...given }).map(({ loc }) =>
    loc.slice(1).join('.'),
  )
const megabytes = (count: number) => count * 1024 * 1024

describe('a file that is announced', () => {
  const cases: [string, Parameters<typeof wrong>[0], string[]][] = [
    ['is fine in one part', {}, []],
    ['is fine in several', { upload: { parts: [part(1, 0, 4), part(2, 4, 8), part(3, 8, 10)] } }, []],
    ['is no picture that can script', { mimeType: 'image/svg+xml' }, ['mime_type']],
    ['is a picture where pictures are wanted', { mimeType: 'text/html' }, ['mime_type']],
    ['may be anything for download', { mimeType: 'text/html', service: 'downloadable' }, []],
    ['begins with part 1', { upload: { parts: [part(2, 0, 10)] } }, ['upload.parts.0.number']],
    ['begins with its first byte', { upload: { parts: [part(1, 1, 10)] } }, ['upload.parts.0.chunk_start']],
    ['has no gap', { upload: { parts: [part(1, 0, 4), part(2, 5, 10)] } }, ['upload.parts.1.chunk_start']],
    ['has no byte twice', { upload: { parts: [part(1, 0, 6), part(2, 5, 10)] } }, ['upload.parts.1.chunk_start']],
    ['has no empty part', { upload: { parts: [part(1, 0, 0), part(2, 0, 10)] } }, ['upload.parts.0.chunk_end']],
    ['ends with its last byte', { upload: { parts: [part(1, 0, 9)] } }, ['upload.parts']],
    ['does not go on behind it', { upload: { parts: [part(1, 0, 11)] } }, ['upload.parts']],
    ['has at most 10 MB', { size: megabytes(10) + 1 }, ['size', 'upload.parts']],
    [
      'has at most 1 MB as an avatar',
      { service: 'organization_avatar', size: megabytes(1) + 1 },
      ['size', 'upload.parts'],
    ],
    [
      'has parts of at most 50 MB',
      { service: 'downloadable', size: megabytes(50) + 1, upload: { parts: [part(1, 0, megabytes(50) + 1)] } },
      ['upload.parts.0.chunk_end'],
    ],
  ]
  test.each(cases)('%s', (_, given, places) => {
    expect(wrong(given)).toEqual(places)
  })
})

test('a picture is known by its first bytes', () => {
  const heads: Record<string, Buffer> = {
    'image/png': Buffer.from('89504e470d0a1a0a0000', 'hex'),
    'image/jpeg': Buffer.from('ffd8ffe0', 'hex'),
    'image/gif': Buffer.from('GIF89a'),
    'image/webp': Buffer.from('RIFF\n\0\0\0WEBPVP8 '),
  }
  for (const mimeType of Object.keys(heads))
    for (const [kind, head] of Object.entries(heads)) expect(isWhatItSays(mimeType, head)).toBe(kind === mimeType)
  expect(isWhatItSays('image/png', Buffer.from('<script>'))).toBe(false)
  expect(isWhatItSays('application/zip', Buffer.from('anything'))).toBe(true)
})

test.each([
  [1, '1 B'],
  [999, '999 B'],
  [1000, '1.0 kB'],
  [1_250_000, '1.3 MB'],
  [10_000_000_000, '10.0 GB'],
])('%d bytes are %s', (size, text) => {
  expect(readableSize(size)).toBe(text)
})
