import { expect, test } from 'vitest'
import { attentionQueryOf, attentionSearchIn } from './attention.search.ts'

test('an address that was typed by hand shows open entries of every kind', () => {
  expect(attentionSearchIn({ state: 'open', kind: 'other', cursor: ' ', page: '3' })).toEqual({})
})

test('the address names the state, the kind and the page', () => {
  const search = attentionSearchIn({ state: 'resolved', kind: 'unknown_payment', cursor: 'abc', page: '2' })

  expect(search).toEqual({ state: 'resolved', kind: 'unknown_payment', cursor: 'abc', page: 2 })
  expect(attentionQueryOf(search)).toEqual({ limit: 50, state: 'resolved', kind: 'unknown_payment', cursor: 'abc' })
})
