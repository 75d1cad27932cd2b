/// <reference path="./testing/fontkit.d.ts" />

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { create } from 'fontkit'
import { Blob, Face, Font } from 'harfbuzzjs'
import { expect, test } from 'vitest'
import { isWoff2, unpackWoff2 } from './woff2.ts'

const fileOf = (family: string, slice: string): Uint8Array =>
  readFileSync(
    fileURLToPath(
      import.meta.resolve(
        `@fontsource-variable/noto-sans-${family}/files/noto-sans-${family}-${slice}-wght-normal.woff2`,
      ),
    ),
  )

test.each([
  ['hebrew', 'hebrew'],
  ['arabic', 'arabic'],
  ['khmer', 'khmer'],
  ['jp', '118'],
])('the outlines and widths of %s %s are those that another reader finds', (family, slice) => {
  const bytes = fileOf(family, slice)
  const reference = create(bytes)
  const font = new Font(new Face(new Blob(unpackWoff2(bytes))))

  for (let id = 0; id < reference.numGlyphs; id += 1) {
    const { advanceWidth, path } = reference.getGlyph(id)
    const { minX, maxX, minY, maxY } = path.cbox
    const { xBearing = 0, yBearing = 0, width = 0, height = 0 } = font.glyphExtents(id) ?? {}
    expect(font.glyphHAdvance(id)).toBe(advanceWidth)
    if (Number.isFinite(minX))
      expect([xBearing, xBearing + width, yBearing + height, yBearing], `${id}`).toEqual([minX, maxX, minY, maxY])
  }
})

test('a file of another format is not taken for WOFF2, and a cut one is refused', () => {
  const bytes = fileOf('hebrew', 'hebrew')

  expect(isWoff2(bytes)).toBe(true)
  expect(isWoff2(bytes.subarray(4))).toBe(false)
  expect(() => unpackWoff2(bytes.subarray(0, 500))).toThrow('the file ends too early')
})
