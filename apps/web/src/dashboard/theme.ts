import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'
import { type TokenName, tokens } from '@tollgate/react'
import { texts } from './texts.ts'

const token = (name: TokenName) => `var(${name})`

/** Ten shades as Mantine wants them, of tokens that already know both schemes; the last one given fills up. */
function shades(...names: readonly [TokenName, ...TokenName[]]): MantineColorsTuple {
  const at = (index: number) => token(names[Math.min(index, names.length - 1)]!)
  return [at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7), at(8), at(9)]
}

const { paper, surface, sunken, ink, ink2, ink3, line, lineStrong, action, danger, dangerSoft } = tokens

const weights = { regular: '400', medium: '500', bold: '600' }

/** Mantine with our tokens instead of colors, so that one file decides about both layers. */
export const theme = createTheme({
  white: token(surface),
  black: token(ink),
  primaryColor: 'action',
  primaryShade: 6,
  colors: {
    action: shades(action),
    // Which shades it takes for what differs by scheme: gray is only asked for in the light one, dark in the other.
    gray: shades(paper, sunken, line, line, lineStrong, ink3, ink3, ink2, ink),
    dark: shades(ink, ink2, ink3, ink3, lineStrong, line, surface, paper, sunken),
    red: shades(dangerSoft, dangerSoft, danger),
  },
  fontFamily: token(tokens.fontSans),
  fontFamilyMonospace: token(tokens.fontMono),
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '16px', sm: '18px', md: '20px', lg: '24px', xl: '25px' },
  fontWeights: weights,
  headings: {
    fontFamily: token(tokens.fontSans),
    fontWeight: weights.bold,
    sizes: { h1: { fontSize: '20px', lineHeight: '25px' }, h2: { fontSize: '14px', lineHeight: '20px' } },
  },
  spacing: { xs: '4px', sm: '8px', md: '12px', lg: '16px', xl: '24px' },
  radius: {
    xs: token(tokens.radiusSmall),
    sm: token(tokens.radiusSmall),
    md: token(tokens.radiusMedium),
    lg: token(tokens.radiusLarge),
    xl: token(tokens.radiusLarge),
  },
  defaultRadius: 'md',
  shadows: Object.fromEntries(['xs', 'sm', 'md', 'lg', 'xl'].map((size) => [size, token(tokens.shadowPop)])),
  respectReducedMotion: true,
  cursorType: 'pointer',
  // A button that moves when it is pressed is noise in a dense page.
  activeClassName: '',
  components: {
    Notification: {
      defaultProps: { closeButtonProps: { 'aria-label': texts.dialog.close } },
    },
    PasswordInput: {
      // Mantine hides this button from the keyboard unless it is given a name.
      defaultProps: { visibilityToggleButtonProps: { 'aria-label': texts.dialog.showPassword, tabIndex: 0 } },
    },
  },
})

const variables = {
  '--mantine-color-body': token(paper),
  '--mantine-color-text': token(ink),
  '--mantine-color-bright': token(ink),
  '--mantine-color-dimmed': token(ink3),
  '--mantine-color-placeholder': token(ink3),
  '--mantine-color-error': token(danger),
  '--mantine-color-anchor': token(tokens.accent),
  '--mantine-color-default': token(surface),
  '--mantine-color-default-hover': token(sunken),
  '--mantine-color-default-color': token(ink),
  '--mantine-color-default-border': token(lineStrong),
  '--mantine-primary-color-filled': token(action),
  '--mantine-primary-color-filled-hover': token(tokens.actionHover),
  '--mantine-primary-color-contrast': token(tokens.onAction),
  '--mantine-color-action-filled': token(action),
  '--mantine-color-action-filled-hover': token(tokens.actionHover),
  '--mantine-color-action-light': token(sunken),
  '--mantine-color-action-light-hover': token(sunken),
  '--mantine-color-action-light-color': token(ink),
  '--mantine-color-gray-light-hover': token(sunken),
  '--mantine-color-gray-light-color': token(ink2),
  '--mantine-color-red-filled': token(danger),
  '--mantine-color-red-filled-hover': token(danger),
  '--mantine-color-red-light': token(dangerSoft),
  '--mantine-color-red-light-hover': token(dangerSoft),
  '--mantine-color-red-light-color': token(danger),
  '--mantine-color-red-outline': token(danger),
  '--mantine-color-red-outline-hover': token(dangerSoft),
}

/** The same for both schemes, since every token is itself a pair. */
export const cssVariables: CSSVariablesResolver = () => ({ variables: {}, light: variables, dark: variables })
