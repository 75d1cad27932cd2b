import { expect, test, vi } from 'vitest'
import { createTypeAhead } from './type-ahead.ts'

/** A window to type into. */
function typing() {
  let listener: ((event: KeyboardEvent) => void) | undefined
  const typeAhead = createTypeAhead(() => ({
    addEventListener: (_: string, added: unknown) => {
      listener = added as typeof listener
    },
    removeEventListener: () => {
      listener = undefined
    },
  }))
  const press = (key: string, given: Partial<KeyboardEvent> = {}) => {
    const preventDefault = vi.fn()
    listener?.({ key, preventDefault, stopImmediatePropagation: vi.fn(), ...given } as unknown as KeyboardEvent)
    return preventDefault.mock.calls.length > 0
  }
  return { typeAhead, press }
}

test('what is typed until the field is there is kept, and reaches nothing else', () => {
  const { typeAhead, press } = typing()

  typeAhead.begin()
  const kept = [...'refunk'].map((key) => press(key))
  press('Backspace')
  press('d')

  expect(kept).toEqual(Array(6).fill(true))
  expect(typeAhead.take()).toBe('refund')
  expect(press('x')).toBe(false)
})

test('keys that type nothing pass, and each opening begins anew', () => {
  const { typeAhead, press } = typing()
  typeAhead.begin()
  press('a')

  expect([press('Escape'), press('k', { ctrlKey: true }), press('Tab')]).toEqual([false, false, false])
  typeAhead.begin()
  expect(typeAhead.take()).toBe('')
})
