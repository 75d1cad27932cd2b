import { expect, test } from 'vitest'
import { mostOfProcess, mostOfUser, withUploadPlace } from './running-uploads.ts'

/** Uploads that end on request. */
function held() {
  const end = Promise.withResolvers<string>()
  let begun = 0
  const read = () => {
    begun += 1
    return end.promise
  }
  return { end: () => end.resolve('read'), read, begun: () => begun }
}
const refusal = (work: Promise<unknown>) => work.catch((error) => `${error.error} ${error.retryAfter}`)

test('a user reads some uploads at a time, and others more beside them', async () => {
  const { end, read, begun } = held()
  const own = Array.from({ length: mostOfUser }, () => withUploadPlace('ada', read))

  const refused = await refusal(withUploadPlace('ada', read))
  const other = withUploadPlace('grace', read)

  expect([refused, begun()]).toEqual(['TOO_MANY_REQUESTS 5', mostOfUser + 1])
  end()
  expect(await Promise.all([...own, other])).toEqual(Array(mostOfUser + 1).fill('read'))
  expect(await withUploadPlace('ada', async () => 'again')).toBe('again')
})

test('the process reads a limited number of uploads at a time, however many users send', async () => {
  const { end, read } = held()
  const all = Array.from({ length: mostOfProcess }, (_, at) => withUploadPlace(`user ${at}`, read))

  const refused = await refusal(withUploadPlace('one more', read))

  expect(refused).toBe('SERVICE_UNAVAILABLE 5')
  end()
  await Promise.all(all)
})

test('an upload that fails gives its place back', async () => {
  for (let time = 0; time <= mostOfUser; time += 1)
    await expect(withUploadPlace('ada', () => Promise.reject(new Error('ended early')))).rejects.toThrow('ended early')
})
