import type { SaleTax } from '@tollgate/contract/billing-types'
import type { Db } from '../../../foundation/db/database.ts'
import { violationsOfBooks } from '../books/books.service.ts'
import type { DocumentContent } from '../documents/drawing/document-content.ts'

/**
 * The invariants that always hold (security, section 3, invariant check): every violation, in words. With `isAtRest`,
 * no work may be pending.
 */
export async function faultsInBooks(db: Db, isAtRest = true): Promise<string[]> {
  const faults: string[] = []
  const check = (holds: boolean, fault: string) => {
    if (!holds) faults.push(fault)
  }
  const intents = await db.selectFrom('sandboxIntent').selectAll().execute()
  const payments = await db.selectFrom('payment').selectAll().execute()
  const orders = await db.selectFrom('order').selectAll().execute()
  const items = await db.selectFrom('orderItem').selectAll().execute()
  const checkouts = await db.selectFrom('checkout').selectAll().execute()
  const subscriptions = await db.selectFrom('subscription').selectAll().execute()
  const discounts = await db.selectFrom('discount').selectAll().execute()
  const redemptions = await db.selectFrom('discountRedemption').selectAll().execute()
  const jobs = await db
    .selectFrom('job')
    .selectAll()
    .where('kind', 'in', ['reconcile-payment', 'charge-payment'])
    .execute()
  faults.push(...(await faultsOfRefunds(db, isAtRest)), ...(await faultsOfDocuments(db)))
  for (const { invariant, subject, detail } of await violationsOfBooks(db))
    faults.push(`${invariant}: ${subject}: ${detail}`)

  for (const intent of intents) {
    const payment = payments.find(({ id }) => id === intent.id)
    check(payment !== undefined, `the processor knows ${intent.id}, and we do not`)
    if (intent.status === 'succeeded' && isAtRest)
      check(payment?.status === 'succeeded', `${intent.id} was charged, and is ${payment?.status}`)
    if (payment?.status === 'succeeded') check(intent.status === 'succeeded', `${intent.id} counts as paid, and is not`)
  }
  for (const payment of payments) {
    const checkout = checkouts.find(({ id }) => id === payment.checkoutId)
    const isOfCheckout = payment.subject === 'checkout'
    const order = orders.filter(({ id, checkoutId }) =>
      isOfCheckout ? checkoutId === payment.checkoutId : id === payment.orderId,
    )
    if (payment.status === 'succeeded') {
      check(
        payment.processor !== 'sandbox' || intents.some(({ id }) => id === payment.id),
        `${payment.id} was paid without a charge`,
      )
      check(order.length === 1 && order[0]!.id === payment.orderId, `${payment.id} has ${order.length} orders`)
      const paid = payment.amount + payment.reservedBalance
      check(!isOfCheckout || order[0]?.totalAmount === paid, `${payment.id} is not what its order costs`)
      check(
        !isOfCheckout || checkout?.status === 'succeeded',
        `${payment.id} was paid, and its checkout is ${checkout?.status}`,
      )
    }
    if (payment.status === 'pending') {
      check(!isAtRest, `${payment.id} is pending still`)
      check(
        !isOfCheckout || checkout?.status === 'confirmed',
        `${payment.id} is pending, and its checkout ${checkout?.status}`,
      )
      check(
        jobs.some(({ payload }) => payload === payment.id),
        `nobody looks what becomes of ${payment.id}`,
      )
    }
  }
  for (const checkout of checkouts) {
    const mine = orders.filter(({ checkoutId }) => checkoutId === checkout.id)
    const paid = payments.filter(({ checkoutId, status }) => checkoutId === checkout.id && status === 'succeeded')
    const pending = payments.filter(({ checkoutId, status }) => checkoutId === checkout.id && status === 'pending')
    const reserved = redemptions.filter(({ checkoutId }) => checkoutId === checkout.id)
    const holds = checkout.discountId !== null && ['confirmed', 'succeeded'].includes(checkout.status) ? 1 : 0
    check(paid.length <= 1, `checkout ${checkout.id} was paid ${paid.length} times`)
    check(
      mine.length === (checkout.status === 'succeeded' ? 1 : 0),
      `${checkout.status} ${checkout.id}: ${mine.length} orders`,
    )
    check(reserved.length === holds, `${checkout.status} ${checkout.id}: ${reserved.length} redemptions`)
    check(
      pending.length === (checkout.status === 'confirmed' ? 1 : 0),
      `${checkout.status} ${checkout.id}: ${pending.length} pending`,
    )
    if (isAtRest) check(checkout.status !== 'confirmed', `${checkout.id} is confirmed still`)
  }
  for (const order of orders) {
    const tax = order.tax as SaleTax | null // set by the server
    if (tax) {
      const inLines = tax.lines.reduce((sum, { amount }) => sum + amount, 0)
      const onItems = items.filter(({ orderId }) => orderId === order.id).reduce((sum, item) => sum + item.taxAmount, 0)
      check(inLines === order.taxAmount, `tax of ${order.id} is ${order.taxAmount}, and ${inLines} in its lines`)
      check(onItems === order.taxAmount, `tax of ${order.id} is ${order.taxAmount}, and ${onItems} on its items`)
    }
    const sum = items.filter(({ orderId }) => orderId === order.id).reduce((total, { amount }) => total + amount, 0)
    check(sum === order.subtotalAmount, `items of ${order.id} are ${sum}, not ${order.subtotalAmount}`)
    check(order.netAmount === order.subtotalAmount - order.discountAmount, `net of ${order.id}`)
    check(order.totalAmount === order.netAmount + order.taxAmount, `total of ${order.id}`)
    const mayBeCredit = order.billingReason === 'subscription_update'
    check(order.discountAmount >= 0 && (order.netAmount >= 0 || mayBeCredit), `a negative amount in ${order.id}`)
    const isUnpaid = order.paidAt === null || order.totalAmount + order.appliedBalanceAmount <= 0
    check(isUnpaid || payments.some(({ orderId }) => orderId === order.id), `${order.id} was made without a payment`)
    if (order.subscriptionId !== null)
      check(
        subscriptions.some(({ id }) => id === order.subscriptionId),
        `${order.id} is of no subscription`,
      )
  }
  for (const { id, checkoutId, status } of subscriptions)
    check(
      checkoutId === null
        ? status.startsWith('incomplete') || orders.some(({ subscriptionId }) => subscriptionId === id)
        : checkouts.some((row) => row.id === checkoutId && row.status === 'succeeded'),
      `subscription ${id} of nothing`,
    )
  for (const { id, redemptionsCount } of discounts) {
    const made = redemptions.filter(({ discountId }) => discountId === id).length
    check(redemptionsCount === made, `discount ${id} counts ${redemptionsCount}, and has ${made}`)
  }
  return faults
}

/** The same for refunds: never more than the payment, counted once, and numbered without gaps. */
async function faultsOfRefunds(db: Db, isAtRest: boolean): Promise<string[]> {
  const faults: string[] = []
  const check = (holds: boolean, fault: string) => {
    if (!holds) faults.push(fault)
  }
  const refunds = await db.selectFrom('refund').selectAll().execute()
  const given = await db.selectFrom('sandboxRefund').selectAll().execute()
  const intents = await db.selectFrom('sandboxIntent').selectAll().execute()
  const orders = await db.selectFrom('order').selectAll().execute()
  const jobs = await db.selectFrom('job').selectAll().where('kind', '=', 'reconcile-refund').execute()
  const sum = (rows: readonly { amount: number; taxAmount: number }[], member: 'amount' | 'taxAmount') =>
    rows.reduce((total, row) => total + row[member], 0)

  for (const { id, reference, amount, status, laterStatus } of given) {
    const refund = refunds.find((row) => row.id === id || row.processorReference === reference)
    check(refund !== undefined, `the processor has given back ${id}, and we do not know`)
    check(refund === undefined || refund.amount + refund.taxAmount === amount, `${id} is not what went back`)
    const end = laterStatus ?? status
    if (isAtRest) check(refund?.status === end, `${id} has ${end} there, and is ${refund?.status}`)
  }
  for (const { id, amount } of intents) {
    const gone = given.filter((row) => row.intentId === id && (row.laterStatus ?? row.status) === 'succeeded')
    const back = gone.reduce((total, row) => total + row.amount, 0)
    check(back <= amount, `${back} went back of ${id}, which was ${amount}`)
  }
  for (const { id, status, processor, processorReference, creditNoteNumber } of refunds) {
    if (status === 'succeeded') {
      check(creditNoteNumber !== null, `${id} has no credit note`)
      const isGiven = given.some((row) => row.id === id || row.reference === processorReference)
      check(processor !== 'sandbox' || isGiven, `${id} has succeeded, and nothing went back`)
    }
    if (status !== 'pending') continue
    check(!isAtRest, `${id} is pending still`)
    check(
      jobs.some(({ payload }) => payload === id),
      `nobody looks what becomes of ${id}`,
    )
  }
  for (const order of orders) {
    const mine = refunds.filter(({ orderId }) => orderId === order.id)
    const succeeded = mine.filter(({ status }) => status === 'succeeded')
    const held = mine.filter(({ status }) => status === 'succeeded' || status === 'pending')
    check(order.refundedAmount === sum(succeeded, 'amount'), `${order.id} counts ${order.refundedAmount} as refunded`)
    check(order.refundedTaxAmount === sum(succeeded, 'taxAmount'), `tax refunded of ${order.id}`)
    check(sum(held, 'amount') <= order.netAmount, `${order.id} gives back more than was paid`)
    check(sum(held, 'taxAmount') <= order.taxAmount, `${order.id} gives back more tax than was paid`)
    const refunded = order.refundedAmount + order.refundedTaxAmount
    const isAll = refunded === order.netAmount + order.taxAmount && refunded > 0
    const expected = isAll ? 'refunded' : refunded > 0 ? 'partially_refunded' : 'paid'
    // Orders of renewals may wait for their payment, and be voided without one.
    check(order.paidAt === null || order.status === expected, `${order.id} is ${order.status}, and not ${expected}`)
  }
  return faults
}

/** Every sale has its receipt, and its invoice if marked so; every refund its credit note: each exactly once. */
async function faultsOfDocuments(db: Db): Promise<string[]> {
  const documents = await db.selectFrom('document').selectAll().execute()
  const orders = await db
    .selectFrom('order')
    .select(['id', 'invoiceNumber', 'receiptNumber', 'invoiceIssuedAt', 'status', 'tax'])
    .execute()
  const refunds = await db.selectFrom('refund').select(['id', 'creditNoteNumber', 'status']).execute()
  const wanted = [
    ...orders
      .filter(({ receiptNumber }) => receiptNumber !== null)
      .map(({ id, receiptNumber }) => `receipt ${id} ${receiptNumber}`),
    ...orders
      .filter(({ invoiceIssuedAt }) => invoiceIssuedAt !== null)
      .map(({ id, invoiceNumber }) => `invoice ${id} ${invoiceNumber}`),
    ...refunds
      .filter(({ creditNoteNumber }) => creditNoteNumber !== null)
      .map(({ id, creditNoteNumber }) => `credit_note ${id} ${creditNoteNumber}`),
  ]
  const issued = documents.map(({ kind, orderId, refundId, number }) => `${kind} ${refundId ?? orderId} ${number}`)
  return [
    ...wanted.filter((each) => !issued.includes(each)).map((each) => `there is no ${each}`),
    ...issued.filter((each, at) => !wanted.includes(each) || issued.indexOf(each) !== at).map((each) => `why ${each}`),
    ...orders.flatMap((order) => {
      const valid = refunds.filter(({ status }) => status === 'succeeded').map(({ id }) => id)
      const notes = documents.filter(({ orderId, refundId }) => orderId === order.id && valid.includes(refundId ?? ''))
      return faultsOfCreditNotes(order, notes)
    }),
  ]
}

/** No refund exceeds any tax, and a full refund returns all tax. */
function faultsOfCreditNotes(
  { id, status, tax }: { id: string; status: string; tax: unknown },
  notes: readonly { content: string }[],
): string[] {
  const back = notes.map(({ content }) => (JSON.parse(content) as DocumentContent).tax?.lines ?? []) // written by `newDocument`
  return ((tax as SaleTax | null)?.lines ?? []).flatMap(({ name, amount }, at) => {
    const given = back.reduce((sum, lines) => sum + (lines[at]?.amount ?? 0), 0)
    const holds = status === 'refunded' ? given === amount : given <= amount
    return holds ? [] : [`${name} of ${id} was ${amount}, and ${given} on its credit notes`]
  })
}
