import type { SaleTax } from '@tollgate/contract/billing-types'
import { type NetAndTax, shareOf, split } from '../money.ts'

/** What an earlier credit note gave back. */
export type GivenBack = { readonly netAmount: number; readonly tax: SaleTax | null }

/**
 * The taxes that a refund gives back; their amounts sum to the refund's tax. Each is a share of what earlier credit
 * notes left of that tax. In the end every tax is given back exactly, because two taxes may belong to two authorities.
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
