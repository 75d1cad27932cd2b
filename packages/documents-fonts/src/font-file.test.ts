/// <reference path="./testing/fontkit.d.ts" />

import { create } from 'fontkit'
import { expect, test } from 'vitest'
import { familiesFor, findSlice, openSlice } from './families.ts'

const opened = (text: string, weight = 600) => {
  const [family = ''] = familiesFor(text, undefined)
  const slice = findSlice(family, text.codePointAt(0)!)!
  return openSlice(slice)(weight).inDocument(1)
}

/** What the glyphs of a text stand for, in drawing order. */
const drawn = (text: string): string =>
  opened(text)
    .layout(text)
    .glyphs.map(({ codePoints }) => String.fromCodePoint(...codePoints))
    .join('')

test.each([
  ['Hebrew, to the left', 'שלום', 'םולש'],
  ['Arabic, to the left', 'شركة', 'ةكرش'],
  ['Thai, its marks on their letters', 'ที่นี่', 'ที่นี่'],
  ['Tamil, a vowel before its consonant', 'கெ', 'ெக'],
])('%s', (_, text, visual) => {
  expect(drawn(text)).toBe(visual)
})

test('a heavier weight is wider, and has a name of its own', () => {
  const width = (weight: number) => opened('שלום', weight).layout('שלום').advanceWidth

  expect(width(600)).toBeGreaterThan(width(400))
  expect(opened('株', 400).postscriptName).toBe('NotoSansSC-400.1')
})

test('the embedded glyphs are a font of their own that other programs read', () => {
  const font = opened('שלום')
  const { glyphs } = font.layout('שלום')
  const subset = font.createSubset()
  const places = glyphs.map(({ id }) => subset.includeGlyph(id))
  const read = create(subset.encode())

  expect(places).toEqual([1, 2, 3, 4])
  expect(places.map((place) => read.getGlyph(place).advanceWidth)).toEqual(
    glyphs.map(({ advanceWidth }) => advanceWidth),
  )
})
