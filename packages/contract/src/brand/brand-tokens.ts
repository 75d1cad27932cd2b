/**
 * Entry `brand-tokens`: the design tokens of a brand. Server and dashboard compute the same, so that a preview shows what visitors
 * get. Nothing here may import zod.
 */
import { clampChroma, formatHex, modeLrgb, modeOklch, modeRgb, type Oklch, useMode, wcagContrast } from 'culori/fn'
import type { Brand, BrandRadius } from './brand.ts'

// Contrast is measured in linear light.
useMode(modeRgb)
useMode(modeLrgb)
const toOklch = useMode(modeOklch)

/** Design tokens by name, such as `--tg-accent`. */
export type BrandTokens = Readonly<Record<`--tg-${string}`, string>>

/** Colors of the tokens that a brand's colors must stand out from (packages/react/src/tokens/tokens.css). */
const light = {
  paper: '#fbfaf7',
  surface: '#ffffff',
  sunken: '#f4f3f0',
  ink: '#131c1e',
  faint: '#646e70',
  border: '#808889',
}
const dark = { paper: '#0b1213', surface: '#12191b', sunken: '#070d0f', ink: '#f1f0ec' }

/** WCAG 2.2, 1.4.3 for text and 1.4.11 for borders. */
const enoughForText = 4.5
const enoughForBorders = 3

const radii: Readonly<Record<BrandRadius, readonly [s: string, m: string, l: string]>> = {
  square: ['0px', '0px', '0px'],
  soft: ['4px', '7px', '12px'],
  round: ['8px', '14px', '22px'],
}

/** The tokens that a brand sets. Each color keeps its hue; its lightness changes until texts on it and in it can be read. */
export function brandTokens({ color, background, radius }: Brand): BrandTokens {
  const papers = background === null ? undefined : papersOf(background)
  return {
    ...(papers && { '--tg-paper': schemes(papers.light, papers.dark) }),
    ...(color !== null && colorTokens(color, papers ?? { light: light.paper, dark: dark.paper })),
    ...(radius !== null && radiusTokens(radius)),
  }
}

type Papers = { readonly light: string; readonly dark: string }

/** A light background on which the faintest text and every border still stand out, and its dark counterpart. */
function papersOf(background: string): Papers {
  const given = oklch(background)
  const isReadable = (paper: string) =>
    wcagContrast(light.faint, paper) >= enoughForText && wcagContrast(light.border, paper) >= enoughForBorders
  return { light: lightened(given, isReadable), dark: hex({ ...given, l: 0.175, c: Math.min(given.c, 0.02) }) }
}

function colorTokens(color: string, papers: Papers): BrandTokens {
  const given = oklch(color)
  const onLight = darkened(given, isReadableOn([papers.light, light.surface, light.sunken]))
  const onDark = lightened(given, isReadableOn([papers.dark, dark.surface, dark.sunken]))
  return {
    '--tg-accent': schemes(onLight, onDark),
    '--tg-accent-soft': schemes(
      lightened({ ...given, l: 0.93, c: Math.min(given.c, 0.04) }, isReadableBehind([onLight, light.ink])),
      darkened({ ...given, l: 0.3, c: Math.min(given.c, 0.05) }, isReadableBehind([onDark, dark.ink])),
    ),
    '--tg-action': schemes(onLight, onDark),
    '--tg-action-hover': schemes(shifted(onLight, -0.06), shifted(onDark, 0.06)),
    '--tg-on-action': schemes(light.surface, dark.sunken),
  }
}

const radiusTokens = (radius: BrandRadius): BrandTokens => {
  const [s, m, l] = radii[radius]
  return { '--tg-r-s': s, '--tg-r-m': m, '--tg-r-l': l }
}

/** The color of the brand in mails, which have a white background and know no tokens; null without one. */
export const brandColorOnWhite = ({ color }: Brand): string | null =>
  color === null ? null : darkened(oklch(color), isReadableOn([light.surface, light.paper]))

const schemes = (inLight: string, inDark: string): string => `light-dark(${inLight}, ${inDark})`

type Check = (color: string) => boolean

const isReadableOn =
  (backgrounds: readonly string[]): Check =>
  (color) =>
    backgrounds.every((background) => wcagContrast(color, background) >= enoughForText)

/** The same, of a background. */
const isReadableBehind = isReadableOn

const darkened = (color: Oklch, isEnough: Check): string => until(color, -0.01, isEnough)
const lightened = (color: Oklch, isEnough: Check): string => until(color, 0.01, isEnough)

/** Changes the lightness alone, step by step, until it is enough; at the end stands black or white. */
function until(color: Oklch, step: number, isEnough: Check): string {
  for (let l = color.l; l > 0 && l < 1; l += step) {
    const found = hex({ ...color, l })
    if (isEnough(found)) return found
  }
  return step < 0 ? '#000000' : '#ffffff'
}

const shifted = (color: string, by: number): string => {
  const given = oklch(color)
  return hex({ ...given, l: Math.min(1, Math.max(0, given.l + by)) })
}

/** Chroma is cut where sRGB has no such color; hue and lightness stay. */
const hex = (color: Oklch): string => formatHex(clampChroma(color, 'oklch'))

/** A gray has no hue: zero stands for it. */
function oklch(color: string): Oklch {
  const found = toOklch(color)
  if (!found) throw new Error(`not a color: ${color}`)
  return { ...found, h: found.h ?? 0 }
}
