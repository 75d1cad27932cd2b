import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { days, hours, minutes } from '../../../foundation/clock.ts'
import type { Context } from '../../../foundation/context.ts'
import { bodyOfEvent } from '../../../foundation/db/event-body.ts'
import { createCaller } from '../../../foundation/http/caller.ts'
import { createTestServer } from '../../../testing.ts'
import type { Processor, RefundAttempt } from '../payments/processor.ts'
import { createProcessorEventHandler } from '../processor-events/processor-event.service.ts'
import { sellerOfObject } from '../seller/seller.service.ts'
import { faultsInBooks } from '../testing/books.ts'
import { createShop, fixedPrice } from '../testing/shop.ts'
import { createReconcileRefundHandler } from './reconcile-refund.service.ts'
import { createRefund } from './refund.service.ts'
import { settleRefund } from './settle-refund.service.ts'

const gone = () => Promise.reject(new Error('connection reset'))

/** A seller who refunds by the given processor. */
async function open(events: 'once' | 'twice' | 'late' | 'never') {
  const server = await createTestServer({ billing: { processors: { sandbox: { events, eventDelay: 3600 } } } })
  const { ctx } = server.tollgate.internals
  const shop = await createShop(server)
  const course = await shop.product([fixedPrice(1000)])
  const by = (changed: (sandbox: Processor) => Partial<Processor>): Context => {
    const { sandbox } = ctx.payments
    const processor: Processor = { ...sandbox, ...changed(sandbox) }
    return { ...ctx, payments: { ...ctx.payments, byName: () => processor } }
  }
  const body = { reason: 'other', amount: 1000, revokeBenefits: false, comment: null, metadata: {} } as const
  return {
    server,
    ctx,
    shop,
    by,
    order: async (card = 'success') =>
      (await shop.buy(course, { confirmation_token_id: `ctoken_sandbox_${card}` })).order as { id: string },
    refund: (orderId: string, context: Context = ctx, amount = 1000) =>
      createRefund({
        ctx: context,
        caller: createCaller(context, new Headers(), ''),
        seller: sellerOfObject(shop),
        current: undefined,
        body: { ...body, orderId, amount },
      }),
    orderOf: async ({ id }: { id: string }) => (await shop.get(`/orders/${id}`)).body,
    refundOf: async ({ id }: { id: string }) => (await shop.get(`/refunds/${id}`)).body,
    /** Runs all events and jobs that are due. */
    settled: async () => {
      for (const step of [minutes(1), hours(2), days(1), days(7), days(30)]) {
        server.clock.advance(step)
        await ctx.jobs.runDue()
      }
      expect(await faultsInBooks(ctx.db)).toEqual([])
    },
  }
}
type Story = Awaited<ReturnType<typeof open>>

describe('a processor that fails us', () => {
  let story: Story
  beforeAll(async () => {
    story = await open('never')
  })
  afterAll(async () => {
    await story.settled()
    await story.server[Symbol.asyncDispose]()
  })

  test('and answers nothing after it has given back: the refund is pending, and counts a minute later', async () => {
    const order = await story.order()
    const refund = await story.refund(
      order.id,
      story.by((sandbox) => ({ refund: async (asked) => sandbox.refund(asked).then(gone) })),
    )
    expect(refund.status).toBe('pending')
    await expect(story.refund(order.id)).rejects.toThrow(/exceeds/)

    story.server.clock.advance(minutes(1))
    await story.ctx.jobs.runDue()

    expect(await story.refundOf(refund)).toMatchObject({ status: 'succeeded' })
    expect(await story.orderOf(order)).toMatchObject({ status: 'refunded' })
  })

  test('and never hears of the refund: the server requests it again, once', async () => {
    const order = await story.order()
    const refund = await story.refund(
      order.id,
      story.by(() => ({ refund: gone })),
    )

    story.server.clock.advance(minutes(1))
    await story.ctx.jobs.runDue()

    expect(await story.refundOf(refund)).toMatchObject({ status: 'succeeded' })
    const there = await story.ctx.db.selectFrom('sandboxRefund').select('id').where('id', '=', refund.id).execute()
    expect(there).toHaveLength(1)
  })

  test('and sends its event before the answer, and ten times concurrently: it counts once', async () => {
    const order = await story.order()

    const refund = await story.refund(
      order.id,
      story.by((sandbox) => ({
        refund: async (asked) => {
          const attempt = await sandbox.refund(asked)
          await Promise.all(Array.from({ length: 10 }, () => settleRefund(story.ctx, asked.refundId, attempt)))
          return attempt
        },
      })),
    )

    expect(refund.status).toBe('succeeded')
    expect(await story.orderOf(order)).toMatchObject({ refunded_amount: 1000 })
  })

  test.each([
    ['another amount', { amount: 999 }],
    ['another currency', { currency: 'eur' }],
  ])('and gives back %s: it is not believed, stays reserved, and is logged (F-amount)', async (_, wrong) => {
    const order = await story.order()
    const lying = story.by((sandbox) => ({
      refund: async (asked) => ({ ...(await sandbox.refund(asked)), ...wrong }) as RefundAttempt,
      lookRefund: async (asked) => ({ ...(await sandbox.lookRefund(asked)), ...wrong }) as RefundAttempt,
    }))

    const refund = await story.refund(order.id, lying)

    expect(refund.status).toBe('pending')
    expect(await story.orderOf(order)).toMatchObject({ status: 'paid', refunded_amount: 0 })
    await expect(story.refund(order.id)).rejects.toThrow(/exceeds/)
    const reconcile = createReconcileRefundHandler(lying)
    await expect(reconcile({ id: 'x', kind: 'reconcile-refund', payload: refund.id, attempts: 1 })).rejects.toThrow(
      /moved a different amount than requested/,
    )
    expect(story.server.logs.join('\n')).toContain('Refund mismatch')
  })

  test('and is switched off: pending refunds wait, and a new refund fails', async () => {
    const order = await story.order()
    const without: Context = { ...story.ctx, payments: { ...story.ctx.payments, byName: () => undefined } }
    const refund = await story.refund(
      order.id,
      story.by(() => ({ refund: gone })),
      400,
    )

    const reconcile = createReconcileRefundHandler(without)
    const again = await reconcile({ id: 'x', kind: 'reconcile-refund', payload: refund.id, attempts: 1 })

    expect(again).toEqual(new Date(story.server.clock.now().getTime() + minutes(1)))
    await expect(story.refund(order.id, without, 600)).rejects.toThrow(/disabled/)
    expect(await story.refundOf(refund)).toMatchObject({ status: 'pending' })
  })

  test.each(['something_new', 'balance_insufficient', 'toString'])(
    'no reader of a refund refused because of %s sees the processor’s text about the server’s operator',
    async (reason) => {
      const order = await story.order()
      const message = `The key sk_live_…1234 of acct_operator may not do this (${reason}).`
      const settled = await story
        .refund(
          order.id,
          story.by(() => ({ refund: async () => ({ status: 'failed', reference: undefined, reason, message }) })),
        )
        .catch((error: Error) => error)

      const { db } = story.ctx
      const stored = JSON.stringify([
        settled instanceof Error ? [settled.message, settled] : settled,
        await db.selectFrom('refund').selectAll().execute(),
        await db.selectFrom('event').select(bodyOfEvent().as('payload')).execute(),
      ])
      expect(stored).toContain('The processor')
      expect(stored).not.toMatch(/acct_operator|sk_live/)
      expect(story.server.logs.join()).toContain('acct_operator')
    },
  )

  test('and cancels a pending refund: no money is returned, and the reservation is released', async () => {
    const order = await story.order()
    const pending = await story.refund(
      order.id,
      story.by(() => ({ refund: async () => ({ status: 'pending', reference: 'at-the-bank' }) })),
    )

    const canceled = await settleRefund(story.ctx, pending.id, {
      status: 'canceled',
      reference: undefined,
      reason: 'canceled',
      message: 'acct_of_the_operator has canceled it.',
    })

    expect(canceled).toMatchObject({ status: 'canceled', processorReference: 'at-the-bank' })
    expect(await story.refundOf(pending)).toMatchObject({ failure_reason: 'The refund was canceled at the processor.' })
    expect((await story.refund(order.id)).status).toBe('succeeded')
  })

  test('and reports a success after a failure: the books stay, and the log records it', async () => {
    const order = await story.order('disputed')
    await expect(story.refund(order.id)).rejects.toThrow(/disputed/)
    const [failed] = (await story.shop.get(`/refunds?order_id=${order.id}`)).body.items

    await settleRefund(story.ctx, failed.id, {
      status: 'succeeded',
      reference: 'late',
      amount: 1000,
      currency: 'usd',
    })

    expect(await story.refundOf(failed)).toMatchObject({ status: 'failed' })
    expect(await story.orderOf(order)).toMatchObject({ status: 'paid' })
    expect(story.server.logs.join('\n')).toContain('The processor reports success for a failed refund')
  })

  test('and reports an unknown refund: nothing happens', async () => {
    const tell = createProcessorEventHandler(story.ctx)
    for (const about of [{ refundId: 'nobody' }, { disputeReference: 'nothing' }]) {
      const payload = JSON.stringify({ name: 'sandbox', ...about })
      expect(await tell({ id: 'x', kind: 'processor-event', payload, attempts: 1 })).toBeUndefined()
    }
  })
})

/** The fate of a refund, by the payment's card, and what interrupts the server on the way. */
const step = fc.record({
  card: fc.constantFrom('success', 'refund_pending', 'refund_fails_later', 'disputed'),
  amounts: fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 4 }),
  /** Whether the process dies before the processor is asked, before its answer is stored, or not at all. */
  dies: fc.constantFrom('before', 'after', 'never'),
  waits: fc.constantFrom(0, minutes(1), hours(2)),
})
/** The end state of the same history, however its events arrive, by card; within the order's rest. */
const endOf: Readonly<Record<string, string>> = {
  success: 'succeeded',
  refund_pending: 'succeeded',
  refund_fails_later: 'failed',
  disputed: 'failed',
}

describe.each(['once', 'twice', 'late', 'never'] as const)('where events come %s', (events) => {
  let story: Story
  beforeAll(async () => {
    story = await open(events)
  })
  afterAll(() => story.server[Symbol.asyncDispose]())

  test('every refund ends in the processor’s state, and the books are right, after any sequence of faults', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 3 }), async (steps) => {
        const ends: [string, string][] = []
        for (const { card, amounts, dies, waits } of steps) {
          const order = await story.order(card)
          const context = story.by((sandbox) => ({
            ...(dies === 'before' && { refund: gone }),
            ...(dies === 'after' && { refund: async (asked) => sandbox.refund(asked).then(gone) }),
          }))
          await Promise.all(amounts.map((amount) => story.refund(order.id, context, amount).catch(() => undefined)))
          story.server.clock.advance(waits)
          await story.ctx.jobs.runDue()
          ends.push([order.id, endOf[card] ?? ''])
        }
        await story.settled()

        for (const [orderId, end] of ends) {
          const rows = await story.ctx.db.selectFrom('refund').select('status').where('orderId', '=', orderId).execute()
          expect(rows.length).toBeGreaterThan(0)
          expect(new Set(rows.map(({ status }) => status))).toEqual(new Set([end]))
        }
      }),
      { numRuns: inject('database') === 'postgres' ? 4 : 8 },
    )
    const left = await story.ctx.db.selectFrom('job').select('kind').execute()
    expect(left.filter(({ kind }) => kind === 'reconcile-refund' || kind === 'processor-event')).toEqual([])
    expect(
      story.server.logs.filter(
        (line) => JSON.parse(line).level >= 50 && !line.includes('No response from the processor'),
      ),
    ).toEqual([])
  })
})

describe('events of one refund', () => {
  let story: Story
  beforeAll(async () => {
    story = await open('never')
  })
  afterAll(() => story.server[Symbol.asyncDispose]())

  const attempts = {
    pending: { status: 'pending', reference: '' },
    succeeded: { status: 'succeeded', reference: '', amount: 1000, currency: 'usd' },
    failed: { status: 'failed', reference: undefined, reason: 'lost_or_stolen_card', message: 're_1: gone.' },
  } as const satisfies Record<string, RefundAttempt>

  test('twice, in any order and in part, ends the same: where it has failed at last, nothing was given back (F-reorder)', async () => {
    const word = fc.constantFrom('pending', 'succeeded', 'failed')
    await fc.assert(
      fc.asyncProperty(fc.array(word as fc.Arbitrary<keyof typeof attempts>, { maxLength: 6 }), async (words) => {
        const order = await story.order()
        const refund = await story.refund(
          order.id,
          story.by(() => ({ refund: gone })),
        )
        for (const each of [...words, 'failed' as const]) {
          const attempt: RefundAttempt = attempts[each]
          const named = 'reference' in attempt && attempt.reference === '' ? { reference: `re_${refund.id}` } : {}
          await settleRefund(story.ctx, refund.id, { ...attempt, ...named } as RefundAttempt)
        }

        expect(await story.refundOf(refund)).toMatchObject({
          status: 'failed',
          failure_reason: 'The card was reported lost or stolen.',
        })
        expect(await story.orderOf(order)).toMatchObject({ status: 'paid', refunded_amount: 0 })
      }),
      { numRuns: 20 },
    )
  })
})
