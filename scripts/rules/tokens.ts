import { type Finding, type Rule, textsOf } from './project.ts'

const places = /^(packages\/react|apps\/web)\/.*\.css$/
const tokenFiles = /^packages\/react\/src\/tokens\//

/** Names that a style sheet might use instead of a token; `transparent`, `currentColor` and system colours are fine. */
const colourNames =
  'black|white|red|green|blue|yellow|orange|purple|pink|brown|gr[ae]y|silver|maroon|olive|lime|aqua|teal|navy|fuchsia|cyan|magenta|gold|indigo|violet|crimson|coral|tomato|salmon|beige|ivory|(?:light|dark)(?:gr[ae]y|blue|green|red)'

const faults: readonly { readonly found: RegExp; readonly message: string }[] = [
  { found: /#[0-9a-f]{3,8}\b/gi, message: 'a raw colour; take a --tg- token' },
  {
    found: /\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch)\((?!\s*from\s+var\()/gi,
    message: 'a raw colour; take a --tg- token',
  },
  {
    found: new RegExp(`(?<=:[^;{}]*(?<![\\w-]))(?:${colourNames})(?![\\w-])`, 'gi'),
    message: 'a raw colour; take a --tg- token',
  },
  {
    found: /(?<=border(?:-[a-z]+)*-radius\s*:[^;{}]*)\b\d*\.?\d+px/gi,
    message: 'a raw radius; take --tg-r-s, --tg-r-m or --tg-r-l',
  },
]

/** Branding and the dark scheme change tokens and nothing else. */
export const tokens: Rule = {
  name: 'design tokens',
  why: 'colours and radii come from packages/react/src/tokens, or a tenant’s colour and the dark scheme miss some places',
  check: (project) =>
    [...textsOf(project, (file) => places.test(file) && !tokenFiles.test(file))].flatMap(([file, text]) => {
      const plain = blanked(text)
      return faults.flatMap(({ found, message }) =>
        [...plain.matchAll(found)].map(
          (match): Finding => ({
            file,
            line: plain.slice(0, match.index).split('\n').length,
            message: `${match[0]} is ${message}`,
          }),
        ),
      )
    }),
}

/** The text with comments, strings, addresses and selectors of ids emptied, lines kept. */
function blanked(text: string): string {
  const spaces = (part: string): string => part.replace(/[^\n]/g, ' ')
  return text
    .replace(/\/\*[\s\S]*?\*\/|"[^"\n]*"|'[^'\n]*'|url\([^)]*\)/g, spaces)
    .replace(/(^|[{};])([^{};]*)(?=\{)/g, (_, start: string, selector: string) => start + spaces(selector))
}
