import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { readBelow, writeRegistries } from '../registries/registries.ts'
import type { Rule } from './project.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** A migration, a service or a file of the contract that is in no list would be left out without a word. */
export const registries: Rule = {
  name: 'registries',
  why: 'the lists of calls, schemas, handlers and migrations are complete: run node scripts/registries.mjs',
  check: () =>
    Object.entries(writeRegistries(readBelow(root)))
      .filter(([file, text]) => readFileSync(path.join(root, file), 'utf8') !== text)
      .map(([file]) => ({ file, line: 1, message: 'is out of date' })),
}
