import { expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../testing.ts'
import { minutes } from '../clock.ts'
import { mailboxOf } from '../config/mailbox.ts'
import { enqueueMail } from './mail.jobs.ts'

/** Orders a mail without a call that counts it. */
const order = ({ tollgate }: TestServer, to: string) => {
  const { ctx } = tollgate.internals
  return ctx.transaction((tx) =>
    enqueueMail(ctx, tx, { to, locale: 'en', template: 'password-changed', data: { name: 'Ada' } }),
  )
}

test('of one kind a mailbox gets five mails in ten minutes, and the others later', async () => {
  await using server = await createTestServer({ rateLimit: { enabled: true } })
  for (let round = 0; round < 12; round += 1) await order(server, 'ada@example.com')
  await order(server, 'bob@example.com')

  const counts: number[] = []
  for (let round = 0; round < 4; round += 1) {
    counts.push((await server.mailsTo('ada@example.com')).length)
    server.clock.advance(minutes(10))
  }

  expect(counts).toEqual([5, 10, 12, 12])
  expect(await server.mailsTo('bob@example.com')).toHaveLength(1)
})

test('a mail that is tried again is counted once', async () => {
  const sent: string[] = []
  let failures = 5
  await using server = await createTestServer({
    rateLimit: { enabled: true },
    hooks: {
      sendEmail: async ({ to }) => {
        if (failures-- > 0) throw new Error('busy')
        sent.push(to)
      },
    },
  })
  for (let round = 0; round < 5; round += 1) await order(server, 'ada@example.com')
  await server.tollgate.internals.ctx.jobs.runDue()
  server.clock.advance(minutes(1))
  await server.tollgate.internals.ctx.jobs.runDue()

  expect(sent).toHaveLength(5)
})

test.each([
  ['ada@example.com', 'ada@example.com'],
  [' Ada@EXAMPLE.com ', 'ada@example.com'],
  ['ada+shop+more@example.com', 'ada@example.com'],
  ['ａda@example.com', 'ada@example.com'],
  ['ada.l@example.com', 'ada.l@example.com'],
])('%j leads to the mailbox %s', (address, mailbox) => {
  expect(mailboxOf(address)).toBe(mailbox)
})

test('a `+tag` does not give a mailbox further mails', async () => {
  await using server = await createTestServer({ rateLimit: { enabled: true } })
  const { limits } = server.tollgate.internals.ctx

  const allowed: boolean[] = []
  for (let tag = 1; tag <= 6; tag += 1) allowed.push(await limits.mail('magic-link', `victim+${tag}@example.com`))

  expect(allowed).toEqual([true, true, true, true, true, false])
  const invite = (tag: number) =>
    limits.invitation({
      inviter: { id: 'ada', emailVerified: true },
      organizationId: 'acme',
      address: `victim+${tag}@example.com`,
    })
  for (let tag = 1; tag <= 5; tag += 1) await invite(tag)
  await expect(invite(6)).rejects.toMatchObject({ error: 'TOO_MANY_REQUESTS' })
})
