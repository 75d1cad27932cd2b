import { expect, test } from 'vitest'
import { licences } from './licences.ts'
import { projectOf } from './project.ts'

const messages = async (packages: object, installed: Record<string, string> = {}): Promise<string[]> => {
  const project = projectOf({ 'package-lock.json': JSON.stringify({ packages }), ...installed })
  return (await licences.check(project)).map(({ message }) => message)
}

test('a licence that asks for more, in tests too', async () => {
  expect(await messages({ 'node_modules/db': { version: '1.0.0', license: 'AGPL-3.0-only' } })).toEqual([
    'db@1.0.0 is AGPL-3.0-only',
  ])
})

test('MPL is for tools: not for the dependencies of a published package', async () => {
  const found = await messages({
    'packages/server': { dependencies: { shipped: '1.0.0' } },
    'node_modules/shipped': { version: '1.0.0', license: 'MIT', dependencies: { inner: '1.0.0' } },
    'node_modules/shipped/node_modules/inner': { version: '1.0.0', license: 'MPL-2.0' },
    'node_modules/tool': { version: '1.0.0', license: 'MPL-2.0' },
  })

  expect(found).toEqual(['inner@1.0.0 is MPL-2.0, which is for development packages only'])
})

test('no licence stated', async () => {
  expect(await messages({ 'node_modules/@a/b': { version: '3.0.0' } })).toEqual([
    expect.stringMatching(/^@a\/b@3\.0\.0 states no/),
  ])
})

test('free licences, choices between them, and packages that were read by hand are fine', async () => {
  const found = await messages(
    {
      'node_modules/a': { version: '1.0.0', license: '(MIT OR GPL-3.0-only)' },
      'node_modules/b': { version: '1.0.0', license: 'MIT AND ISC' },
      'node_modules/c': { version: '1.0.0' },
      'node_modules/better-auth': { version: '1.2.8' },
      'node_modules/tollgate': { link: true },
    },
    { 'node_modules/c/package.json': '{ "license": "MIT" }' },
  )

  expect(found).toEqual([])
})
