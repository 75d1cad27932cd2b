import type { ClientError, Result } from '@tollgate/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createUpdates } from './updates.ts'

type Changes = { amount?: number; country?: string; email?: string }

/** A server that answers when the test releases it. */
function setUp(refused: (error: ClientError, changes: Changes) => Changes | undefined = () => undefined) {
  const sent: Changes[] = []
  const answers: ((result: Result<string>) => void)[] = []
  const shown: string[] = []
  const updates = createUpdates<Changes, string>({
    send: (changes) => {
      sent.push(changes)
      return new Promise((resolve) => answers.push(resolve))
    },
    answered: (data) => shown.push(data),
    refused,
  })
  const answer = async (data: string) => {
    answers.shift()?.({ data, error: null })
    await vi.advanceTimersByTimeAsync(0)
  }
  const refuse = async (status: number) => {
    answers.shift()?.({ data: null, error: { status, statusText: '' } })
    await vi.advanceTimersByTimeAsync(0)
  }
  return { updates, sent, shown, answer, refuse }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('changes in quick succession are one request', async () => {
  const { updates, sent } = setUp()

  updates.add({ amount: 1 })
  await vi.advanceTimersByTimeAsync(399)
  updates.add({ amount: 12, country: 'DE' })
  await vi.advanceTimersByTimeAsync(399)
  expect(sent).toEqual([])
  await vi.advanceTimersByTimeAsync(1)

  expect(sent).toEqual([{ amount: 12, country: 'DE' }])
})

test('a request waits for the one before it, so that the newest answer is the last one', async () => {
  const { updates, sent, shown, answer } = setUp()

  updates.add({ country: 'DE' }, 'now')
  updates.add({ country: 'FR' }, 'now')
  updates.add({ amount: 5 }, 'now')
  expect(sent).toEqual([{ country: 'DE' }])
  await answer('Germany')
  expect(sent[1]).toEqual({ country: 'FR', amount: 5 })
  await answer('France')

  expect(shown).toEqual(['Germany', 'France'])
})

test('who pays waits for everything that has not been answered yet', async () => {
  const { updates, answer, shown } = setUp()
  let isSettled = false

  updates.add({ country: 'DE' }, 'now')
  updates.add({ amount: 5 })
  void updates.settle().then(() => {
    isSettled = true
  })
  await answer('first')
  expect(isSettled).toBe(false)
  await answer('second')

  expect(isSettled).toBe(true)
  expect(shown).toEqual(['first', 'second'])
})

test('a refused item does not affect the rest, and yields to a concurrent change', async () => {
  const { updates, sent, refuse, answer } = setUp((_, { email: __, ...rest }) => rest)

  updates.add({ email: 'nothing', country: 'DE', amount: 1 }, 'now')
  updates.add({ amount: 2 })
  await refuse(422)
  expect(sent[1]).toEqual({ country: 'DE', amount: 2 })
  await answer('')

  expect(sent).toHaveLength(2)
})

test('nothing is sent where nothing waits', async () => {
  const { updates, sent } = setUp()

  await updates.settle()

  expect(sent).toEqual([])
})
