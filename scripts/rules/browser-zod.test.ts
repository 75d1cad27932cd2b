import { expect, test } from 'vitest'
import { browserZod } from './browser-zod.ts'
import { projectOf } from './project.ts'

const contract = {
  'packages/contract/package.json': JSON.stringify({
    name: '@tollgate/contract',
    exports: { './calls': './src/calls.ts', './types': './src/types.ts' },
  }),
  'packages/contract/src/schemas.ts': "import { z } from 'zod'",
  'packages/contract/src/types.ts': "import type { z } from 'zod'",
}

test('zod that a browser file reaches through the contract is found with the way to it', async () => {
  const project = projectOf({
    ...contract,
    'packages/contract/src/calls.ts': "export * from './schemas.ts'",
    'packages/client/src/client.ts': "import { authCalls } from '@tollgate/contract/calls'",
  })

  expect(await browserZod.check(project)).toEqual([
    {
      file: 'packages/client/src/client.ts',
      line: 1,
      message: expect.stringContaining('packages/contract/src/calls.ts → packages/contract/src/schemas.ts → zod'),
    },
  ])
})

test('an import that keeps a module alive for its types alone is found', async () => {
  const project = projectOf({ 'apps/web/src/page.tsx': "import { type ZodType } from 'zod/mini'" })

  expect(await browserZod.check(project)).toHaveLength(1)
})

test('types that are stripped do not count', async () => {
  const project = projectOf({
    ...contract,
    'packages/contract/src/calls.ts': "import type { z } from 'zod'",
    'packages/react/src/form.ts':
      "import type { Body } from '@tollgate/contract/types'\nimport '@tollgate/contract/calls'",
  })

  expect(await browserZod.check(project)).toEqual([])
})

test('an editor of the dashboard may check with the contract’s schemas, a hosted page may not', async () => {
  const schemas = "import { authSchemas } from '@tollgate/contract/calls'"
  const project = projectOf({
    ...contract,
    'packages/contract/src/calls.ts': "export * from './schemas.ts'",
    'apps/web/src/dashboard/editor.tsx': schemas,
    'apps/web/src/hosted/page.tsx': schemas,
  })

  expect((await browserZod.check(project)).map(({ file }) => file)).toEqual(['apps/web/src/hosted/page.tsx'])
})
