import { expect, test } from 'vitest'
import { createTestServer } from './testing.ts'

test('server code that asks for the session of nobody gets null', async () => {
  await using server = await createTestServer()
  const { api } = server.tollgate

  expect(await api.getSession()).toBeNull()
  expect(await api.getSession({ headers: { cookie: 'better-auth.session_token=forged.signature' } })).toBeNull()
  expect((await api.getSession({ returnHeaders: true })).response).toBeNull()
})

test('server code gets the session of the cookies that it hands over', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp('Ada')
  const cookie = [...ada.cookies].map(([name, value]) => `${name}=${value}`).join('; ')

  const session = await server.tollgate.api.getSession({ headers: { cookie } })

  expect(session?.user.email).toBe(ada.email)
})
