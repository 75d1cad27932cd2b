// `npm run check`: types, lint and house rules, without running any of the program.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { root, runTool } from './run-tool.mjs'
import { compile } from './types.mjs'

/** Each check has a name to show and answers whether it passed; what it found is printed by then. */
const checks = [
  { name: 'lint', run: () => runTool('biome', ['ci', '--error-on-warnings', '.']) },
  { name: 'dead code', run: checkDeadCode },
  { name: 'house rules', run: checkHouseRules },
]

/** Files, exports and dependencies that nothing uses; knip.jsonc says what is used in ways that it cannot see. */
async function checkDeadCode() {
  if (!existsSync(path.join(root, 'node_modules/knip'))) {
    console.error('knip is not installed: run npm install')
    return false
  }
  const kinds = 'files,dependencies,exports,types,duplicates,unresolved'
  return runTool('knip', ['--no-progress', '--no-config-hints', '--include', kinds])
}

async function checkHouseRules() {
  const { rules } = await import('./rules/all.ts')
  const { projectOnDisk } = await import('./rules/project.ts')
  const project = projectOnDisk(root)
  let passed = true
  for (const rule of rules) {
    const findings = await rule.check(project)
    if (findings.length === 0) continue
    passed = false
    console.error(`\n${rule.name}: ${rule.why}`)
    for (const { file, line, message } of findings) console.error(`  ${file}:${line}  ${message}`)
  }
  return passed
}

/** Runs all checks, the compiler beside the others, and answers which of them passed. */
export async function runChecks() {
  const types = runStage({ name: 'types', run: () => compile() })
  const passed = []
  for (const check of checks) passed.push(await runStage(check))
  return [await types, ...passed]
}

/** Runs one check with its time; a check that throws has failed. */
export async function runStage({ name, run }) {
  const start = performance.now()
  let passed = false
  try {
    passed = await run()
  } catch (error) {
    console.error(error)
  }
  console.log(`${passed ? '✓' : '✗'} ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`)
  return passed
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if ((await runChecks()).includes(false)) process.exitCode = 1
}
