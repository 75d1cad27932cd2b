import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { projectOnDisk } from './rules/project.ts'

/** Keeps the map and the decisions true: every file and folder that they name exists. */

const root = path.join(import.meta.dirname, '..')
const decisions = readdirSync(path.join(root, 'docs/decisions')).map((name) => `docs/decisions/${name}`)
const files = projectOnDisk(root).files

/** A name is a path from the root, or the end of one: `mail/locales/` is the folder below `foundation`. */
const exists = (name: string): boolean =>
  existsSync(path.join(root, name)) ||
  files.some((file) => (name.endsWith('/') ? file.includes(`/${name}`) : file.endsWith(`/${name}`)))

const isPath = (code: string): boolean => /^[\w-][\w./-]*(\.(ts|tsx|mjs|md)|\/)$/.test(code)

test.each(['ARCHITECTURE.md', ...decisions])('%s names files that exist', (page) => {
  const text = readFileSync(path.join(root, page), 'utf8')
  const named = Array.from(text.matchAll(/`([^`\n]+)`/g), ([, code = '']) => code).filter(isPath)

  expect(named.filter((name) => !exists(name))).toEqual([])
})

test('the index lists every decision', () => {
  const index = readFileSync(path.join(root, 'docs/decisions/README.md'), 'utf8')
  const missing = decisions.map((file) => path.basename(file)).filter((name) => !index.includes(name))

  expect(missing).toEqual(['README.md'])
})
