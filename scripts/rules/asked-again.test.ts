import { expect, test } from 'vitest'
import { askedAgain } from './asked-again.ts'
import { projectOf } from './project.ts'

const admin = 'packages/server/src/features/admin/user.service.ts'
const identity = 'packages/server/src/features/identity/password.service.ts'

const found = async (file: string, text: string) => {
  const findings = await askedAgain.check(projectOf({ [file]: text }))
  return findings.map(({ line }) => line)
}

const setting = (inside: string) => `async function set(ctx, current) {
  const password = await ctx.passwords.hash(current.text)
  await ctx.transaction(async (tx) => {
    ${inside}
    await putPassword(tx, password)
  })
}`

test('an administrator’s request opens no transaction of its own', async () => {
  expect(await found(admin, 'ctx.transaction((tx) => tx)')).toEqual([1])
  expect(await found(admin, "transactionAsAdministrator(ctx, current, 'REFUSED', (tx) => tx)")).toEqual([])
  expect(await found(admin.replace('.ts', '.test.ts'), 'ctx.transaction((tx) => tx)')).toEqual([])
})

test('a transaction that follows something slow asks again', async () => {
  expect(await found(identity, setting(''))).toEqual([3])
  expect(await found(identity, setting('await requireStillSession(tx, current)'))).toEqual([])
})

test('a handler is a function, too', async () => {
  const handler = setting('').replace(
    'async function set(ctx, current)',
    'export const set = async ({ ctx, current }) =>',
  )
  expect(await found(identity, handler)).toEqual([3])
})

test('a transaction before something slow, or in another function, needs nothing', async () => {
  expect(await found(identity, 'async function a(ctx) { await ctx.transaction(f); await ctx.fetch() }')).toEqual([])
  expect(
    await found(identity, 'async function a(ctx) { ctx.fetch() }\nfunction b(ctx) { ctx.transaction(f) }'),
  ).toEqual([])
})

test('a function that calls a slow one is slow, in any file', async () => {
  const hashing = 'export const hashed = (ctx, text) => ctx.passwords.hash(text)\nconst deeper = (ctx) => hashed(ctx)'
  const findings = await askedAgain.check(
    projectOf({
      [identity]: setting('').replace('ctx.passwords.hash', 'deeper'),
      'packages/server/src/features/a.ts': hashing,
    }),
  )

  expect(findings.map(({ file, line }) => [file, line])).toEqual([[identity, 3]])
})
