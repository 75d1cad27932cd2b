import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { days, hours, minutes } from '../../../foundation/clock.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { createTestServer, type TestServer, type Visitor } from '../../../testing.ts'
import type { Attempt, Charge, RefundAttempt, RefundOrder } from './processor.ts'

let server: TestServer
let visitor: Visitor
beforeAll(async () => {
  server = await createTestServer({ billing: { processors: { sandbox: { events: 'never' } } } })
  visitor = server.visitor()
})
afterAll(() => server[Symbol.asyncDispose]())

const path = '/v1/sandbox/confirmation-tokens'
const tokenFor = (card: object) => visitor.request('POST', path, { body: card })
const good = { number: '4242 4242 4242 4242', expiry: '12/30', cvc: '123' }
const sandbox = () => server.tollgate.internals.ctx.payments.sandbox

const charge = (confirmationToken: string, changes: Partial<Charge> = {}): Promise<Attempt> =>
  sandbox().charge({
    paymentId: newUuid(),
    purpose: 'charge',
    amount: 1900,
    currency: 'usd',
    source: { confirmationToken },
    keepMethod: true,
    offSession: false,
    ...changes,
  })

describe('a card becomes a token', () => {
  test.each([
    ['4242 4242 4242 4242', 'succeeded', undefined],
    ['4242424242424242', 'succeeded', undefined],
    ['4000 0000 0000 0002', 'failed', 'card_declined'],
    ['4000 0000 0000 9995', 'failed', 'insufficient_funds'],
    ['4000 0000 0000 0341', 'succeeded', undefined],
    ['4000 0025 0000 3155', 'requires_action', undefined],
    ['4000 0000 0000 0069', 'failed', 'expired_card'],
    ['4000 0000 0000 7726', 'succeeded', undefined],
    ['4000 0000 0000 5126', 'succeeded', undefined],
    ['4000 0000 0000 0259', 'succeeded', undefined],
  ])('%s is charged: %s', async (number, status, reason) => {
    const { status: answered, body } = await tokenFor({ ...good, number })

    expect(answered).toBe(201)
    expect(await charge(body.id)).toMatchObject({ status, ...(reason && { reason }) })
  })

  test.each([
    [{ number: '4111 1111 1111 1111' }, ['number']],
    [{ number: '' }, ['number']],
    [{ expiry: '02/26' }, ['expiry']],
    [{ expiry: '13/30' }, ['expiry']],
    [{ expiry: 'soon' }, ['expiry']],
    [{ cvc: '12' }, ['cvc']],
    [{ cvc: '12345' }, ['cvc']],
    [{ cvc: 'abc' }, ['cvc']],
    [{ number: '1', expiry: '1', cvc: '1' }, ['number', 'expiry', 'cvc']],
  ])('%o is refused', async (wrong, members) => {
    const { status, body } = await tokenFor({ ...good, ...wrong })

    expect(status).toBe(422)
    expect(body.detail.map(({ loc }: { loc: unknown }) => loc)).toEqual(members.map((member) => ['body', member]))
  })

  test('members that are missing, or of another type, are refused', async () => {
    expect((await tokenFor({ ...good, cvc: 123 })).status).toBe(422)
    expect((await tokenFor({})).body.detail).toHaveLength(3)
  })

  test('the card is good until its month is over', async () => {
    expect((await tokenFor({ ...good, expiry: '03/26' })).status).toBe(201)
    expect((await tokenFor({ ...good, expiry: '03 / 2026' })).status).toBe(201)
  })

  test('its number stands in no table and in no log', async () => {
    const { body } = await tokenFor(good)
    await charge(body.id)
    const { db } = server.tollgate.internals.ctx

    const kept = JSON.stringify([
      await db.selectFrom('sandboxToken').selectAll().execute(),
      await db.selectFrom('sandboxIntent').selectAll().execute(),
    ])

    expect(kept).not.toMatch(/4242424242424242|4242 4242/)
    expect(kept).not.toContain(body.id)
    expect(server.logs.join('\n')).not.toMatch(/4242424242424242|4242 4242 4242/)
  })

  test('a token pays once, and for an hour', async () => {
    const { body: first } = await tokenFor(good)
    const { body: second } = await tokenFor(good)
    expect(await charge(first.id)).toMatchObject({ status: 'succeeded' })

    await expect(charge(first.id)).rejects.toThrow()
    expect(await sandbox().findToken(first.id)).toBeUndefined()
    expect(await sandbox().findToken(second.id)).toBeDefined()
    server.clock.advance(hours(1))
    await expect(charge(second.id)).rejects.toThrow()
  })

  test('of twenty attempts with one token at the same moment one is made', async () => {
    const { body } = await tokenFor(good)

    const results = await Promise.allSettled(Array.from({ length: 20 }, () => charge(body.id)))

    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
})

describe('a charge', () => {
  test('asked for again, also at the same moment, is the one that was made', async () => {
    const paymentId = newUuid()
    const { body } = await tokenFor(good)

    const answers = await Promise.all(Array.from({ length: 20 }, () => charge(body.id, { paymentId })))

    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(await sandbox().look(paymentId)).toEqual(answers[0])
    // The first request sets the amount paid.
    expect(await charge(body.id, { paymentId, amount: 1 })).toMatchObject({ amount: 1900 })
  })

  test('of a card that declines renewals succeeds while its owner is there, and not later', async () => {
    const first = await charge('ctoken_sandbox_renewal_decline')
    if (first.status !== 'succeeded') throw new Error(first.status)

    const later = await charge('', { source: { methodReference: first.methodReference! }, offSession: true })

    expect(later).toMatchObject({ status: 'failed', reason: 'card_declined' })
  })

  test('by a kept method succeeds without its owner; the method is kept only on request', async () => {
    const first = await charge('ctoken_sandbox_success')
    if (first.status !== 'succeeded') throw new Error(first.status)

    expect(await charge('', { source: { methodReference: first.methodReference! }, offSession: true })).toMatchObject({
      status: 'succeeded',
    })
    expect(await charge('ctoken_sandbox_success', { keepMethod: false })).toMatchObject({ methodReference: undefined })
    expect(await charge('ctoken_sandbox_requires_action', { offSession: true })).toMatchObject({
      status: 'failed',
      reason: 'authentication_required',
    })
  })

  test('that was canceled is never made, also when it comes later', async () => {
    const paymentId = newUuid()

    expect(await sandbox().cancel(paymentId)).toMatchObject({ status: 'failed', reason: 'canceled' })

    expect(await charge('ctoken_sandbox_success', { paymentId })).toMatchObject({
      status: 'failed',
      reason: 'canceled',
    })
  })

  test('that was made cannot be canceled any more', async () => {
    const paymentId = newUuid()
    await charge('ctoken_sandbox_success', { paymentId })

    expect(await sandbox().cancel(paymentId)).toMatchObject({ status: 'succeeded' })
  })

  test('with an unknown token is not made', async () => {
    for (const token of ['ctoken_sandbox_nothing', 'ctoken_sandbox___proto__', 'ctoken_sandbox_constructor', 'x', '']) {
      expect(await sandbox().findToken(token)).toBeUndefined()
      await expect(charge(token)).rejects.toThrow()
    }
  })
})

describe('a refund', () => {
  const paid = async (card = 'success') => {
    const paymentId = newUuid()
    await charge(`ctoken_sandbox_${card}`, { paymentId })
    return paymentId
  }
  const refund = (paymentId: string, amount: number, changes: Partial<RefundOrder> = {}): Promise<RefundAttempt> =>
    sandbox().refund({
      refundId: newUuid(),
      paymentId,
      paymentReference: '',
      amount,
      currency: 'usd',
      reason: 'other',
      ...changes,
    })

  test('asked for again, also at the same moment, is the one that was made', async () => {
    const paymentId = await paid()
    const refundId = newUuid()

    const answers = await Promise.all(Array.from({ length: 20 }, () => refund(paymentId, 1900, { refundId })))

    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(await sandbox().lookRefund({ refundId, reference: null })).toEqual(answers[0])
    expect(await sandbox().lookRefund({ refundId: newUuid(), reference: answers[0]!.reference! })).toEqual(answers[0])
    expect(await refund(paymentId, 1, { refundId })).toMatchObject({ amount: 1900 })
  })

  test('never returns more than was taken, also with concurrent calls', async () => {
    const paymentId = await paid()

    const answers = await Promise.all(Array.from({ length: 10 }, () => refund(paymentId, 500)))

    expect(answers.filter(({ status }) => status === 'succeeded')).toHaveLength(3)
    expect(answers.find(({ status }) => status === 'failed')).toMatchObject({ reason: 'amount_too_large' })
  })

  test.each([
    ['refund_pending', 'pending', 'succeeded'],
    ['refund_fails_later', 'succeeded', 'failed'],
  ])('by the card %s is %s, and has %s after a minute', async (card, first, later) => {
    const paymentId = await paid(card)
    const refundId = newUuid()

    expect(await refund(paymentId, 1900, { refundId })).toMatchObject({ status: first })
    expect(await refund(paymentId, 1)).toMatchObject({ status: 'failed', reason: 'amount_too_large' })
    server.clock.advance(minutes(1))

    expect(await sandbox().lookRefund({ refundId, reference: null })).toMatchObject({ status: later })
    // The money that came back can be refunded once more.
    expect((await refund(paymentId, 1900)).status).toBe(later === 'failed' ? 'succeeded' : 'failed')
  })

  test.each([
    ['of an unknown payment', async () => newUuid(), {}, 'no_such_payment'],
    ['of one that was declined', () => paid('decline'), {}, 'no_such_payment'],
    ['in another currency', () => paid(), { currency: 'eur' }, 'no_such_payment'],
    ['of one that is disputed', () => paid('disputed'), {}, 'charge_disputed'],
  ] as const)('%s is not made', async (_, payment, changes, reason) => {
    expect(await refund(await payment(), 100, changes)).toMatchObject({ status: 'failed', reason })
  })

  test('that was never requested is not known', async () => {
    expect(await sandbox().lookRefund({ refundId: newUuid(), reference: 'nothing' })).toBeUndefined()
    expect(await sandbox().lookForeignRefund('nothing')).toBeUndefined()
    expect(await sandbox().lookDispute('nothing')).toBeUndefined()
    expect(await sandbox().decideDispute('nothing', 'won')).toBeUndefined()
  })
})

describe('the stand-in of 3-D Secure', () => {
  const asked = async () => {
    const paymentId = newUuid()
    const attempt = await charge('ctoken_sandbox_requires_action', { paymentId })
    if (attempt.status !== 'requires_action') throw new Error(attempt.status)
    return { paymentId, secret: attempt.clientSecret! } // sealed a moment ago
  }
  const answer = (secret: string, outcome: unknown) =>
    visitor.request('POST', `/v1/sandbox/actions/${secret}`, { body: { outcome } })

  test.each([
    ['succeed', 'succeeded'],
    ['fail', 'failed'],
  ])('%s: the payment has %s, and stays so', async (outcome, status) => {
    const { paymentId, secret } = await asked()

    expect((await answer(secret, outcome)).body).toEqual({ status })
    expect((await answer(secret, outcome)).body).toEqual({ status })
    expect((await answer(secret, outcome === 'fail' ? 'succeed' : 'fail')).body).toEqual({ status })
    expect(await sandbox().look(paymentId)).toMatchObject({ status })
  })

  test('of opposite answers at the same moment one counts', async () => {
    const { paymentId, secret } = await asked()

    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => answer(secret, index % 2 ? 'fail' : 'succeed')),
    )

    const { status } = (await sandbox().look(paymentId))!
    expect(answers.every(({ body }) => body.status === status)).toBe(true)
  })

  test('a canceled payment is not completed any more', async () => {
    const { paymentId, secret } = await asked()
    await sandbox().cancel(paymentId)

    expect((await answer(secret, 'succeed')).body).toEqual({ status: 'failed' })
  })

  test('an unknown secret and an unknown outcome are refused', async () => {
    const { secret } = await asked()

    expect((await answer('sandbox_secret_nothing', 'succeed')).status).toBe(404)
    expect((await answer(secret, 'perhaps')).status).toBe(422)
    expect((await answer(secret, undefined)).status).toBe(422)
  })

  test('its secret is sealed where it is kept', async () => {
    const { paymentId, secret } = await asked()

    const row = await server.tollgate.internals.ctx.db
      .selectFrom('sandboxIntent')
      .selectAll()
      .where('id', '=', paymentId)
      .executeTakeFirstOrThrow()

    expect(JSON.stringify(row)).not.toContain(secret)
  })
})

test('in production the sandbox takes payments only where it is named', async () => {
  const production = { mode: 'production', baseURL: 'https://pay.example.com' } as const
  const options = { env: { TOLLGATE_MODE: 'production', BASE_URL: production.baseURL } }
  await using unnamed = await createTestServer({}, options)
  await using named = await createTestServer({ billing: { processors: { sandbox: true } } }, options)
  const ask = ({ visitor: at }: TestServer) =>
    at().request('POST', path, { body: good, headers: { origin: 'https://pay.example.com' } })

  expect((await ask(unnamed)).status).toBe(404)
  expect(
    await unnamed.tollgate.internals.ctx.payments.sandbox.charge({
      paymentId: newUuid(),
      purpose: 'charge',
      amount: 100,
      currency: 'usd',
      source: { confirmationToken: 'ctoken_sandbox_success' },
      keepMethod: false,
      offSession: false,
    }),
  ).toMatchObject({ status: 'failed', reason: 'processor_unavailable' })
  expect((await ask(named)).status).toBe(201)
})

test('a card that runs out while the clock goes on is refused from then on', async () => {
  server.clock.advance(days(31) + minutes(1))

  expect((await tokenFor({ ...good, expiry: '03/26' })).body.detail[0].loc).toEqual(['body', 'expiry'])
})
