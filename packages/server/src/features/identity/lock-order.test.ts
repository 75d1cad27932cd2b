import { expect, test } from 'vitest'
import { seconds } from '../../foundation/clock.ts'
import { beforeNextTransaction, createTestServer, type TestServer } from '../../testing.ts'
import { begin, beginLink, createSocialServer, finish, link, target } from '../social/testing/flow.ts'

// SQLite runs one transaction at a time, so all of this holds there by itself.

/** How often each pair runs: enough to deadlock on PostgreSQL if they lock in different orders. */
const rounds = 25

/** No request was refused for want of a lock, and no transaction ran twice. */
function expectNoCircle(server: TestServer): void {
  expect(server.logs.filter((line) => line.includes('serialization failure') || line.includes('deadlock'))).toEqual([])
}

test('administrators who act as each other at the same moment do not wait for each other', async () => {
  await using server = await createTestServer()
  const [ada, bob] = [await server.administrator('Ada'), await server.administrator('Bob')]

  for (let round = 0; round < rounds; round += 1) {
    const answers = await Promise.all([
      ada.post('/admin/impersonate-user', { userId: bob.id }),
      bob.post('/admin/impersonate-user', { userId: ada.id }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([403, 403])
  }

  expectNoCircle(server)
})

test('an owner who arrives by a provider and a squatter who signs in by password do not wait for each other', async () => {
  await using server = await createSocialServer(['google'])
  for (let round = 0; round < rounds; round += 1) {
    const squatter = await server.signedUp(`Mallory ${round}`)
    const { email, password } = squatter
    server.at('google').person = { claims: { sub: `g${round}`, name: 'Ada', email, email_verified: true } }
    const owner = server.visitor()
    const address = await begin(owner, 'google', { callbackURL: '/in' })
    // Both transactions begin together: the password is checked, and the provider's answer is consumed.
    let arrived: Promise<string> | undefined
    await beforeNextTransaction(server, async () => {
      const arriving = Promise.withResolvers<void>()
      await beforeNextTransaction(server, () => beforeNextTransaction(server, async () => arriving.resolve()))
      arrived = finish(server, owner, server.at('google'), address).then(target)
      await arriving.promise
    })

    const { status } = await server.visitor().post('/sign-in/email', { email, password })

    expect([200, 401]).toContain(status)
    expect(await arrived).toBe('/in')
  }

  expectNoCircle(server)
})

test('who returns by an account that is linked again at the same moment is signed in', async () => {
  await using server = await createSocialServer(['google'])
  const ada = await server.signedUp('Ada')
  server.at('google').person = { claims: { sub: 'g1', name: 'Ada', email: ada.email, email_verified: true } }
  await link(server, ada, 'google')

  for (let round = 0; round < rounds; round += 1) {
    const phone = server.visitor()
    const returning = await begin(phone, 'google', { callbackURL: '/in' })
    const linking = await beginLink(ada, 'google', { callbackURL: '/linked' })
    const answers = await Promise.all([
      finish(server, phone, server.at('google'), returning),
      finish(server, ada, server.at('google'), linking),
    ])
    expect(answers.map(target)).toEqual(['/in', '/linked'])
  }

  expectNoCircle(server)
})

test('who follows a link while a newer one is made waits for no user who waits for them', async () => {
  await using server = await createTestServer()

  for (let round = 0; round < rounds; round += 1) {
    const ada = await server.signedUp(`Ada ${round}`)
    const verification = await server.linkTo(ada.email)
    server.clock.advance(seconds(1))
    const { ctx } = server.tollgate.internals
    await ada.post('/send-verification-email', { email: ada.email })

    const [followed] = await Promise.all([server.visitor().request('GET', verification), ctx.jobs.runDue()])

    expect(followed.status).toBeLessThan(500)
  }

  expectNoCircle(server)
})
