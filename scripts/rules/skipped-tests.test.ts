import { expect, test } from 'vitest'
import { projectOf } from './project.ts'
import { skippedTests } from './skipped-tests.ts'

const file = 'packages/server/src/x.test.ts'

test.each([
  "test.skip('a', f)",
  "it.only('a', f)",
  "describe.todo('a')",
  "test.concurrent.skip('a', f)",
  "test.skipIf(process.env.CI)('a', f)",
  "test.fails('a', f)",
  "xit('a', f)",
  "test.only.each([1])('a', f)",
])('%s', async (text) => {
  expect(await skippedTests.check(projectOf({ [file]: `\n${text}` }))).toEqual([
    { file, line: 2, message: expect.any(String) },
  ])
})

test('tests that run, and the words elsewhere, are fine', async () => {
  const project = projectOf({
    [file]: "// test.skip\ntest('skips what is done', () => list.skip(2))\ntest.each([1])('%s', f)",
    'packages/server/src/x.ts': "test.skip('not a test file')",
  })

  expect(await skippedTests.check(project)).toEqual([])
})
