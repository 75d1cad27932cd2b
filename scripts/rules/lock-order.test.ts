import { expect, test } from 'vitest'
import { lockOrder } from './lock-order.ts'
import { projectOf } from './project.ts'

const file = 'packages/server/src/features/identity/user.repository.ts'

const found = async (text: string, at = file) => {
  const findings = await lockOrder.check(projectOf({ [at]: text }))
  return findings.map(({ line }) => line)
}

test.each(['forUpdate', 'forNoKeyUpdate', 'forShare', 'forKeyShare'])('%s outside lockInOrder', async (name) => {
  expect(await found(`\nconst lock = (tx) => tx.selectFrom('user').${name}().execute()`)).toEqual([2])
})

test('lockInOrder, a prepared query after enterLock, and the place that locks are fine', async () => {
  expect(await found("lockInOrder(tx, 'user', id, tx.selectFrom('user'), 'forShare')")).toEqual([])
  expect(await found("enterLock(tx, 'user', id)\nprepare((tx) => tx.selectFrom('user').forShare())")).toEqual([])
  expect(await found('query.forUpdate()', 'packages/server/src/foundation/db/lock-order.ts')).toEqual([])
})

test('a prepared query that locks without enterLock', async () => {
  expect(await found("prepare((tx) => tx.selectFrom('user').forShare())")).toEqual([1])
})
