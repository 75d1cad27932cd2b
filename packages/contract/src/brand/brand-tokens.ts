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

const corners: Readonly<Record<BrandRadius, Readonly<Record<'s' | 'm' | 'l', string>>>> = {
  square: { s: '0px', m: '0px', l: '0px' },
  soft: { s: '4px', m: '7px', l: '12px' },
  round: { s: '8px', m: '14px', l: '22px' },
}

/** A color, as `#rrggbb`, in the light and in the dark scheme. */
export type SchemeColor = { readonly light: string; readonly dark: string }

/** Colors by the name of their design token. */
export type BrandColors = Partial<
  Readonly<Record<'paper' | 'accent' | 'accent-soft' | 'action' | 'action-hover' | 'on-action', SchemeColor>>
>

/** The tokens that a brand sets: its colors and its corners. */
export function brandTokens(brand: Brand): BrandTokens {
  const colors = Object.entries(brandColors(brand)).map(([name, { light, dark }]) => [
    `--tg-${name}`,
    `light-dark(${light}, ${dark})`,
  ])
  const corners = Object.entries(brandCorners(brand)).map(([size, length]) => [`--tg-r-${size}`, length])
  return Object.fromEntries([...colors, ...corners])
}

/** The colors that a brand sets. Each keeps its hue; its lightness changes until texts on it and in it can be read. */
export function brandColors({ color, background }: Brand): BrandColors {
  const papers = background === null ? undefined : papersOf(background)
  return {
    ...(papers && { paper: papers }),
    ...(color !== null && colorsFrom(color, papers ?? { light: light.paper, dark: dark.paper })),
  }
}

/** The radii of small parts, buttons and cards that a brand sets; empty for the product's own. */
export const brandCorners = ({ radius }: Brand): Partial<Readonly<Record<'s' | 'm' | 'l', string>>> =>
  radius === null ? {} : corners[radius]

/** A light background on which the faintest text and every border still stand out, and its dark counterpart. */
function papersOf(background: string): SchemeColor {
  const given = oklch(background)
  const isReadable = (paper: string) =>
    wcagContrast(light.faint, paper) >= enoughForText && wcagContrast(light.border, paper) >= enoughForBorders
  return { light: lightened(given, isReadable), dark: hex({ ...given, l: 0.175, c: Math.min(given.c, 0.02) }) }
}

function colorsFrom(color: string, papers: SchemeColor): BrandColors {
  const given = oklch(color)
  const onLight = darkened(given, isReadableOn([papers.light, light.surface, light.sunken]))
  const onDark = lightened(given, isReadableOn([papers.dark, dark.surface, dark.sunken]))
  return {
    accent: { light: onLight, dark: onDark },
    'accent-soft': {
      light: lightened({ ...given, l: 0.93, c: Math.min(given.c, 0.04) }, isReadableBehind([onLight, light.ink])),
      dark: darkened({ ...given, l: 0.3, c: Math.min(given.c, 0.05) }, isReadableBehind([onDark, dark.ink])),
    },
    action: { light: onLight, dark: onDark },
    'action-hover': { light: shifted(onLight, -0.06), dark: shifted(onDark, 0.06) },
    'on-action': { light: light.surface, dark: dark.sunken },
  }
}

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
