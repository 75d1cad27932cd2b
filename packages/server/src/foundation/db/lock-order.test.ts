import { expect, test } from 'vitest'
import { createTestServer } from '../../testing.ts'
import type { Tx } from './database.ts'
import { enterLock, lockInOrder, lockOrder } from './lock-order.ts'

const lockUser = (tx: Tx, id: string) =>
  lockInOrder(tx, 'user', id, tx.selectFrom('user').selectAll().where('id', '=', id)).execute()
const lockAccounts = (tx: Tx, id: string) =>
  lockInOrder(tx, 'account', id, tx.selectFrom('account').selectAll().where('userId', '=', id)).execute()
const lockOrganization = (tx: Tx, id: string) =>
  lockInOrder(tx, 'organization', id, tx.selectFrom('organization').selectAll().where('id', '=', id)).execute()

test('a transaction that locks out of order is refused, and leaves nothing', async () => {
  await using server = await createTestServer()
  const { id } = await server.signedUp('Ada')
  const { ctx } = server.tollgate.internals

  const turned = ctx.transaction(async (tx) => {
    await lockUser(tx, id)
    await tx.updateTable('user').set({ name: 'Eve' }).where('id', '=', id).execute()
    await lockAccounts(tx, id)
  })

  await expect(turned).rejects.toThrow(`account ${id} is locked after user ${id}; the order is `)
  expect(await ctx.db.selectFrom('user').select('name').execute()).toEqual([{ name: 'Ada' }])
})

test('a transaction may lock a row again, and the next one starts without locks', async () => {
  await using server = await createTestServer()
  const { id } = await server.signedUp('Ada')
  const { ctx } = server.tollgate.internals
  const inOrder = () =>
    ctx.transaction(async (tx) => {
      await lockAccounts(tx, id)
      await lockUser(tx, id)
      await lockAccounts(tx, id)
    })

  await inOrder()
  await inOrder()
})

test('several organizations are locked by their ids, ascending', async () => {
  await using server = await createTestServer()
  const { ctx } = server.tollgate.internals
  const locked = (...ids: string[]) =>
    ctx.transaction(async (tx) => {
      for (const id of ids) await lockOrganization(tx, id)
    })

  await locked('a', 'b', 'a', 'c')
  await expect(locked('b', 'a')).rejects.toThrow('organization a is locked after organization b')
})

test('each of two that follow each other in the order may come first only one way round', async () => {
  await using server = await createTestServer()
  const { ctx } = server.tollgate.internals
  for (const [index, first] of lockOrder.slice(0, -1).entries()) {
    const second = lockOrder[index + 1]!
    await ctx.transaction(async (tx) => {
      enterLock(tx, first)
      enterLock(tx, second)
    })
    const turned = ctx.transaction(async (tx) => {
      enterLock(tx, second)
      enterLock(tx, first)
    })
    await expect(turned).rejects.toThrow('the order is')
  }
})
