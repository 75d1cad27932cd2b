import { wcagContrast } from 'culori/fn'
import { expect, test } from 'vitest'
import { noBrand } from './brand.ts'
import { brandColors, brandTokens } from './brand-tokens.ts'

const colors = ['#000000', '#ffffff', '#ffeb3b', '#00ff00', '#0000ff', '#ff0000', '#808080', '#5b21b6', '#7dd3fc']

const colorsOf = (value: string | undefined) => {
  const [, light = '', dark = ''] = /^light-dark\((#\w{6}), (#\w{6})\)$/.exec(value ?? '') ?? []
  return { light, dark }
}

test('without a brand no token changes', () => {
  expect(brandTokens(noBrand)).toEqual({})
})

test.each(colors.flatMap((color) => [null, ...colors].map((background) => [color, background] as const)))(
  '%s on %s can be read in both schemes, as a link and as a button',
  (color, background) => {
    const tokens = brandTokens({ color, background, radius: null })
    const token = (name: `--tg-${string}`) => colorsOf(tokens[name] ?? 'light-dark(#fbfaf7, #0b1213)')
    const [paper, accent, soft] = [token('--tg-paper'), token('--tg-accent'), token('--tg-accent-soft')]
    const [action, hover, onAction] = [token('--tg-action'), token('--tg-action-hover'), token('--tg-on-action')]

    const pairs = (['light', 'dark'] as const).flatMap((scheme) => [
      ['link', accent[scheme], paper[scheme]],
      ['link on a card', accent[scheme], { light: '#ffffff', dark: '#12191b' }[scheme]],
      ['link on its tint', accent[scheme], soft[scheme]],
      ['text on its tint', { light: '#131c1e', dark: '#f1f0ec' }[scheme], soft[scheme]],
      ['button', onAction[scheme], action[scheme]],
      ['button under the pointer', onAction[scheme], hover[scheme]],
    ])
    const faint = pairs.filter(([, one = '', other = '']) => wcagContrast(one, other) < 4.5)
    expect(faint).toEqual([])
    expect(wcagContrast('#646e70', paper.light)).toBeGreaterThanOrEqual(4.5)
    expect(wcagContrast('#808889', paper.light)).toBeGreaterThanOrEqual(3)
  },
)

test('a color that can be read stays as it is', () => {
  expect(colorsOf(brandTokens({ ...noBrand, color: '#5b21b6' })['--tg-accent']).light).toBe('#5b21b6')
  expect(brandColors({ ...noBrand, color: '#5b21b6' }).action?.light).toBe('#5b21b6')
})

test('corners follow the choice', () => {
  expect(brandTokens({ ...noBrand, radius: 'square' })).toEqual({
    '--tg-r-s': '0px',
    '--tg-r-m': '0px',
    '--tg-r-l': '0px',
  })
})
