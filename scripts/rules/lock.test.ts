import { expect, test } from 'vitest'
import { lock } from './lock.ts'
import { projectOf } from './project.ts'

const check = async (packages: object) =>
  await lock.check(projectOf({ 'package-lock.json': JSON.stringify({ packages }, null, 2) }))

test('a requested platform package that is not locked', async () => {
  const findings = await check({
    'node_modules/tool': { version: '2.0.0', optionalDependencies: { 'tool-linux': '2.0.0', 'tool-mac': '2.0.0' } },
    'node_modules/tool/node_modules/tool-linux': { version: '2.0.0' },
  })

  expect(findings).toEqual([
    { file: 'package-lock.json', line: 3, message: expect.stringMatching(/tool@2\.0\.0 wants tool-mac/) },
  ])
})

test('a download address', async () => {
  const findings = await check({ 'node_modules/tool': { resolved: 'https://packages.example/tool.tgz' } })

  expect(findings).toEqual([
    { file: 'package-lock.json', line: 4, message: expect.stringContaining('packages.example') },
  ])
})

test('links to workspaces and neighbours that lie further out are fine', async () => {
  const findings = await check({
    'node_modules/tollgate': { resolved: 'packages/server', link: true },
    'node_modules/outer/node_modules/tool': { optionalDependencies: { 'tool-linux': '1.0.0' } },
    'node_modules/tool-linux': { version: '1.0.0' },
  })

  expect(findings).toEqual([])
})

test('no lock file at all', async () => {
  expect(await lock.check(projectOf({}))).toHaveLength(1)
})
