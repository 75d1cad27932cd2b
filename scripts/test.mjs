// `npm test`: what must hold before a change is handed in. The last line is always `N passed, N failed`.
//
//   npm test                                  checks and all tests; on PostgreSQL those where the database counts
//   npm test -- --all                         the same with every server test on PostgreSQL too, as CI runs it
//   npm test -- --only sqlite                 tests of one project (unit, sqlite, postgres, compat, e2e), no checks
//   npm test -- --only sqlite sign-up         … of files whose path contains "sign-up"
//   npm test -- --watch [sign-up]             unit and sqlite tests of those files, else of what changed since the last
//                                             commit; again after each change, until `q`
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { buildWebIfChanged } from './build-web.mjs'
import { runChecks, runStage } from './check.mjs'
import { runTool, stopTool } from './run-tool.mjs'

const everyProject = ['unit', 'sqlite', 'postgres', 'compat', 'e2e']
const webBuild = {
  name: 'web build',
  run: async () => {
    await buildWebIfChanged()
    return true
  },
}
const serverBuild = {
  name: 'server build',
  run: async () => {
    const { buildTestedServer } = await import('./build-tested-server.ts')
    process.env.TEST_PROGRAM = await buildTestedServer()
    return true
  },
}
const total = { passed: 0, failed: 0 }
let interrupted = false
let watched = false

try {
  await main()
} catch (error) {
  console.error(error)
  total.failed += 1
}
if (!watched) {
  if (interrupted) total.failed += 1
  process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1
  console.log(`\n${total.passed} passed, ${total.failed} failed`)
}

async function main() {
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.on(signal, () => {
      interrupted = true
      stopTool(signal)
    })
  }
  const { values, positionals: files } = parseArgs({
    options: { only: { type: 'string', multiple: true }, all: { type: 'boolean' }, watch: { type: 'boolean' } },
    allowPositionals: true,
  })
  const only = (values.only ?? []).flatMap((names) => names.split(','))
  const unknown = only.filter((name) => !everyProject.includes(name))
  if (unknown.length > 0) throw new Error(`--only takes ${everyProject.join(', ')}; not ${unknown.join(', ')}`)

  // Named files run wherever they are asked for.
  if (values.all || files.length > 0) process.env.TEST_ALL = '1'
  if (values.watch) return await watchTests(only.length > 0 ? only : ['unit', 'sqlite'], files)

  const whole = only.length === 0 && files.length === 0
  const builds = only.join() === 'unit' ? [] : files.length > 0 ? [webBuild] : [webBuild, serverBuild]
  if (whole) for (const passed of await runChecks()) count(passed)
  for (const build of builds) {
    if (interrupted) return
    count(await runStage(build))
  }
  if (interrupted) return
  const projects = await projectsToRun(only.length > 0 ? only : everyProject)
  if (projects.length > 0 && !interrupted) await runTests(projects, files, whole)
}

/** Vitest's own watch mode: it knows which tests a changed file concerns. */
async function watchTests(projects, files) {
  await buildWebIfChanged()
  const chosen = files.length > 0 ? files : ['--changed']
  watched = true
  await runTool('vitest', ['watch', ...projects.map((name) => `--project=${name}`), ...chosen])
}

/** Without a browser its tests are left out, loudly; on CI that is a failure. */
async function projectsToRun(names) {
  if (!names.includes('e2e')) return names
  const { launchChromium } = await import('../testing/chromium.ts')
  const started = await launchChromium()
  if (started.browser !== null) {
    await started.browser.close()
    return names
  }
  console.error(`\n!!! BROWSER TESTS SKIPPED !!! ${started.reason}\n`)
  if (process.env.CI === 'true') count(false)
  return names.filter((name) => name !== 'e2e')
}

async function runTests(projects, files, whole) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tollgate-tests-'))
  const result = path.join(folder, 'counts.json')
  try {
    const reporters = ['--reporter=default', '--reporter=./scripts/count-reporter.mjs']
    const args = ['run', ...reporters, ...projects.map((name) => `--project=${name}`), ...files]
    const endedWell = await runTool('vitest', args, { TEST_COUNTS_FILE: result })
    countTests(existsSync(result) ? JSON.parse(readFileSync(result, 'utf8')) : undefined, projects, whole, endedWell)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function countTests(counts, projects, whole, endedWell) {
  const before = total.failed
  for (const name of projects) {
    const { passed, failed } = counts?.projects[name] ?? { passed: 0, failed: 0 }
    if (passed + failed > 0) console.log(`${failed === 0 ? '✓' : '✗'} ${name}: ${passed} passed, ${failed} failed`)
    total.passed += passed
    total.failed += failed
    // A project that finds no files any more must not pass for a project without faults.
    if (whole && passed + failed === 0 && name !== 'compat') {
      console.error(`✗ ${name}: no test ran`)
      total.failed += 1
    }
  }
  total.failed += counts?.faults ?? 0
  if (!endedWell && total.failed === before) {
    console.error('✗ vitest did not end well')
    total.failed += 1
  }
}

function count(passed) {
  if (passed) total.passed += 1
  else total.failed += 1
}
