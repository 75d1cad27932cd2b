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
  [server('features/identity/sign-in.service.ts'), "import { Kysely } from 'kysely'", 'database libraries'],
  // A room takes nothing from those above it, types included: of two that import each other one is refused.
  [
    server('foundation/db/sqlite.ts'),
    "import { findUser } from '../../features/identity/user.repository.ts'",
    'features/identity is above foundation/db',
  ],
  [
    server('foundation/context.ts'),
    "import type { Press } from '../features/billing/documents/press.ts'",
    'features/billing/documents is above foundation',
  ],
  [
    server('features/billing/order/order.service.ts'),
    "import type { CheckoutRow } from '../checkout/checkout.repository.ts'",
    'features/billing/checkout is above features/billing/order',
  ],
  [
    server('features/organization/creation.service.ts'),
    "import { maySell } from '../billing/merchant/may-sell.service.ts'",
    'features/billing/merchant is above features/organization',
  ],
  [
    server('features/billing/coupons/coupon.service.ts'),
    "import { exportCsv } from '../exports/export.service.ts'",
    'features/billing/exports is beside features/billing/coupons',
  ],
  [
    server('features/billing/order/order.service.ts'),
    "import { coupons } from '../coupons/coupon.service.ts'",
    'features/billing/coupons is above features/billing/order',
  ],
  [
    server('features/identity/sign-in.service.ts'),
    "export { inbox } from '../../app/inbox.ts'",
    'app is above features/identity',
  ],
  [
    server('pages/pages.routes.ts'),
    "import { fixtureOf } from './testing/fixtures.ts'",
    'fixtures are loaded on demand',
  ],
  [server('app/app.ts'), "await import('../pages/testing/fixtures.ts')", 'pages/testing has no place among'],
  [server('features/shop/order.service.ts'), "import { newId } from '../../foundation/ids.ts'", 'has no place among'],
  // From another feature: its services, and what it offers besides.
  [
    server('features/billing/order/order.service.ts'),
    "import { findUser } from '../../identity/user.repository.ts'",
    'repository belongs to its own feature',
  ],
  [
    server('features/billing/order/order.service.ts'),
    "import { hash } from '../../identity/passwords.ts'",
    'identity offers its services',
  ],
  // Kinds of files that may import less than their room.
  [
    server('features/identity/user.repository.ts'),
    "import { signIn } from './sign-in.service.ts'",
    'not for *.repository.ts',
  ],
  [server('pages/visit.ts'), "import { openDatabase } from '../foundation/db/database.ts'", 'not for pages'],
])('%s: %s', async (file, text, fault) => {
  const findings = await imports.check(projectOf({ ...manifests, [file]: `// first line\n${text}\n` }))

  expect(findings).toEqual([{ file, line: 2, message: expect.stringContaining(fault) }])
})

test('imports that the table allows are no findings, nor are any in tests', async () => {
  const project = projectOf({
    ...manifests,
    'packages/client/src/client.ts': "import { authCalls } from '@tollgate/contract/calls'",
    'packages/client/src/types.ts': "export type { Body } from '@tollgate/contract/types'",
    'packages/client/src/client.test.ts': "import { createTestServer } from 'tollgate/testing'",
    [server('features/identity/sign-in.service.ts')]: `
      import { findUser } from './user.repository.ts'
      import { newId } from '../../foundation/ids.ts'
      import type { Route } from '../../foundation/http/answer.ts'`,
    [server('features/identity/user.repository.ts')]: `
      import { sql } from 'kysely'
      import { toRow } from '../../foundation/db/codec.ts'`,
    [server('features/billing/order/order.service.ts')]: `
      import { findSession } from '../../identity/session.service.ts'
      import type { UserRow } from '../../identity/passwords.ts'`,
    // A folder of billing that the table does not name stands above those that it names.
    [server('features/billing/coupons/coupon.service.ts')]: "import { getOrder } from '../order/order.service.ts'",
    [server('features/billing/order/order.test.ts')]: "import { fulfil } from '../checkout/fulfil.ts'",
    [server('features/billing/order/testing/orders.ts')]: "import { fulfil } from '../../checkout/fulfil.ts'",
    [server('pages/pages.routes.ts')]: "const { fixtureOf } = await import('./testing/fixtures.ts')",
    [server('app/server.ts')]: "import { listPasswords } from '../features/identity/user.repository.ts'",
  })

  expect(await imports.check(project)).toEqual([])
})

function manifest(name: string, exports: Record<string, string>, ...dependencies: string[]): string {
  return JSON.stringify({ name, exports, dependencies: Object.fromEntries(dependencies.map((one) => [one, '1.0.0'])) })
}
