import { expect, test } from 'vitest'
import { TollgateError } from '../error.ts'
import { createTestServer } from '../testing.ts'

/** Limits on, but for those by address and path, which would speak first. */
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

test('inventing mailboxes does not push out the count of guesses on an account', async () => {
  await using server = await createTestServer({ rateLimit: { enabled: true, storage: 'memory' } })
  const { limits } = server.tollgate.internals.ctx
  for (let guess = 0; guess < 10; guess += 1) await limits.attempt('ada')
  for (let mailbox = 0; mailbox < 100_001; mailbox += 1) await limits.mail('verify-email', `${mailbox}@example.com`)

  await expect(limits.attempt('ada')).rejects.toThrow('Too many requests')
}, 60_000)

test('where mails at sign-in are asked for, an unverified user gets the link again by signing in', async () => {
  await using server = await createTestServer({ emailVerification: { sendOnSignUp: false, sendOnSignIn: true } })
  const ada = await server.signedUp('ada')
  expect(await server.mailsTo(ada.email)).toEqual([])

  await server.visitor().post('/sign-in/email', { email: ada.email, password: ada.password })

  expect(await server.linkTo(ada.email)).toMatch(/^\/api\/auth\/verify-email\?/)
})
