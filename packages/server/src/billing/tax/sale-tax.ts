import { isDeepStrictEqual } from 'node:util'
import type { Product } from '@tollgate/contract/billing-types'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/database.ts'
import type { Address } from '../customer/address.ts'
import { checkedTaxId } from '../customer/tax-id.ts'
import { readSellersTax } from './tax-settings.ts'
import { noTax, type Taxes, type TaxQuote, unknownTax } from './taxes.ts'

/** What is sold at a checkout, to whom, for how much without discounts. */
export type TaxedSale = {
  readonly organizationId: string
  readonly address: Address | null
  readonly isBusiness: boolean
  readonly taxId: string | null
  readonly product: Pick<Product, 'id' | 'isTaxExempt'>
  readonly netAmount: number
  readonly currency: string
}

/**
 * The tax on it (CHK-3): unknown as long as nobody knows where the buyer is, none where there is nothing to pay.
 *
 * @param before the sale as it was, with the tax that was on it
 */
export async function quoteSale(
  { ctx, db, taxes }: { readonly ctx: Pick<Context, 'config' | 'tax'>; readonly db: Db; readonly taxes: Taxes },
  sale: TaxedSale,
  before: { readonly sale: TaxedSale; readonly quote: TaxQuote },
): Promise<TaxQuote> {
  const { organizationId, address, isBusiness, taxId, product, netAmount, currency } = sale
  if (netAmount === 0) return noTax
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
    lines: [{ productId: product.id, amount: netAmount, isTaxExempt: product.isTaxExempt }],
    currency,
  })
}
