import { isDeepStrictEqual } from 'node:util'
import type { TaxBehavior } from '@tollgate/contract/billing-types'
import type { Context } from '../../../foundation/context.ts'
import type { Db, Id } from '../../../foundation/db/database.ts'
import type { Address } from '../customer/address.ts'
import { checkedTaxId } from '../customer/tax-id.ts'
import type { TaxQuote, TaxRequestLine } from '../engine/compute-order.ts'
import { split, sumOf } from '../money.ts'
import { readSellersTax } from './tax-settings.ts'
import { noTax, type Taxes, unknownTax } from './taxes.ts'

/** A sale: its buyer, and its lines net of discounts. */
export type TaxedSale = {
  readonly organizationId: Id<'organization'>
  readonly address: Address | null
  readonly isBusiness: boolean
  readonly taxId: string | null
  readonly lines: readonly TaxRequestLine[]
  readonly currency: string
  readonly taxBehavior: TaxBehavior
}

/**
 * The tax on a sale (CHK-3): unknown until the buyer's location is known, none if nothing is to be paid.
 *
 * @param before the previous state of the sale, with its tax
 */
export async function quoteSale(
  { ctx, db, taxes }: { readonly ctx: Pick<Context, 'config' | 'tax'>; readonly db: Db; readonly taxes: Taxes },
  sale: TaxedSale,
  before: { readonly sale: TaxedSale; readonly quote: TaxQuote },
): Promise<TaxQuote> {
  const { organizationId, address, isBusiness, taxId, lines, currency, taxBehavior } = sale
  if (lines.every(({ amount }) => amount === 0)) return noTax
  if (!address) return unknownTax
  if (ctx.tax.kind === 'none') return noTax
  if (taxes.keeps && before.quote.taxAmount !== null && isDeepStrictEqual(sale, before.sale)) return before.quote
  const { country, state, city, postalCode, line1 } = address
  return taxes.of({
    seller: await readSellersTax(ctx, db, organizationId),
    buyer: {
      country,
      state,
      city,
      postalCode,
      line1,
      isBusiness,
      taxId: isBusiness && taxId !== null ? checkedTaxId(taxId, country) : null,
    },
    lines,
    currency,
    taxBehavior,
  })
}

/**
 * The tax on an order whose lines may be credits. Providers take no negative lines: the credits lower the other taxable
 * lines, and where the credits are greater, the tax on them is given back.
 */
export async function quoteOrder(work: Parameters<typeof quoteSale>[0], sale: TaxedSale): Promise<TaxQuote> {
  const taxable = sale.lines.filter(({ isTaxExempt }) => !isTaxExempt)
  const sum = sumOf(taxable.map(({ amount }) => amount))
  if (taxable.length > 0 && sum === 0) return noTax
  const sign = Math.sign(sum)
  const counted = taxable.length > 0 ? taxable.filter(({ amount }) => Math.sign(amount) === sign) : sale.lines
  const asked = split(
    Math.abs(sum),
    counted.map(({ amount }) => Math.abs(amount)),
  )
  const lines = taxable.length > 0 ? counted.map((line, at) => ({ ...line, amount: asked[at]! })) : positive(counted)
  const given = { ...sale, lines }
  const quote = await quoteSale(work, given, { sale: given, quote: unknownTax })
  return sign < 0 ? givenBack(quote) : quote
}

const positive = (lines: TaxedSale['lines']): TaxedSale['lines'] => lines.filter(({ amount }) => amount > 0)

const givenBack = ({ taxAmount, tax }: TaxQuote): TaxQuote => ({
  taxAmount: taxAmount === null ? null : 0 - taxAmount,
  tax: tax && {
    ...tax,
    lines: tax.lines.map((line) => ({ ...line, amount: 0 - line.amount, taxableAmount: 0 - line.taxableAmount })),
  },
})
