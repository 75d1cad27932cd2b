import type { SaleTax, TaxBehavior } from '@tollgate/contract/billing-types'
import type { Id } from '../../../foundation/db/database.ts'
import { split, sumOf } from '../money.ts'

/**
 * Computes what an order costs: pure, from its lines alone, in whole minor units. Checkouts, renewals, changes and every
 * preview call it, so that a quote equals the order that follows.
 */

/** The period that a line charges for. */
export type LinePeriod = { readonly start: Date; readonly end: Date }

/** A line to charge, before discounts. A credit is negative. */
export type OrderLine = {
  readonly kind: 'price' | 'proration' | 'usage' | 'seats'
  readonly label: string
  readonly quantity: number
  /** Decimal, in minor units; null where the amount is no multiple of it. */
  readonly unitAmount: string | null
  /** With its tax, if the order's prices contain it. */
  readonly amount: number
  readonly productId: Id<'product'>
  readonly productPriceId: Id<'productPrice'> | null
  readonly isTaxExempt: boolean
  /** Prorations are net of their discount already (ORD-5). */
  readonly isDiscountable: boolean
  readonly period: LinePeriod | null
}

/** A tax; `taxAmount` is null while it is unknown. `tax` is null if no provider was asked. */
export type TaxQuote = { readonly taxAmount: number | null; readonly tax: SaleTax | null }

export type OrderInputs = {
  readonly currency: string
  /** Whether the lines' amounts contain their tax. */
  readonly taxBehavior: TaxBehavior
  readonly lines: readonly OrderLine[]
  /** The reduction of a base, such as `discountOn` of a discount's terms; undefined without a discount. */
  readonly discountOn: ((base: number) => number) | undefined
  /** The tax on `taxRequest` of the same inputs; undefined before it is asked for. */
  readonly tax: TaxQuote | undefined
  /** What the customer has to their credit in this currency; negative is a debt (SUB-30). */
  readonly balance: number
}

/** A line after discount and tax. Amounts exclude tax. */
export type ComputedItem = Omit<OrderLine, 'isDiscountable' | 'isTaxExempt'> & {
  readonly discountAmount: number
  readonly taxAmount: number
}

/** A line of the question to a tax provider: net of discounts, with the tax if the prices contain it. */
export type TaxRequestLine = {
  readonly productId: Id<'product'>
  readonly amount: number
  readonly isTaxExempt: boolean
}

/** The identities of ORD-2 hold: net = subtotal − discount, total = net + tax. */
export type OrderTotals = {
  readonly subtotalAmount: number
  readonly discountAmount: number
  readonly netAmount: number
  /** Null while unknown. */
  readonly taxAmount: number | null
  readonly totalAmount: number
}

export type ComputedOrder = {
  readonly items: readonly ComputedItem[]
  readonly totals: OrderTotals
  readonly tax: SaleTax | null
  readonly taxRequest: readonly TaxRequestLine[]
  /** `applied` is negative where credit pays, and positive where a debt is collected; `after` is what then remains. */
  readonly balance: { readonly applied: number; readonly after: number }
  readonly dueNow: number
}

export function computeOrder({ taxBehavior, lines, discountOn, tax, balance }: OrderInputs): ComputedOrder {
  // A line of zero bills nothing; an order has one only where all it has is free.
  const charged = lines.filter(({ amount, kind }) => amount !== 0 || kind !== 'proration')
  const discounts = discountsOf(charged, discountOn)
  const nets = charged.map(({ amount }, at) => amount - discounts[at]!)
  const taxRequest = charged.map(({ productId, isTaxExempt }, at) => ({ productId, isTaxExempt, amount: nets[at]! }))
  const taxes = taxesOf(charged, nets, tax?.taxAmount ?? 0)
  const items = charged.map((line, at) =>
    itemOf(line, { discount: discounts[at]!, net: nets[at]!, tax: taxes[at]!, taxBehavior }),
  )
  const totals = totalsOf(items, tax)
  return { items, totals, tax: tax?.tax ?? null, taxRequest, ...settled(totals.totalAmount, balance) }
}

/** The order's discount, spread over the lines that it applies to. */
function discountsOf(lines: readonly OrderLine[], discountOn: OrderInputs['discountOn']): number[] {
  if (!discountOn) return lines.map(() => 0)
  const bases = lines.map(({ amount, isDiscountable }) => (isDiscountable ? Math.max(0, amount) : 0))
  const base = sumOf(bases)
  return split(base === 0 ? 0 : discountOn(base), bases)
}

/** The order's tax, spread over its taxable lines (ORD-9). */
const taxesOf = (lines: readonly OrderLine[], nets: readonly number[], taxAmount: number): number[] =>
  split(
    taxAmount,
    nets.map((net, at) => (lines[at]!.isTaxExempt ? 0 : net)),
  )

type Parts = {
  readonly discount: number
  readonly net: number
  readonly tax: number
  readonly taxBehavior: TaxBehavior
}

/** Takes the tax out of a line whose price contains it, so that the amounts exclude tax in every order (SUB-34). */
function itemOf(line: OrderLine, { discount, net, tax, taxBehavior }: Parts): ComputedItem {
  const { isDiscountable: _, isTaxExempt: __, ...rest } = line
  if (taxBehavior === 'exclusive' || tax === 0) return { ...rest, discountAmount: discount, taxAmount: tax }
  const [taxBeforeDiscount = 0] = split(tax, [line.amount, net - line.amount])
  const amount = line.amount - taxBeforeDiscount
  return { ...rest, unitAmount: null, amount, discountAmount: amount - (net - tax), taxAmount: tax }
}

function totalsOf(items: readonly ComputedItem[], tax: TaxQuote | undefined): OrderTotals {
  const subtotalAmount = sumOf(items.map(({ amount }) => amount))
  const discountAmount = sumOf(items.map((item) => item.discountAmount))
  const netAmount = subtotalAmount - discountAmount
  const taxAmount = tax?.taxAmount ?? null
  return { subtotalAmount, discountAmount, netAmount, taxAmount, totalAmount: netAmount + (taxAmount ?? 0) }
}

/** Applies the balance to a total; a negative total is never paid out, but goes to the balance (ORD-6). */
function settled(total: number, balance: number): Pick<ComputedOrder, 'balance' | 'dueNow'> {
  if (total < 0) return { balance: { applied: 0, after: balance - total }, dueNow: 0 }
  const applied = balance > 0 ? -Math.min(balance, total) : total === 0 || balance === 0 ? 0 : -balance
  return { balance: { applied, after: balance + applied }, dueNow: total + applied }
}
