import type { SaleTax } from '@tollgate/contract/billing-types'
import { shareOf, split } from '../money.ts'
import type { NetAndTax } from '../refund/refund-rules.ts'

/** What a credit note says was given back before. */
export type GivenBack = { readonly netAmount: number; readonly tax: SaleTax | null }

/**
 * The taxes of a sale as far as they are given back: their amounts sum to the refund's. Each is a share of what earlier credit
 * notes have left of it, so that in the end every tax was given back as it was taken: two of them may go to two authorities.
 */
export function shareOfTax(
  { treatment, lines }: SaleTax,
  netAmount: number,
  before: readonly GivenBack[],
  { amount, taxAmount }: NetAndTax,
): SaleTax {
  const left = (member: 'amount' | 'taxableAmount') =>
    lines.map((line, at) => before.reduce((rest, { tax }) => rest - (tax?.lines[at]?.[member] ?? 0), line[member]))
  const netLeft = before.reduce((rest, each) => rest - each.netAmount, netAmount)
  const amounts = split(taxAmount, left('amount'))
  const taxable = left('taxableAmount').map((each) => shareOf(each, amount, netLeft))
  return { treatment, lines: lines.map((line, at) => ({ ...line, taxableAmount: taxable[at]!, amount: amounts[at]! })) }
}
