import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createTestServer } from '../../testing.ts'

test('where the proof behind a link cannot be stored, nothing else is either', async () => {
  await using server = await createTestServer()
  const { db } = server.tollgate.internals.ctx
  await sql`alter table verification rename column value to lost`.execute(db.withoutPlugins())

  const { status, body } = await server
    .visitor()
    .post('/sign-up/email', { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' })

  expect(status).toBe(500)
  expect(body).toEqual({ code: 'UNABLE_TO_CREATE_VERIFICATION', message: 'Unable to create verification' })
  expect(await db.selectFrom('user').selectAll().execute()).toEqual([])
})
