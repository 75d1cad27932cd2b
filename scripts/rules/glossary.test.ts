import { expect, test } from 'vitest'
import { glossary } from './glossary.ts'
import { projectOf, projectOnDisk } from './project.ts'

const table = `# Glossary

## English words to avoid

| Instead of | Write |
|---|---|
| hand over, handed over | transfer ownership |

## Accounts

| English | German |
|---|---|
| account | Konto |
`

const check = (files: Readonly<Record<string, string>>) =>
  glossary.check(projectOf({ 'docs/glossary.md': table, ...files }))

test.each([
  ['packages/react/src/locales/en.json', '{\n  "title": "Hand over your shop"\n}'],
  ['apps/web/src/dashboard/locales/en.json', '{\n  "title": "It was handed over."\n}'],
  ['apps/web/src/dashboard/x.texts.ts', "export const x = {\n  title: 'Hand over'\n}"],
  ['apps/web/src/dashboard/x.texts.ts', `export const x = (name: string) =>\n  \`Hand over \${name}\``],
])('%s: a word to avoid', async (file, text) => {
  expect(await check({ [file]: text })).toEqual([
    { file, line: 2, message: expect.stringContaining('write transfer ownership') },
  ])
})

test('keys, comments, other languages and the terms of the other tables stay as they are', async () => {
  const files = {
    'packages/react/src/locales/en.json': '{\n  "hand over": "Your account"\n}',
    'packages/react/src/locales/de.json': '{\n  "title": "hand over"\n}',
    'apps/web/src/dashboard/x.texts.ts': "// Hand over.\nexport const x = { title: 'Your account' }",
    'packages/react/src/x.ts': "export const x = 'hand over'",
  }

  expect(await check(files)).toEqual([])
})

test('the glossary has words to avoid', async () => {
  const disk = projectOnDisk('.')
  const file = 'packages/react/src/locales/en.json'
  const bad = projectOf({ 'docs/glossary.md': disk.find('docs/glossary.md') ?? '', [file]: '["Whoever asks"]' })

  expect(await glossary.check(bad)).toHaveLength(1)
})
