import { expect, test } from 'vitest'
import { normalizeSlug } from './slug-rules.ts'

test.each([
  ['acme', 'acme'],
  ['Acme-Corp', 'acme-corp'],
  [' acme ', 'acme'],
  ['my_org', 'my_org'],
  ['a--b', 'a--b'],
  ['42', '42'],
  ['new-shoes', 'new-shoes'],
  ['a'.repeat(64), 'a'.repeat(64)],
])('%j is kept as %s', (given, kept) => {
  expect(normalizeSlug(given)).toBe(kept)
})

test.each([
  [''],
  [' '],
  ['a'],
  ['a'.repeat(65)],
  ['-acme'],
  ['acme-'],
  ['_acme'],
  ['my org'],
  ['acme/settings'],
  ['..'],
  ['acme.com'],
  ['acme?x'],
  ['%61cme'],
  ['ácme'],
  ['acme\n'.repeat(2)],
  ['İstanbul'],
  ['new'],
  ['API'],
])('%j is no slug', (given) => {
  expect(normalizeSlug(given)).toBeNull()
})
