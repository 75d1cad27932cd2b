import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

/** Keeps `docs/how-to-add.md` true: its files exist, and what a table says of a file stands in that file. */

const root = fileURLToPath(new URL('../', import.meta.url))
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const guide = read('docs/how-to-add.md')

type Step = { readonly kind: string; readonly file: string; readonly what: string }

const recipes = guide
  .split(/^## /m)
  .slice(1)
  .map((section) => {
    const [title = ''] = section.split('\n')
    const steps = [...section.matchAll(/^\| (new|edited) \| `([^`]+)` \| (.+) \|$/gm)].map(
      ([, kind = '', file = '', what = '']): Step => ({ kind, file, what }),
    )
    return { title, steps }
  })

const codeIn = (text: string) => Array.from(text.matchAll(/`([^`]+)`/g), ([, code = '']) => code)
const isPath = (code: string) => /^(packages|apps|scripts|docs)\/[\w./-]+$/.test(code)

test('the recipes are found', () => {
  expect(recipes.map(({ title }) => title)).toEqual([
    'A social provider',
    'A field of an organization',
    'A webhook event',
    'A billing resource',
    'A list of the dashboard',
    'A page',
  ])
})

test('every path that the guide names exists', () => {
  expect(codeIn(guide).filter((code) => isPath(code) && !existsSync(path.join(root, code)))).toEqual([])
})

describe.each(recipes)('$title', ({ steps }) => {
  test('has steps, each in a file of its own', () => {
    expect(steps.length).toBeGreaterThan(1)
    expect(new Set(steps.map(({ file }) => file)).size).toBe(steps.length)
  })

  test.each(steps)('$file contains what its row says', ({ file, what }) => {
    const text = read(file)

    expect(codeIn(what).filter((code) => !text.includes(code))).toEqual([])
  })
})
