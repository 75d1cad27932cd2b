import { globSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { root, runTool } from './run-tool.mjs'

const types = 'node_modules/.cache/types'

/** What the compiler remembers of the projects that see the JSON of a folder. */
const remembered = {
  'packages/server/src': ['packages/server/dist/.tsbuildinfo', `${types}/tests.tsbuildinfo`],
  'packages/react/src': ['packages/react/dist/.tsbuildinfo', `${types}/web.tsbuildinfo`, `${types}/tests.tsbuildinfo`],
  'apps/web/src': [`${types}/web.tsbuildinfo`],
}

/**
 * Compiles projects, by default all: side by side, and only what changed since the last run. More than one checker for
 * each project would do the same work twice. Answers whether the types fit.
 */
export function compile(projects = []) {
  forgetChangedTexts()
  return runTool('tsc', ['-b', '--checkers', '1', ...projects])
}

/**
 * TypeScript 7.0 does not check again what imports a changed JSON file, so faults in it stay after they are mended
 * (https://github.com/microsoft/TypeScript/issues/64025). A project with newer JSON is therefore checked from scratch.
 */
function forgetChangedTexts() {
  const changedAt = (file) => statSync(path.join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? 0
  for (const [folder, files] of Object.entries(remembered)) {
    const changed = Math.max(...globSync(`${folder}/**/*.json`, { cwd: root }).map(changedAt))
    for (const file of files) if (changedAt(file) < changed) rmSync(path.join(root, file), { force: true })
  }
}
