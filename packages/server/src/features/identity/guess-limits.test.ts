import { expect, test, vi } from 'vitest'
import { minutes } from '../../foundation/clock.ts'
import { TollgateError } from '../../foundation/error.ts'
import { createTestServer, type TestServer } from '../../testing.ts'

/** Limits are on, except those by address and path, which would apply first. */
const limited = {
  rateLimit: { enabled: true, customRules: { '/sign-in/*': false, '/sign-up/*': false, '/change-email': false } },
} as const

test('an answer that is too busy to check a password does not count as a guess', async () => {
  await using server = await createTestServer(limited)
  const ada = await server.signedUp('ada')
  const { passwords } = server.tollgate.internals.ctx
  const { verify } = passwords
  const right = { email: ada.email, password: ada.password }
  Object.assign(passwords, { verify: () => Promise.reject(new TollgateError('SERVICE_BUSY', { retryAfter: 2 })) })
  for (let round = 0; round < 12; round += 1)
    expect((await server.visitor().post('/sign-in/email', right)).status).toBe(503)
  Object.assign(passwords, { verify })

  expect((await server.visitor().post('/sign-in/email', right)).status).toBe(200)
})

test('moving to another address does not begin a new count of guesses or of questions', async () => {
  await using server = await createTestServer(limited)
  const ada = await server.signedUp('ada')
  await server.signedUp('grace')
  const taken = 'grace2@example.com'
  const outcomes: string[] = []

  for (let round = 0; round < 4; round += 1) {
    outcomes.push((await ada.post('/change-email', { newEmail: taken })).body.code)
    outcomes.push((await ada.post('/change-email', { newEmail: `moved${round}@example.com` })).body.code ?? 'moved')
  }

  expect(outcomes.slice(0, 5)).toEqual([
    'COULDNT_UPDATE_YOUR_EMAIL',
    'moved',
    'COULDNT_UPDATE_YOUR_EMAIL',
    'moved',
    'COULDNT_UPDATE_YOUR_EMAIL',
  ])
  expect(outcomes.slice(5)).toEqual(['TOO_MANY_REQUESTS', 'TOO_MANY_REQUESTS', 'TOO_MANY_REQUESTS'])
})

test('signing up again and again with an address fills its mailbox with five mails at most', async () => {
  await using server = await createTestServer(limited)
  const person = { name: 'Ada', email: 'victim@example.com', password: 'correct horse battery' }

  for (let round = 0; round < 7; round += 1) {
    const visitor = server.visitor()
    expect((await visitor.post('/sign-up/email', person)).status).toBe(200)
    expect((await visitor.post('/delete-user', { password: person.password })).status).toBe(200)
  }

  expect(await server.mailsTo(person.email)).toHaveLength(5)
})

/** The answers to `count` attempts, each from its own IP address. */
async function guesses(server: TestServer, count: number, path: string, body: Record<string, unknown>) {
  const codes: string[] = []
  for (let guess = 0; guess < count; guess += 1)
    codes.push((await server.visitor().post(path, body)).body.code ?? 'signed in')
  return codes
}

const wrong = 'INVALID_EMAIL_OR_PASSWORD'
const ada = { name: 'Ada', email: 'ada@example.com', username: 'ada', password: 'correct horse battery' }

test('guessing a username does not reveal its address', async () => {
  await using server = await createTestServer(limited)
  await server.visitor().post('/sign-up/email', ada)
  await guesses(server, 11, '/sign-in/username', { username: 'ada', password: 'wrong horse battery' })

  const { passwords } = server.tollgate.internals.ctx
  const hashes = vi.spyOn(passwords, 'verify')
  const hers = await guesses(server, 11, '/sign-in/email', { email: ada.email, password: 'wrong horse battery' })
  const hashesOfHers = hashes.mock.calls.length
  const nobodys = await guesses(server, 11, '/sign-in/email', {
    email: 'x@example.com',
    password: 'wrong horse battery',
  })

  expect(hers).toEqual([...Array.from({ length: 10 }, () => wrong), 'TOO_MANY_REQUESTS'])
  expect(nobodys).toEqual(hers)
  expect([hashesOfHers, hashes.mock.calls.length]).toEqual([10, 20])
})

test('guesses by another name of the account count: the right password is then one more wrong one, for a quarter of an hour', async () => {
  await using server = await createTestServer(limited)
  await server.visitor().post('/sign-up/email', ada)
  const byEmail = (password: string) => guesses(server, 1, '/sign-in/email', { email: ada.email, password })
  await guesses(server, 9, '/sign-in/username', { username: 'ada', password: 'wrong horse battery' })

  expect(await byEmail(ada.password)).toEqual(['signed in'])
  expect(await byEmail('wrong horse battery')).toEqual([wrong])
  expect(await byEmail(ada.password)).toEqual([wrong])
  server.clock.advance(minutes(15))
  expect(await byEmail(ada.password)).toEqual(['signed in'])
})

test('guessing codes of a mailbox keeps no user from signing in by a password, nor the other way round', async () => {
  await using server = await createTestServer(limited)
  await server.visitor().post('/sign-up/email', ada)
  const { email, password } = ada

  const codes = await guesses(server, 11, '/sign-in/email-otp', { email, otp: '000000' })
  expect(codes).toEqual([...Array.from({ length: 10 }, () => 'INVALID_OTP'), 'TOO_MANY_REQUESTS'])
  expect(await guesses(server, 1, '/sign-in/email', { email, password })).toEqual(['signed in'])

  server.clock.advance(minutes(15))
  await guesses(server, 11, '/sign-in/email', { email, password: 'wrong horse battery' })
  expect(await guesses(server, 1, '/sign-in/email-otp', { email, otp: '000000' })).toEqual(['INVALID_OTP'])
})

test('inventing mailboxes does not push out the count of guesses on an account', async () => {
  await using server = await createTestServer({ rateLimit: { enabled: true, storage: 'memory' } })
  const { limits } = server.tollgate.internals.ctx
  for (let guess = 0; guess < 10; guess += 1) await limits.attempt('ada')
  for (let mailbox = 0; mailbox < 100_001; mailbox += 1) await limits.mail('verify-email', `${mailbox}@example.com`)

  await expect(limits.attempt('ada')).rejects.toThrow('Too many requests')
})

test('where mails at sign-in are enabled, an unverified user gets the link again by signing in', async () => {
  await using server = await createTestServer({ emailVerification: { sendOnSignUp: false, sendOnSignIn: true } })
  const ada = await server.signedUp('ada')
  expect(await server.mailsTo(ada.email)).toEqual([])

  await server.visitor().post('/sign-in/email', { email: ada.email, password: ada.password })

  expect(await server.linkTo(ada.email)).toMatch(/^\/api\/auth\/verify-email\?/)
})
