import type { SaleTax } from '@tollgate/contract/billing-types'
import type { Context } from '../../../foundation/context.ts'
import { TollgateError } from '../../../foundation/error.ts'
import type { TaxQuote } from '../engine/compute-order.ts'
import { sumOf, type TaxAsked } from './tax-rules.ts'

export const unknownTax: TaxQuote = { taxAmount: null, tax: null }
export const noTax: TaxQuote = { taxAmount: 0, tax: null }

export type Taxes = {
  /** Answers at once, so transactions may call it. */
  of(asked: TaxAsked): TaxQuote
  /** Whether an earlier quote holds as long as the sale does not change. */
  readonly keeps: boolean
}

/** Thrown when a tax must be fetched before the work runs again. */
class TaxNotQuoted extends Error {
  override readonly name = 'TaxNotQuoted'
  readonly asked: TaxAsked
  constructor(asked: TaxAsked) {
    super('the tax on a sale has not been fetched yet')
    this.asked = asked
  }
}

/** The most rounds, where each asks for the tax on another sale. */
const mostRounds = 3

/**
 * Runs work that needs taxes, such as a transaction. If the provider is a remote service, the work is rolled back, the
 * provider is called outside of every transaction, and the work runs again. If the provider fails, throws
 * SERVICE_UNAVAILABLE where the tax is required; otherwise the tax stays unknown.
 */
export async function withTaxes<T>(
  ctx: Pick<Context, 'tax' | 'log'>,
  need: 'required' | 'wanted',
  work: (taxes: Taxes) => Promise<T>,
): Promise<T> {
  const { tax: provider, log } = ctx
  if (provider.kind === 'none') return work({ of: () => noTax, keeps: false })
  if (provider.kind === 'pure') return work({ of: (asked) => quoteOf(provider.taxOn(asked)), keeps: false })

  const quotes = new Map<string, TaxQuote>()
  const of: Taxes['of'] = (asked) => {
    const quote = quotes.get(JSON.stringify(asked))
    if (!quote) throw new TaxNotQuoted(asked)
    return quote
  }
  for (let round = 1; ; round += 1) {
    try {
      // Each quote costs money and time: `keeps` avoids one per keystroke while the buyer types a name.
      return await work({ of, keeps: need === 'wanted' })
    } catch (error) {
      if (!(error instanceof TaxNotQuoted)) throw error
      if (round > mostRounds) throw new TollgateError('SERVICE_UNAVAILABLE', { cause: error })
      const key = JSON.stringify(error.asked)
      try {
        quotes.set(key, quoteOf(await provider.taxOn(error.asked)))
      } catch (cause) {
        log.error({ err: cause }, 'Tax provider failed')
        if (need === 'required') throw new TollgateError('SERVICE_UNAVAILABLE', { cause })
        quotes.set(key, unknownTax)
      }
    }
  }
}

const quoteOf = (tax: SaleTax | undefined): TaxQuote => (tax ? { taxAmount: sumOf(tax), tax } : unknownTax)
