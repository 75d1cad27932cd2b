import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLive, type Live } from './live.ts'

/** A connection whose server is the test. */
class FakeSource extends EventTarget {
  static readonly CLOSED = 2
  static opened: FakeSource[] = []
  readyState = 1
  onerror: (() => void) | undefined
  constructor() {
    super()
    FakeSource.opened.push(this)
  }
  greet(objects: readonly string[]): void {
    this.dispatchEvent(new MessageEvent('hello', { data: JSON.stringify(objects) }))
  }
  refuse(): void {
    this.close()
    this.onerror?.()
  }
  close(): void {
    this.readyState = FakeSource.CLOSED
  }
}

beforeEach(() => {
  FakeSource.opened = []
  vi.useFakeTimers()
  vi.stubGlobal('EventSource', FakeSource)
  vi.stubGlobal('navigator', { locks: { request: async (_: string, __: object, run: () => Promise<void>) => run() } })
  vi.stubGlobal(
    'BroadcastChannel',
    class extends EventTarget {
      postMessage(): void {}
      close(): void {}
    },
  )
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const latest = (): FakeSource => FakeSource.opened.at(-1)!
const covers = (live: Live): readonly string[] => [...(live.read().covered ?? [])]

test('a refused connection is tried again, after growing delays, and starts anew when one succeeds', () => {
  const live = createLive('atlas')
  const leave = live.subscribe(() => {})

  latest().refuse()
  vi.advanceTimersByTime(4_999)
  expect(FakeSource.opened).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(FakeSource.opened).toHaveLength(2)
  latest().refuse()
  vi.advanceTimersByTime(14_999)
  expect(FakeSource.opened).toHaveLength(2)
  vi.advanceTimersByTime(1)
  latest().greet(['order'])
  expect(covers(live)).toEqual(['order'])
  latest().refuse()
  vi.advanceTimersByTime(5_000)

  expect(FakeSource.opened).toHaveLength(4)
  leave()
})

test('the connection is kept from one list to the next, and closed when none follows', () => {
  const live = createLive('atlas')
  const leaveOrders = live.subscribe(() => {})
  latest().greet(['order', 'customer'])

  leaveOrders()
  vi.advanceTimersByTime(4_000)
  const leaveCustomers = live.subscribe(() => {})
  vi.advanceTimersByTime(10_000)
  expect([FakeSource.opened.length, latest().readyState, covers(live)]).toEqual([1, 1, ['order', 'customer']])
  leaveCustomers()
  vi.advanceTimersByTime(5_000)

  expect([latest().readyState, covers(live)]).toEqual([FakeSource.CLOSED, []])
})

test('an ended subscription does not try again', () => {
  const leave = createLive('atlas').subscribe(() => {})
  latest().refuse()

  leave()
  vi.advanceTimersByTime(600_000)

  expect(FakeSource.opened).toHaveLength(1 + 1) // the try while the connection lingers
  expect(latest().readyState).toBe(FakeSource.CLOSED)
})
