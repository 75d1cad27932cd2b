import { expect, test } from 'vitest'
import { projectOf } from './project.ts'
import { time } from './time.ts'

const file = 'packages/server/src/features/identity/session.service.ts'

test.each(['Date.now()', 'new Date()', 'Date()', 'Math.random()', 'Temporal.Now.instant()', '[1].map(Math.random)'])(
  '%s in the server',
  async (expression) => {
    const findings = await time.check(projectOf({ [file]: `\nexport const value = ${expression}` }))

    expect(findings).toEqual([{ file, line: 2, message: expect.any(String) }])
  },
)

test('converting a date, speaking of one, and the three sources themselves are fine', async () => {
  const project = projectOf({
    [file]: "// new Date()\nexport const later = new Date(5)\nexport const text = 'Date.now()'",
    'packages/server/src/foundation/clock.ts': 'export const now = () => new Date()',
    'apps/web/src/page.ts': 'export const year = new Date().getFullYear()',
  })

  expect(await time.check(project)).toEqual([])
})
