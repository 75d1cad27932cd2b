import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Short to read and long to run. Vitest, which knows of no run before, takes the largest files first. */
const longest = [
  'e2e/journeys.test.ts',
  'e2e/page-rules.test.ts',
  'e2e/pages-organizations.test.ts',
  'e2e/pages.test.ts',
  'scripts/docs.test.ts',
]

/** Begins what takes longest before the rest of its project: last, it would run while everybody else has ended. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const projects = [...new Set(sorted.map(({ project }) => project.name))]
    const isLong = ({ moduleId }: TestSpecification) => longest.some((name) => moduleId.endsWith(name))
    return projects.flatMap((name) => {
      const own = sorted.filter(({ project }) => project.name === name)
      return [...own.filter(isLong), ...own.filter((file) => !isLong(file))]
    })
  }
}
