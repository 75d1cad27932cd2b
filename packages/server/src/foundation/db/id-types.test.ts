import type { SelectType } from 'kysely'
import { expect, expectTypeOf, test } from 'vitest'
import { findOrder } from '../../features/billing/order/order.repository.ts'
import { createTestServer } from '../../testing.ts'
import { newUuid } from '../ids.ts'
import type { Id } from './database.ts'
import type { Tables } from './tables.ts'

/** The table that a value's type names, if it is an id. */
type TableOf<Value> = Value extends string
  ? '$table' extends keyof Value
    ? Exclude<Value['$table'], undefined>
    : never
  : never
type TablesOfColumns<Columns> = { [Name in keyof Columns]: TableOf<SelectType<Columns[Name]>> }[keyof Columns]

test('a customer’s id in place of an organization’s does not compile, in a query and in a call of a repository', async () => {
  await using server = await createTestServer()
  const { db } = server.tollgate.internals.ctx
  const customer: Id<'customer'> = newUuid()
  const organization: Id<'organization'> = newUuid()
  const order: Id<'order'> = newUuid()

  // @ts-expect-error
  expect(await db.selectFrom('order').select('id').where('organizationId', '=', customer).execute()).toEqual([])
  // @ts-expect-error
  expect(await findOrder(db, customer, order)).toBeUndefined()
  // @ts-expect-error
  expect(await findOrder(db, order, organization)).toBeUndefined()
  expect(await findOrder(db, organization, order)).toBeUndefined()
})

test('a plain text is an id of every table, and an id is a plain text', () => {
  expectTypeOf<string>().toExtend<Id<'customer'>>()
  expectTypeOf<Id<'customer'>>().toExtend<string>()
  expectTypeOf<Id<'customer'>>().not.toExtend<Id<'organization'>>()
})

test('every id column names a table', () => {
  expectTypeOf<{ [Name in keyof Tables]: TablesOfColumns<Tables[Name]> }[keyof Tables]>().toExtend<keyof Tables>()
})

test('a primary key names its own table, unless its rows keep the ids of payments, refunds or pictures', () => {
  type Misnamed = {
    [Name in keyof Tables]: TablesOfColumns<Pick<Tables[Name], keyof Tables[Name] & 'id'>> extends Name ? never : Name
  }[keyof Tables]
  expectTypeOf<Misnamed>().toEqualTypeOf<'sandboxIntent' | 'sandboxRefund' | 'formerLogo'>()
})
