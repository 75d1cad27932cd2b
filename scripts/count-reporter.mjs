import { writeFileSync } from 'node:fs'

/**
 * A Vitest reporter that writes what happened as numbers, per project, to the file named by TEST_COUNTS_FILE:
 * `{ faults, projects: { sqlite: { passed, failed } } }`.
 */
export default class CountReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const projects = {}
    for (const module of modules) {
      projects[module.project.name] ??= { passed: 0, failed: 0 }
      const counts = projects[module.project.name]
      let failed = 0
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        // Left for `--all`; a test that did not run for any other reason (a failed set-up, or a skip) has proved nothing.
        if (state === 'skipped' && module.project.name === 'postgres' && !process.env.TEST_ALL) continue
        if (state === 'passed') counts.passed += 1
        else failed += 1
      }
      // A file that could not be loaded has no tests to count.
      if (failed === 0 && !module.ok()) failed = 1
      counts.failed += failed
    }
    writeFileSync(process.env.TEST_COUNTS_FILE, JSON.stringify({ faults: unhandledErrors.length, projects }))
  }
}
