import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { afterAll, expect, test } from 'vitest'
import { createDarkroom } from './darkroom.ts'
import { develop } from './developing.ts'
import { pngOf } from './testing/pictures.ts'

/** The codecs ask for this global, which their own thread keeps. */
afterAll(() => Reflect.deleteProperty(globalThis, 'ImageData'))

const upload = pngOf(40, 30)
const bytes = upload.buffer.slice(upload.byteOffset, upload.byteOffset + upload.byteLength)

test('a picture of another size than the one that was checked is refused', async () => {
  const head = { mediaType: 'image/png', width: 40, height: 30 } as const

  expect(await develop(bytes, head)).toMatchObject({ width: 40, height: 30 })
  await expect(develop(bytes, { ...head, width: 8, height: 8 })).rejects.toThrow('another size')
  await expect(develop(bytes, { ...head, width: 30, height: 40 })).rejects.toThrow('another size')
})

test('after a large picture the thread ends at once and returns its memory; the next picture has a new one', async () => {
  const threads: Worker[] = []
  const keep = (thread: Worker) => threads.push(thread)
  process.on('worker', keep)
  const darkroom = createDarkroom()

  await darkroom.develop(upload, 'Ada')
  const [answer] = await Promise.all([
    darkroom.develop(pngOf(4096, 2048), 'Ada'),
    threads[0] && once(threads[0], 'exit'),
    darkroom.develop(upload, 'Ada'),
  ])

  expect([answer.width, answer.height, threads.length]).toEqual([512, 256, 2])
  await darkroom.close()
  process.off('worker', keep)
})

test('a user who sends many pictures holds up no other', async () => {
  const darkroom = createDarkroom()
  const order: string[] = []
  const send = (user: string) => darkroom.develop(upload, user).then(() => order.push(user))

  await Promise.all(['Ada', 'Ada', 'Ada', 'Ada', 'Grace'].map(send))

  expect(order).toEqual(['Ada', 'Ada', 'Grace', 'Ada', 'Ada'])
  await darkroom.close()
})
