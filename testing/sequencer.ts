import { readFileSync } from 'node:fs'
import path from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { testsOnBothDatabases } from './both-databases.ts'

const root = path.dirname(import.meta.dirname)

/** Short to read and long to run. Vitest, which knows of no run before, takes the largest files first. */
const longest = [
  'scripts/docs.test.ts',
  'packages/server/src/cli/cli.test.ts',
  'e2e/pages-organizations.test.ts',
  'e2e/pages.test.ts',
  'e2e/journeys.test.ts',
  'e2e/page-rules.test.ts',
]

/** Begins what takes longest first; and on PostgreSQL, without `--all`, runs only the tests where the database counts. */
export class Sequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = (await super.sort(files)).map(withoutNeedlessTests)
    // The files of a project run together, and the longest ones before all: last, they would run while others have ended.
    const projects = [...new Set(sorted.map(({ project }) => project.name))]
    const isLong = ({ moduleId }: TestSpecification) => longest.some((name) => moduleId.endsWith(name))
    return [
      ...sorted.filter(isLong),
      ...projects.flatMap((name) => sorted.filter((file) => file.project.name === name && !isLong(file))),
    ]
  }
}

function withoutNeedlessTests(file: TestSpecification): TestSpecification {
  if (file.project.name !== 'postgres' || process.env.TEST_ALL) return file
  const names = testsOnBothDatabases(path.relative(root, file.moduleId), readFileSync(file.moduleId, 'utf8'))
  // Vitest knows its specifications by identity: a new one with the pattern would find no environment.
  return names instanceof RegExp ? Object.assign(file, { testNamePattern: names }) : file
}
