import { expect, test } from 'vitest'
import { readFile } from './body.ts'

/** A body in chunks of one byte. */
function dripping(bytes: number): ReadableStream<Uint8Array> {
  let sent = 0
  return new ReadableStream({
    pull(stream) {
      if (sent === bytes) return stream.close()
      stream.enqueue(Uint8Array.of(sent % 251))
      sent += 1
    },
  })
}

test('a body in chunks of one byte is whole, and takes at most twice its size of memory', async () => {
  const size = 50_000

  const bytes = await readFile(dripping(size), 100_000)

  expect(bytes).toEqual(Buffer.from(Array.from({ length: size }, (_, at) => at % 251)))
  expect(bytes.buffer.byteLength).toBeLessThanOrEqual(2 * size)
})

test('a body keeps none of its chunks, however small they are', async () => {
  const chunk = new Uint8Array(1)
  const body = new ReadableStream<Uint8Array>(
    {
      pull(stream) {
        if (chunk[0] === 3) return stream.close()
        chunk[0] = (chunk[0] ?? 0) + 1
        stream.enqueue(chunk)
      },
    },
    { highWaterMark: 0 },
  )

  expect([...(await readFile(body, 10))]).toEqual([1, 2, 3])
})

test('a body of more bytes than the limit is refused, and one of none is empty', async () => {
  await expect(readFile(dripping(11), 10)).rejects.toMatchObject({ error: 'BODY_TOO_LARGE' })
  expect(await readFile(dripping(10), 10)).toHaveLength(10)
  expect(await readFile(dripping(0), 10)).toHaveLength(0)
  expect(await readFile(null, 10)).toHaveLength(0)
})
