import { expect, test } from 'vitest'
import { imports } from './imports.ts'
import { projectOf } from './project.ts'

const manifests = {
  'packages/contract/package.json': manifest('@tollgate/contract', {
    './calls': './src/calls.ts',
    './types': './src/types.ts',
  }),
  'packages/client/package.json': manifest('@tollgate/client', { '.': './src/index.ts' }, '@tollgate/contract'),
  'packages/server/package.json': manifest('tollgate', { '.': './src/index.ts' }, '@tollgate/contract', 'kysely', 'pg'),
}

const server = (file: string): string => `packages/server/src/${file}`

test.each([
  [
    'packages/client/src/client.ts',
    "import { authSchemas } from '@tollgate/contract/schemas'",
    'not for packages/client',
  ],
  ['packages/client/src/client.ts', "import fs from 'node:fs'", 'no Node modules'],
  ['packages/client/src/client.ts', "import { calls } from '../../contract/src/calls.ts'", 'by its name'],
  ['packages/client/src/client.ts', "const zod = await import('zod')", 'not among the dependencies'],
  [server('identity/sign-in.service.ts'), "import { Kysely } from 'kysely'", 'database libraries'],
  [server('db/sqlite.ts'), "import { findUser } from '../identity/user.repository.ts'", 'not for db'],
  [server('billing/order.service.ts'), "import { findUser } from '../identity/user.repository.ts'", 'repository'],
  [
    server('identity/sign-in.service.ts'),
    "import { createOrder } from '../billing/order.service.ts'",
    'not for identity',
  ],
  [server('identity/identity.routes.ts'), "import { createOrder } from '../billing/order.service.ts'", 'own domain'],
  [server('identity/user.repository.ts'), "import { signIn } from './sign-in.service.ts'", 'not for *.repository.ts'],
  [server('billing/order.service.ts'), "export { inbox } from '../mail/inbox.page.ts'", 'not for billing'],
])('%s: %s', async (file, text, fault) => {
  const findings = await imports.check(projectOf({ ...manifests, [file]: `// first line\n${text}\n` }))

  expect(findings).toEqual([{ file, line: 2, message: expect.stringContaining(fault) }])
})

test('imports that the table allows are no findings, nor are types inside the server and anything in tests', async () => {
  const project = projectOf({
    ...manifests,
    'packages/client/src/client.ts': "import { authCalls } from '@tollgate/contract/calls'",
    'packages/client/src/types.ts': "export type { Body } from '@tollgate/contract/types'",
    'packages/client/src/client.test.ts': "import { createTestServer } from 'tollgate/testing'",
    [server('identity/sign-in.service.ts')]: `
      import { findUser } from './user.repository.ts'
      import { newId } from '../ids.ts'
      import type { Route } from '../http/answer.ts'`,
    [server('identity/user.repository.ts')]: "import { sql } from 'kysely'\nimport { toRow } from '../db/codec.ts'",
    [server('billing/order.service.ts')]: "import { findSession } from '../identity/session.service.ts'",
  })

  expect(await imports.check(project)).toEqual([])
})

function manifest(name: string, exports: Record<string, string>, ...dependencies: string[]): string {
  return JSON.stringify({ name, exports, dependencies: Object.fromEntries(dependencies.map((one) => [one, '1.0.0'])) })
}
