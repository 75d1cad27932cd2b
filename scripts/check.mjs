// `npm run check`: types, lint and house rules, without running any of the program.
import { fileURLToPath } from 'node:url'
import { root, runTool } from './run-tool.mjs'

/** Each check has a name to show and answers whether it passed; what it found is printed by then. */
export const checks = [
  { name: 'types', run: checkTypes },
  { name: 'lint', run: () => runTool('biome', ['ci', '--error-on-warnings', '.']) },
  { name: 'house rules', run: checkHouseRules },
]

/** All of them, even when the first has faults: one run shows everything there is to mend. */
async function checkTypes() {
  let passed = true
  for (const config of ['tsconfig.json', 'tsconfig.web.json', 'tsconfig.e2e.json', 'bench/tsconfig.json']) {
    passed = (await runTool('tsc', ['-p', config])) && passed
  }
  return passed
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
  for (const check of checks) if (!(await runStage(check))) process.exitCode = 1
}
