// Writes the lists of calls, schemas, handlers and migrations: `node scripts/registries.mjs`, after adding one.
// A test fails while they are out of date.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { readBelow, writeRegistries } from './registries/registries.ts'
import { root } from './run-tool.mjs'

for (const [file, text] of Object.entries(writeRegistries(readBelow(root)))) {
  writeFileSync(path.join(root, file), text)
  console.log(`✓ ${file}`)
}
