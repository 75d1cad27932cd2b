import type { Address, SaleTax } from '@tollgate/contract/billing-types'
import type { CsvColumns } from '../../../foundation/csv.ts'
import { decimalText } from '../../../foundation/money-text.ts'
import { shareOfTax } from '../documents/credit-note-tax.ts'
import type { DocumentContent } from '../documents/drawing/document-content.ts'
import type {
  ExportedCheckoutLink,
  ExportedCustomer,
  ExportedCustomField,
  ExportedDiscount,
  ExportedDispute,
  ExportedMeter,
  ExportedOrder,
  ExportedPayment,
  ExportedProduct,
  ExportedRefund,
  ExportedSubscription,
} from './export.repository.ts'

/** The columns of bookkeeping exports. */

const time = (value: Date | null): string => value?.toISOString() ?? ''
const flag = (value: boolean): string => String(value)

/** An amount in two columns: as in the API, and as a decimal. */
const amount = <Row extends { readonly currency: string }>(
  heading: string,
  of: (row: Row) => number,
): CsvColumns<Row> => [
  [heading, (row) => String(of(row))],
  [`${heading}_decimal`, (row) => decimalText(of(row), row.currency)],
]

/** The buyer's address, as far as tax returns need it: US returns are by city and postal code too. */
const addressColumns = <Row>(of: (row: Row) => Address | null): CsvColumns<Row> => [
  ['billing_country', (row) => of(row)?.country ?? ''],
  ['billing_state', (row) => of(row)?.state ?? ''],
  ['billing_city', (row) => of(row)?.city ?? ''],
  ['billing_postal_code', (row) => of(row)?.postalCode ?? ''],
]

const snapshotOf = ({ snapshot }: ExportedOrder) => snapshot
const addressOf = ({ billingAddress }: ExportedOrder) => billingAddress

/** The name as invoices show it: for a customer with an unverified address, only what was entered at the checkout. */
const taxIdOf = (row: ExportedOrder): string =>
  row.customerTaxId ?? (row.isBuyerKnown === false ? undefined : snapshotOf(row).customer.taxId?.[0]) ?? ''

/** Whether no real money moved; empty if no money was due. */
const testColumn: CsvColumns<{ readonly isTest: boolean | null }>[number] = [
  'is_test',
  ({ isTest }) => (isTest === null ? '' : flag(isTest)),
]

/**
 * How a sale was taxed, as tax returns need it. Nearly always one tax; two taxes, as in Quebec, share each column in
 * the same order.
 */
function taxColumns<Row extends { readonly currency: string }>(taxOf: (row: Row) => SaleTax | null): CsvColumns<Row> {
  const column = (
    heading: string,
    of: (line: SaleTax['lines'][number], row: Row) => string,
  ): CsvColumns<Row>[number] => [heading, (row) => (taxOf(row)?.lines ?? []).map((line) => of(line, row)).join('; ')]
  return [
    ['tax_treatment', (row) => taxOf(row)?.treatment ?? ''],
    column('tax_names', ({ name }) => name),
    column('tax_places', ({ country, state }) => state ?? country),
    column('tax_percents', ({ percent }) => percent),
    column('taxable_amounts', ({ taxableAmount }) => String(taxableAmount)),
    column('taxable_amounts_decimal', (line, { currency }) => decimalText(line.taxableAmount, currency)),
    column('tax_amounts', (line) => String(line.amount)),
    column('tax_amounts_decimal', (line, { currency }) => decimalText(line.amount, currency)),
  ]
}

export const customerColumns: CsvColumns<ExportedCustomer> = [
  ['id', ({ id }) => id],
  ['created_at', ({ createdAt }) => time(createdAt)],
  ['email', ({ email }) => email],
  ['name', ({ name }) => name ?? ''],
  ['external_id', ({ externalId }) => externalId ?? ''],
  ...addressColumns<ExportedCustomer>(({ billingAddress }) => billingAddress),
]

export const orderColumns: CsvColumns<ExportedOrder> = [
  ['id', ({ id }) => id],
  ['created_at', ({ createdAt }) => time(createdAt)],
  ['paid_at', ({ paidAt }) => time(paidAt)],
  ['invoice_number', ({ invoiceNumber }) => invoiceNumber ?? ''],
  ['invoice_issued_at', ({ invoiceIssuedAt }) => time(invoiceIssuedAt)],
  ['status', ({ status }) => status],
  ['billing_reason', ({ billingReason }) => billingReason],
  ['product', (row) => snapshotOf(row).product.name],
  ['customer_email', (row) => snapshotOf(row).customer.email],
  ['customer_name', (row) => snapshotOf(row).customer.name ?? ''],
  ['billing_name', ({ billingName }) => billingName ?? ''],
  ...addressColumns(addressOf),
  ['tax_id', taxIdOf],
  ['discount', (row) => snapshotOf(row).discount?.name ?? ''],
  ['currency', ({ currency }) => currency],
  ...amount<ExportedOrder>('subtotal_amount', (row) => row.subtotalAmount),
  ...amount<ExportedOrder>('discount_amount', (row) => row.discountAmount),
  ...amount<ExportedOrder>('net_amount', (row) => row.netAmount),
  ...amount<ExportedOrder>('tax_amount', (row) => row.taxAmount),
  ...taxColumns<ExportedOrder>(({ tax }) => tax),
  ...amount<ExportedOrder>('total_amount', (row) => row.totalAmount),
  ...amount<ExportedOrder>('refunded_amount', (row) => row.refundedAmount),
  ...amount<ExportedOrder>('refunded_tax_amount', (row) => row.refundedTaxAmount),
  testColumn,
  ['customer_id', ({ customerId }) => customerId],
  ['product_id', ({ productId }) => productId],
  ['subscription_id', ({ subscriptionId }) => subscriptionId ?? ''],
  ['checkout_id', ({ checkoutId }) => checkoutId ?? ''],
  ['due_at', ({ dueAt }) => time(dueAt)],
  ['voided_at', ({ voidedAt }) => time(voidedAt)],
  // That of a refund is in the table of refunds.
  ['credit_note_number', ({ creditNoteNumber }) => creditNoteNumber ?? ''],
]

export const paymentColumns: CsvColumns<ExportedPayment> = [
  ['id', ({ id }) => id],
  ['created_at', ({ createdAt }) => time(createdAt)],
  ['settled_at', ({ settledAt }) => time(settledAt)],
  ['status', ({ status }) => status],
  ['processor', ({ processor }) => processor],
  ['processor_reference', ({ processorReference }) => processorReference ?? ''],
  ['method', ({ method }) => method],
  ['decline_reason', ({ declineReason }) => declineReason ?? ''],
  ['customer_email', ({ customerEmail }) => customerEmail ?? ''],
  ['invoice_number', ({ invoiceNumber }) => invoiceNumber ?? ''],
  ['currency', ({ currency }) => currency],
  ...amount<ExportedPayment>('amount', (row) => row.amount),
  testColumn,
  ['order_id', ({ orderId }) => orderId ?? ''],
  ['customer_id', ({ customerId }) => customerId ?? ''],
  ['checkout_id', ({ checkoutId }) => checkoutId ?? ''],
]

/** A credit note counts as long as its money has not come back. */
const isVoid = ({ status }: ExportedRefund): boolean => status !== 'succeeded'

/** A refund with the content of its credit note; empty for a refund that has not succeeded. */
export type RefundWithNote = ExportedRefund & { readonly note: DocumentContent | null }

export const refundColumns: CsvColumns<RefundWithNote> = [
  ['id', ({ id }) => id],
  ['created_at', ({ createdAt }) => time(createdAt)],
  ['settled_at', ({ settledAt }) => time(settledAt)],
  ['credit_note_number', ({ creditNoteNumber }) => creditNoteNumber ?? ''],
  ['credit_note_void', (row) => (row.creditNoteNumber === null ? '' : flag(isVoid(row)))],
  ['credit_note_issued_at', ({ note }) => note?.issuedAt ?? ''],
  ['invoice_number', ({ invoiceNumber }) => invoiceNumber ?? ''],
  ['status', ({ status }) => status],
  ['reason', ({ reason }) => reason],
  ['comment', ({ comment }) => comment ?? ''],
  ['failure_reason', ({ failureReason }) => failureReason ?? ''],
  ['customer_email', ({ customerEmail }) => customerEmail ?? ''],
  ['billing_name', ({ note }) => note?.buyer.name ?? ''],
  ...addressColumns<RefundWithNote>(({ note }) => note?.buyer.address ?? null),
  ['tax_id', ({ note }) => note?.buyer.taxId ?? ''],
  ['currency', ({ currency }) => currency],
  ...amount<RefundWithNote>('amount', (row) => row.amount),
  ...amount<RefundWithNote>('tax_amount', (row) => row.taxAmount),
  ...taxColumns<RefundWithNote>(({ note }) => note?.tax ?? null),
  ...amount<RefundWithNote>('total_amount', (row) => row.amount + row.taxAmount),
  testColumn,
  ['processor', ({ processor }) => processor],
  ['processor_reference', ({ processorReference }) => processorReference ?? ''],
  ['order_id', ({ orderId }) => orderId],
  ['customer_id', ({ customerId }) => customerId],
  ['payment_id', ({ paymentId }) => paymentId],
]

const isDecided = ({ status }: ExportedDispute): boolean => status === 'won' || status === 'lost'

/** No document splits a chargeback by tax: each tax gets the share that a refund of the same amount would give back. */
const disputedTax = (row: ExportedDispute): SaleTax | null => {
  const { tax } = row
  return tax && shareOfTax(tax, row.netAmount ?? 0, [], row)
}

export const disputeColumns: CsvColumns<ExportedDispute> = [
  ['id', ({ id }) => id],
  ['created_at', ({ createdAt }) => time(createdAt)],
  ['evidence_due_by', ({ evidenceDueBy }) => time(evidenceDueBy)],
  ['decided_at', (row) => (isDecided(row) ? time(row.modifiedAt ?? row.createdAt) : '')],
  ['status', ({ status }) => status],
  ['reason', ({ reason }) => reason ?? ''],
  ['invoice_number', ({ invoiceNumber }) => invoiceNumber ?? ''],
  ['customer_email', ({ customerEmail }) => customerEmail ?? ''],
  ['currency', ({ currency }) => currency],
  ...amount<ExportedDispute>('amount', (row) => row.amount),
  ...amount<ExportedDispute>('tax_amount', (row) => row.taxAmount),
  ...taxColumns<ExportedDispute>(disputedTax),
  ...amount<ExportedDispute>('total_amount', (row) => row.amount + row.taxAmount),
  testColumn,
  ['processor', ({ processor }) => processor],
  ['processor_reference', ({ processorReference }) => processorReference],
  ['order_id', ({ orderId }) => orderId],
  ['customer_id', ({ customerId }) => customerId],
  ['payment_id', ({ paymentId }) => paymentId],
]

export const subscriptionColumns: CsvColumns<ExportedSubscription> = [
  ['id', ({ id }) => id],
  ['created_at', ({ createdAt }) => time(createdAt)],
  ['status', ({ status }) => status],
  ['product', ({ productName }) => productName ?? ''],
  ['customer_email', ({ customerEmail }) => customerEmail ?? ''],
  ['customer_name', ({ customerName }) => customerName ?? ''],
  ['currency', ({ currency }) => currency],
  ...amount<ExportedSubscription>('amount', (row) => row.amount),
  ['quantity', ({ quantity }) => String(quantity)],
  ['recurring_interval', ({ recurringInterval }) => recurringInterval],
  ['started_at', ({ startedAt }) => time(startedAt)],
  ['current_period_start', ({ currentPeriodStart }) => time(currentPeriodStart)],
  ['current_period_end', ({ currentPeriodEnd }) => time(currentPeriodEnd)],
  ['cancel_at_period_end', ({ cancelAtPeriodEnd }) => flag(cancelAtPeriodEnd)],
  ['canceled_at', ({ canceledAt }) => time(canceledAt)],
  ['ends_at', ({ endsAt }) => time(endsAt)],
  ['ended_at', ({ endedAt }) => time(endedAt)],
  ['customer_id', ({ customerId }) => customerId],
  ['product_id', ({ productId }) => productId],
  ['discount_id', ({ discountId }) => discountId ?? ''],
  ['collection_method', ({ collectionMethod }) => collectionMethod],
  ['net_terms_days', ({ netTermsDays }) => integer(netTermsDays)],
]

const integer = (value: number | null): string => (value === null ? '' : String(value))

/** An amount that a row may be without, in two columns like any other. */
const possibleAmount = <Row>(
  heading: string,
  of: (row: Row) => { readonly amount: number | null; readonly currency: string | null },
): CsvColumns<Row> => [
  [heading, (row) => integer(of(row).amount)],
  [
    `${heading}_decimal`,
    (row) => {
      const { amount, currency } = of(row)
      return amount === null || currency === null ? '' : decimalText(amount, currency)
    },
  ],
]

export const productColumns: CsvColumns<ExportedProduct> = [
  ['id', ({ id }) => id],
  ['created_at', ({ createdAt }) => time(createdAt)],
  ['name', ({ name }) => name],
  ['description', ({ description }) => description ?? ''],
  ['recurring_interval', ({ recurringInterval }) => recurringInterval ?? ''],
  ['price_type', ({ priceType }) => priceType ?? ''],
  ['price_currency', ({ priceCurrency }) => priceCurrency ?? ''],
  ...possibleAmount<ExportedProduct>('price_amount', ({ priceAmount, priceCurrency }) => ({
    amount: priceAmount,
    currency: priceCurrency,
  })),
  ['is_archived', ({ isArchived }) => flag(isArchived)],
  ['is_tax_exempt', ({ isTaxExempt }) => flag(isTaxExempt)],
]

export const discountColumns: CsvColumns<ExportedDiscount> = [
  ['id', ({ id }) => id],
  ['created_at', ({ createdAt }) => time(createdAt)],
  ['name', ({ name }) => name],
  ['code', ({ code }) => code ?? ''],
  ['type', ({ type }) => type],
  ['basis_points', ({ basisPoints }) => integer(basisPoints)],
  ['currency', ({ currency }) => currency ?? ''],
  ...possibleAmount<ExportedDiscount>('amount', ({ amount, currency }) => ({ amount, currency })),
  ['duration', ({ duration }) => duration],
  ['duration_in_months', ({ durationInMonths }) => integer(durationInMonths)],
  ['starts_at', ({ startsAt }) => time(startsAt)],
  ['ends_at', ({ endsAt }) => time(endsAt)],
  ['max_redemptions', ({ maxRedemptions }) => integer(maxRedemptions)],
  ['redemptions_count', ({ redemptionsCount }) => integer(redemptionsCount)],
]

export const customFieldColumns: CsvColumns<ExportedCustomField> = [
  ['id', ({ id }) => id],
  ['created_at', ({ createdAt }) => time(createdAt)],
  ['name', ({ name }) => name],
  ['slug', ({ slug }) => slug],
  ['type', ({ type }) => type],
]

export const meterColumns: CsvColumns<ExportedMeter> = [
  ['id', ({ id }) => id],
  ['created_at', ({ createdAt }) => time(createdAt)],
  ['name', ({ name }) => name],
  ['aggregation', ({ aggregation }) => aggregation.func],
]

/** A link's secret is its address, which anyone may open. */
export const checkoutLinkColumns = (
  urlOf: (link: ExportedCheckoutLink) => string,
): CsvColumns<ExportedCheckoutLink> => [
  ['id', ({ id }) => id],
  ['created_at', ({ createdAt }) => time(createdAt)],
  ['label', ({ label }) => label ?? ''],
  ['url', urlOf],
  ['success_url', ({ successUrl }) => successUrl ?? ''],
  ['allow_discount_codes', ({ allowDiscountCodes }) => flag(allowDiscountCodes)],
]
