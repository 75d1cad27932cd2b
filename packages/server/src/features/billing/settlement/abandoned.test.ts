import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createTestServer, type Person, type TestServer } from '../../../testing.ts'
import { created } from '../../organization/testing/organizations.ts'
import { violationsOfBooks } from '../books/books.service.ts'
import { provenAccount } from '../testing/account.ts'
import { openPortal } from '../testing/portal.ts'
import { createShop, fixedPrice, newBuyer, type Shop } from '../testing/shop.ts'
import { setCard } from '../testing/subscribers.ts'

/** Deleting accounts and organizations while payments of theirs are under way: nothing begins, and nothing is saved. */

let server: TestServer
let shop: Shop
let plan: string
beforeAll(async () => {
  server = await createTestServer()
  shop = await createShop(server)
  plan = await shop.product([fixedPrice(900)], 'month', 'Plan')
})
afterAll(async () => {
  await ctx().jobs.runDue()
  expect(await violationsOfBooks(ctx().db)).toEqual([])
  await server[Symbol.asyncDispose]()
})

const ctx = () => server.tollgate.internals.ctx

/** A signed-in person confirms a checkout by a test card. */
async function confirm(person: Person, card: string) {
  server.clock.advance(1000)
  const checkout = await shop.checkout(plan)
  const body = { ...newBuyer(), confirmation_token_id: `ctoken_sandbox_${card}` }
  const path = `/v1/checkouts/client/${checkout.client_secret}/confirm`
  const answer = await person.request('POST', path, { body })
  expect(answer.status).toBe(200)
  const [payment] = await shop.paymentsOf(checkout)
  const secret = answer.body.payment_processor_metadata.intent_client_secret as string
  return { checkout, secret, customerId: payment.customer_id as string }
}

const act = (secret: string) =>
  server.visitor().request('POST', `/v1/sandbox/actions/${secret}`, { body: { outcome: 'succeed' } })

const deleteAccount = async (person: Person) =>
  expect((await person.post('/delete-user', { password: person.password })).status).toBe(200)

/** Deletes an account whose owner confirms a payment just before the processor cancels it. */
async function deleteWhilePaying(person: Person, secret: string): Promise<void> {
  const { sandbox } = ctx().payments
  const { cancel } = sandbox
  const canceling = vi.spyOn(sandbox, 'cancel').mockImplementationOnce(async (paymentId) => {
    await act(secret)
    return cancel(paymentId)
  })
  await deleteAccount(person)
  await ctx().jobs.runDue()
  expect(canceling).toHaveBeenCalledOnce()
  canceling.mockRestore()
}

/** What a customer has that could be charged, and for what they are charged. */
async function standingOf(customerId: string) {
  const { items: subscriptions } = (await shop.get(`/subscriptions?customer_id=${customerId}`)).body
  const { items: methods } = (await shop.get(`/customers/${customerId}/payment-methods`)).body
  const { items: payments } = (await shop.get(`/payments?customer_id=${customerId}&sorting=-created_at`)).body
  return {
    subscriptions: subscriptions.map(({ status }: { status: string }) => status),
    methods: methods.length,
    latest: payments[0].status,
  }
}

/** The kinds of what the attention list has of a customer's payments. */
const attentionOf = async (customerId: string) =>
  (
    await ctx()
      .db.selectFrom('attention')
      .innerJoin('payment', 'payment.id', 'attention.paymentId')
      .select('attention.kind')
      .where('payment.customerId', '=', customerId)
      .execute()
  ).map(({ kind }) => kind)

/** The jobs that still look after a customer's payments. */
const jobsOf = async (customerId: string) =>
  (
    await ctx()
      .db.selectFrom('job')
      .innerJoin('payment', 'payment.id', 'job.payload')
      .select('job.id')
      .where('payment.customerId', '=', customerId)
      .execute()
  ).map(({ id }) => id)

describe('a checkout of a deleted account', () => {
  test('that waits for its buyer is canceled: what they confirm afterwards takes no money', async () => {
    const person = await provenAccount(server)
    const { checkout, secret, customerId } = await confirm(person, 'requires_action')

    await deleteAccount(person)
    await ctx().jobs.runDue()
    await act(secret)
    await ctx().jobs.runDue()

    expect(await standingOf(customerId)).toEqual({ subscriptions: [], methods: 0, latest: 'failed' })
    expect(await shop.ordersOf(checkout)).toEqual([])
    expect([await attentionOf(customerId), await jobsOf(customerId)]).toEqual([[], []])
  })

  test('that is paid just before begins nothing, saves no card, and its money is to be refunded', async () => {
    const person = await provenAccount(server)
    const { checkout, secret, customerId } = await confirm(person, 'requires_action')

    await deleteWhilePaying(person, secret)

    expect(await standingOf(customerId)).toEqual({ subscriptions: [], methods: 0, latest: 'failed' })
    expect([await shop.ordersOf(checkout), await shop.statusOf(checkout)]).toEqual([[], 'failed'])
    expect([await attentionOf(customerId), await jobsOf(customerId)]).toEqual([['paid_after_failure'], []])
  })

  test('either ends with the account or is refused where its payment succeeds at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const person = await provenAccount(server)
      const { secret, customerId } = await confirm(person, 'requires_action')
      await act(secret)

      await Promise.all([ctx().jobs.runDue(), deleteAccount(person)])
      await ctx().jobs.runDue()

      const { subscriptions, methods, latest } = await standingOf(customerId)
      expect([subscriptions, methods]).toEqual([latest === 'succeeded' ? ['canceled'] : [], 0])
    }
  })
})

test('a checkout of a deleted organization is canceled too', async () => {
  const owner = await provenAccount(server)
  const { id: organizationId } = await created(owner, 'waiting-buyer')
  const { secret, customerId } = await confirm(owner, 'requires_action')

  expect((await owner.post('/organization/delete', { organizationId })).status).toBe(200)
  await ctx().jobs.runDue()
  await act(secret)
  await ctx().jobs.runDue()

  expect(await standingOf(customerId)).toEqual({ subscriptions: [], methods: 0, latest: 'failed' })
})

describe('a card that a deleted account adds', () => {
  /** A subscriber who has to authenticate another card. */
  async function adding(person: Person) {
    const { customerId } = await confirm(person, 'success')
    server.clock.advance(1000)
    const customer = await openPortal(server, shop, customerId)
    const { body } = await customer.add('requires_action', { set_default: true })
    return { customerId, secret: body.client_secret as string }
  }

  test('is not saved once the account is deleted', async () => {
    const person = await provenAccount(server)
    const { customerId, secret } = await adding(person)

    await deleteAccount(person)
    await ctx().jobs.runDue()
    await act(secret)
    await ctx().jobs.runDue()

    expect(await standingOf(customerId)).toMatchObject({ subscriptions: ['canceled'], methods: 0, latest: 'failed' })
  })

  test('is removed, and detached at its processor, where it is authenticated just before', async () => {
    const person = await provenAccount(server)
    const { customerId, secret } = await adding(person)
    const forgotten = vi.spyOn(ctx().payments.sandbox, 'forget')

    await deleteWhilePaying(person, secret)

    expect(await standingOf(customerId)).toMatchObject({ subscriptions: ['canceled'], methods: 0 })
    expect(forgotten).toHaveBeenCalledTimes(2)
    forgotten.mockRestore()
  })
})

describe('a subscription of a deleted account that waits for its first payment', () => {
  /** A person with a saved card, and without a subscription. */
  async function cardholding() {
    const person = await provenAccount(server)
    const { checkout, customerId } = await confirm(person, 'success')
    const [order] = await shop.ordersOf(checkout)
    await shop.delete(`/subscriptions/${order.subscription_id}`)
    server.clock.advance(1000)
    return { person, customerId }
  }

  test('expires, gives its discount back, and its link is void', async () => {
    const { person, customerId } = await cardholding()
    await setCard(server, shop, 'requires_action')
    const { id: discount_id } = await shop.discount({ max_redemptions: 1 })
    const waits = await shop.post('/subscriptions', { product_id: plan, customer_id: customerId, discount_id })
    const path = `/v1/pay-links/${waits.body.payment_url.split('/pay/')[1]}`

    await deleteAccount(person)
    const body = { confirmation_token_id: 'ctoken_sandbox_success' }
    const paid = await server.visitor().request('POST', `${path}/confirm`, { body })

    expect((await server.visitor().request('GET', path)).body.status).toBe('void')
    expect(paid.body.status).not.toBe('paid')
    const { subscriptions, methods } = await standingOf(customerId)
    expect([subscriptions.toSorted(), methods]).toEqual([['canceled', 'incomplete_expired'], 0])
    expect((await shop.get(`/discounts/${discount_id}`)).body.redemptions_count).toBe(0)
  })

  /** Deletes an account while its first payment is on its way, which the processor has before it cancels it, or after. */
  async function deletedWhileCharging(isFirst: boolean) {
    const { person, customerId } = await cardholding()
    const { sandbox } = ctx().payments
    const { charge, cancel } = sandbox
    let arrive: () => Promise<unknown> = () => Promise.reject(new Error('nothing is charged'))
    const charging = vi.spyOn(sandbox, 'charge').mockImplementationOnce((asked) => {
      arrive = () => charge(asked)
      return Promise.reject(new Error('connection reset'))
    })
    const canceling = vi.spyOn(sandbox, 'cancel').mockImplementationOnce(async (paymentId) => {
      if (isFirst) await arrive()
      return cancel(paymentId)
    })
    await setCard(server, shop, 'success')
    const begun = await shop.post('/subscriptions', { product_id: plan, customer_id: customerId })
    expect(begun.body.status).toBe('incomplete')

    await deleteAccount(person)
    await ctx().jobs.runDue()
    if (!isFirst) await arrive()
    await ctx().jobs.runDue()
    expect([charging.mock.calls.length, canceling.mock.calls.length]).toEqual([1, 1])
    charging.mockRestore()
    canceling.mockRestore()
    return customerId
  }

  test.each([
    ['after it is canceled, which takes no money', false, []],
    ['before, whose money is to be refunded', true, ['paid_after_failure']],
  ])('is not begun by a charge that arrives %s', async (_, isFirst, attention) => {
    const customerId = await deletedWhileCharging(isFirst)

    const { subscriptions, methods, latest } = await standingOf(customerId)
    expect([subscriptions.toSorted(), methods, latest]).toEqual([['canceled', 'incomplete_expired'], 0, 'failed'])
    expect([await attentionOf(customerId), await jobsOf(customerId)]).toEqual([attention, []])
  })
})
