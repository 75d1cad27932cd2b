import { expect, test } from 'vitest'
import { casts } from './casts.ts'
import { projectOf } from './project.ts'

const file = 'packages/server/src/foundation/x.ts'
const lines = (count: number, line: string) => Array.from({ length: count }, () => line).join('\n')

test.each([
  ['casts', 80, 'f(given as Thing)'],
  ['casts', 40, 'f(given as unknown as Thing)'],
  ['!', 50, 'f(given[0]!)'],
])('%s: %i are the most, such as `%s`', async (kind, most, line) => {
  const allowed = projectOf({ [file]: lines(most, line) })
  const another = projectOf({ [file]: lines(most, line), 'packages/server/src/y.ts': `// first line\n${line}` })

  expect(await casts.check(allowed)).toEqual([])
  expect(await casts.check(another)).toEqual([
    { file: 'packages/server/src/y.ts', line: 2, message: expect.stringContaining(`of ${kind} in the server`) },
  ])
})

test('functions that are constant, renamed, in tests or elsewhere are not counted', async () => {
  const project = projectOf({
    [file]: `import { a as b } from 'c'\n${lines(100, 'f([1] as const)')}`,
    'packages/server/src/x.test.ts': lines(100, 'f(given as Thing, given!)'),
    'packages/server/src/testing.ts': lines(100, 'f(given as Thing, given!)'),
    'packages/react/src/x.ts': lines(100, 'f(given as Thing, given!)'),
  })

  expect(await casts.check(project)).toEqual([])
})
