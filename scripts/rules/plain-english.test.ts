import { expect, test } from 'vitest'
import { plainEnglish } from './plain-english.ts'
import { projectOf } from './project.ts'

test.each([
  ['packages/server/src/x.ts', '\n/** Tells whoever asks. */\nexport const x = 1'],
  ['docs/x.md', 'Title\nNobody is refused.'],
  ['e2e/x.test.ts', 'test()\n// What is told here is kept.'],
])('%s: a sentence without its subject', async (file, text) => {
  const findings = await plainEnglish.check(projectOf({ [file]: text }))

  expect(findings).toEqual([{ file, line: 2, message: expect.stringContaining('name the subject') }])
})

test('code, code spans, and the texts of pages and mails keep their words', async () => {
  const project = projectOf({
    'packages/server/src/x.ts': "// Runs as the user `nobody`.\nexport const nobody = 'somebody'",
    'packages/react/src/locales/en.ts': '// Whoever reads this.\nexport const en = {}',
    'CONTRIBUTING.md': 'Avoid "whoever".',
    'docs/glossary.md': '| whoever | the person |',
  })

  expect(await plainEnglish.check(project)).toEqual([])
})
