import { type RawBuilder, sql } from 'kysely'
import type { Db, Id } from '../../../foundation/db/database.ts'

/** What an invariant found: the row that breaks it, and both values in words. */
export type Violation = { readonly invariant: string; readonly subject: string; readonly detail: string }

type Found = { readonly subject: string; readonly expected: string | number; readonly actual: string | number }

/**
 * What must hold in the books at any moment, also while payments are under way. The database itself refuses what one
 * row shows, such as a total that is not its net amount and its tax. Each statement selects the rows that
 * break its invariant, so that it reads millions of rows where they are.
 */
const invariants: Readonly<Record<string, RawBuilder<Found>>> = {
  'The items of an order add up to its subtotal': sql`
    select bill.id as subject, bill.subtotal_amount as expected, coalesce(sum(item.amount), 0) as actual
    from "order" as bill left join order_item as item on item.order_id = bill.id
    group by bill.id, bill.subtotal_amount having bill.subtotal_amount <> coalesce(sum(item.amount), 0)`,
  'The taxes of an order’s items add up to its tax': sql`
    select bill.id as subject, bill.tax_amount as expected, coalesce(sum(item.tax_amount), 0) as actual
    from "order" as bill left join order_item as item on item.order_id = bill.id
    group by bill.id, bill.tax_amount having bill.tax_amount <> coalesce(sum(item.tax_amount), 0)`,
  'The payments of a paid order add up to its total': sql`
    select bill.id as subject, bill.total_amount + bill.applied_balance_amount as expected,
      coalesce(sum(paid.amount), 0) as actual
    from "order" as bill left join payment_allocation as paid on paid.order_id = bill.id
    where bill.status in ('paid', 'partially_refunded', 'refunded') and bill.total_amount >= 0
    group by bill.id, bill.total_amount, bill.applied_balance_amount
    having bill.total_amount + bill.applied_balance_amount <> coalesce(sum(paid.amount), 0)`,
  'A payment is allocated whole, and only where it succeeded': sql`
    select * from (
      select id as subject, case when status = 'succeeded' then amount else 0 end as expected,
        coalesce((select sum(amount) from payment_allocation where payment_id = payment.id), 0)
          + coalesce((select sum(amount) from customer_balance_entry where payment_id = payment.id), 0) as actual
      from payment where purpose = 'charge') as allocated
    where expected <> actual`,
  'An order has one currency, as have its prices, payments and refunds': sql`
    select bill.id as subject, bill.currency as expected, other.currency as actual
    from "order" as bill join (
      select item.order_id, price.price_currency as currency
      from order_item as item join product_price as price on price.id = item.product_price_id
      union select paid.order_id, payment.currency
      from payment_allocation as paid join payment on payment.id = paid.payment_id
      union select order_id, currency from refund) as other on other.order_id = bill.id
    where other.currency <> bill.currency`,
  'A subscription has one currency, as have its prices': sql`
    select subscription.id as subject, subscription.currency as expected, item.currency as actual
    from subscription join subscription_item as item on item.subscription_id = subscription.id
    where item.currency <> subscription.currency`,
  'The discounts of an order’s items add up to its discount': sql`
    select bill.id as subject, bill.discount_amount as expected, coalesce(sum(item.discount_amount), 0) as actual
    from "order" as bill left join order_item as item on item.order_id = bill.id
    group by bill.id, bill.discount_amount having bill.discount_amount <> coalesce(sum(item.discount_amount), 0)`,
  'What an order took from the balance, or gave to it, is in the ledger': sql`
    select bill.id as subject,
      case when bill.total_amount < 0 then -bill.total_amount else bill.applied_balance_amount end as expected,
      coalesce(sum(entry.amount), 0) as actual
    from "order" as bill
    left join customer_balance_entry as entry on entry.order_id = bill.id and entry.refund_id is null
    where bill.status <> 'draft'
    group by bill.id, bill.total_amount, bill.applied_balance_amount
    having coalesce(sum(entry.amount), 0)
      <> case when bill.total_amount < 0 then -bill.total_amount else bill.applied_balance_amount end`,
  'An order with an invoice has its number': sql`
    select id as subject, 'a number' as expected, 'none' as actual from "order"
    where invoice_issued_at is not null and invoice_number is null`,
  'The count of an organization’s orders is their number': sql`
    select merchant.organization_id as subject,
      (select count(*) from "order" where "order".organization_id = merchant.organization_id
        and "order".status <> 'draft') as expected,
      coalesce((select sum(orders) from order_count where order_count.organization_id = merchant.organization_id), 0)
        as actual
    from merchant
    where (select count(*) from "order" where "order".organization_id = merchant.organization_id
        and "order".status <> 'draft')
      <> coalesce((select sum(orders) from order_count where order_count.organization_id = merchant.organization_id), 0)`,
  'A checkout that has succeeded has one order, and others have none': sql`
    select checkout.id as subject, case when checkout.status = 'succeeded' then 1 else 0 end as expected,
      count(bill.id) as actual
    from checkout left join "order" as bill on bill.checkout_id = checkout.id
    group by checkout.id, checkout.status
    having count(bill.id) <> case when checkout.status = 'succeeded' then 1 else 0 end`,
  'What an order counts as refunded is what its refunds gave back': sql`
    select bill.id as subject, bill.refunded_amount + bill.refunded_tax_amount as expected,
      coalesce(sum(back.amount + back.tax_amount), 0) as actual
    from "order" as bill left join refund as back on back.order_id = bill.id and back.status = 'succeeded'
    group by bill.id, bill.refunded_amount, bill.refunded_tax_amount
    having bill.refunded_amount <> coalesce(sum(back.amount), 0)
      or bill.refunded_tax_amount <> coalesce(sum(back.tax_amount), 0)`,
  'An order gives back at most what it cost': sql`
    select bill.id as subject, bill.net_amount + bill.tax_amount as expected,
      sum(back.amount + back.tax_amount) as actual
    from "order" as bill join refund as back on back.order_id = bill.id and back.status in ('succeeded', 'pending')
    group by bill.id, bill.net_amount, bill.tax_amount
    having sum(back.amount) > bill.net_amount or sum(back.tax_amount) > bill.tax_amount`,
  'A payment gives back at most what it took': sql`
    select payment.id as subject, payment.amount as expected,
      sum(back.amount + back.tax_amount - back.balance_amount) as actual
    from payment join refund as back on back.payment_id = payment.id and back.status = 'succeeded'
    group by payment.id, payment.amount
    having sum(back.amount + back.tax_amount - back.balance_amount) > payment.amount`,
  'The status of an order follows its refunds': sql`
    select id as subject, refunded_amount + refunded_tax_amount as expected, status as actual from "order"
    where (status = 'paid' and refunded_amount + refunded_tax_amount <> 0)
      or (status = 'refunded' and (refunded_amount <> net_amount or refunded_tax_amount <> tax_amount))
      or (status = 'partially_refunded' and (refunded_amount + refunded_tax_amount = 0
        or (refunded_amount = net_amount and refunded_tax_amount = tax_amount)))`,
  'A discount counts each of its redemptions': sql`
    select discount.id as subject, discount.redemptions_count as expected, count(used.discount_id) as actual
    from discount left join discount_redemption as used on used.discount_id = discount.id
    group by discount.id, discount.redemptions_count having discount.redemptions_count <> count(used.discount_id)`,
  'A job looks after each pending payment': sql`
    select payment.id as subject, 'a job' as expected, 'none' as actual from payment
    where status = 'pending' and not exists
      (select 1 from job where job.kind in ('reconcile-payment', 'charge-payment') and job.payload = payment.id)`,
  'A job looks after each open invoice until it is overdue': sql`
    select bill.id as subject, 'a job' as expected, 'none' as actual from "order" as bill
    where bill.status = 'pending' and bill.due_at is not null and bill.due_notice < 3 and not exists
      (select 1 from job where job.kind = 'collect-invoice' and job.payload = bill.id)`,
  'A job looks after each pending refund': sql`
    select refund.id as subject, 'a job' as expected, 'none' as actual from refund
    where status = 'pending' and not exists
      (select 1 from job where job.kind = 'reconcile-refund' and job.payload = refund.id)`,
}

/** The names of all invariants of rows. */
export const rowInvariants: readonly string[] = Object.keys(invariants)

/** The first rows that break each invariant. */
export async function brokenRows(db: Db, mostOfEach: number): Promise<Violation[]> {
  const violations: Violation[] = []
  for (const [invariant, statement] of Object.entries(invariants)) {
    const { rows } = await sql<Found>`select * from (${statement}) as broken limit ${mostOfEach}`.execute(db)
    for (const { subject, expected, actual } of rows)
      violations.push({ invariant, subject, detail: `${actual}, and not ${expected}` })
  }
  return violations
}

/** Numbers that one statement reads: an installation may have millions. */
const slice = 5_000

/** All invoice numbers of a seller. */
export const invoiceNumbers = (db: Db, organizationId: Id<'organization'>) =>
  allInSlices((last) =>
    db
      .selectFrom('order')
      .select((is) => is.ref('invoiceNumber').$notNull().as('number'))
      .where('organizationId', '=', organizationId)
      .where('invoiceNumber', 'is not', null)
      .$if(last !== undefined, (query) => query.where('invoiceNumber', '>', last!))
      .orderBy('invoiceNumber')
      .limit(slice)
      .execute(),
  )

/** All numbers of a seller's credit notes: those of refunds, and those of voided orders. */
export const creditNoteNumbers = async (db: Db, organizationId: Id<'organization'>) =>
  (await Promise.all((['refund', 'order'] as const).map((of) => creditNotesOf(db, organizationId, of)))).flat()

const creditNotesOf = (db: Db, organizationId: Id<'organization'>, of: 'refund' | 'order') =>
  allInSlices((last) =>
    db
      .selectFrom(of)
      .select((is) => is.ref('creditNoteNumber').$notNull().as('number'))
      .where('organizationId', '=', organizationId)
      .where('creditNoteNumber', 'is not', null)
      .$if(last !== undefined, (query) => query.where('creditNoteNumber', '>', last!))
      .orderBy('creditNoteNumber')
      .limit(slice)
      .execute(),
  )

async function allInSlices(read: (last?: string) => Promise<readonly { readonly number: string }[]>) {
  const numbers: string[] = []
  for (;;) {
    const rows = await read(numbers.at(-1))
    for (const { number } of rows) numbers.push(number)
    if (rows.length < slice) return numbers
  }
}
