import { expect, test } from 'vitest'
import { createTestServer } from '../../testing.ts'

test('looking at a mailed link with HEAD, as mail scanners do, neither verifies nor deletes', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp('ada')
  const verification = await server.linkTo(ada.email)
  await ada.post('/delete-user', {})
  server.clock.advance(1)
  const deletion = await server.linkTo(ada.email)

  expect((await ada.request('HEAD', verification)).status).toBe(200)
  expect((await ada.request('HEAD', deletion)).status).toBe(200)

  const { body } = await ada.get('/get-session')
  expect(body.user.emailVerified).toBe(false)
  expect((await ada.request('GET', verification)).status).toBe(302)
  expect((await ada.request('GET', deletion)).status).toBe(302)
  expect((await ada.get('/get-session')).body).toBe(null)
})
