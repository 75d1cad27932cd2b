import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { tokens } from './tokens.ts'

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')
const namesIn = (css: string, pattern: RegExp) => new Set([...css.matchAll(pattern)].map(([, name]) => name))
const sheets = readdirSync(new URL('..', import.meta.url)).filter((name) => name.endsWith('.css'))

test('the object and the style sheet have the same tokens', () => {
  const defined = namesIn(read('./tokens.css'), /(--tg-[\w-]+)\s*:/g)

  expect([...defined].sort()).toEqual(Object.values(tokens).toSorted())
})

test.each(sheets)('%s uses no token that does not exist', (file) => {
  const used = namesIn(read(`../${file}`), /var\((--tg-[\w-]+)/g)

  expect([...used].filter((name) => !Object.values<string | undefined>(tokens).includes(name))).toEqual([])
})

test.each(['tokens/tokens.css', ...['styles', 'card', 'fields', 'account', 'panels'].map((name) => `${name}.css`)])(
  '%s touches nothing outside a data-tg element',
  (file) => {
    const rules = read(`../${file}`)
      .replace(/\/\*[\s\S]*?\*\//g, '')
      .matchAll(/^ {2}(?! |@|to\b|\})([^\n{]+)[{,]/gm)

    for (const [, selector] of rules) expect(selector).toMatch(/^(:where\()?\[data-tg/)
  },
)
