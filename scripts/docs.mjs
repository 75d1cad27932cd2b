// Writes the pages of docs/ that are made from the code: `node scripts/docs.mjs`, after a change of options, errors or
// calls. A test fails while they are out of date.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { generatedPages } from './docs/pages.ts'
import { root } from './run-tool.mjs'

for (const [name, text] of Object.entries(generatedPages())) {
  writeFileSync(path.join(root, 'docs', name), text)
  console.log(`✓ docs/${name}`)
}
