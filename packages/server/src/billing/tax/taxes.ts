import type { SaleTax } from '@tollgate/contract/billing-types'
import type { Context } from '../../context.ts'
import { TollgateError } from '../../error.ts'
import { sumOf, type TaxAsked } from './tax-rules.ts'

/** A tax, or that it is not known yet: then the amount is null. Nothing is said of a sale that nobody was asked about. */
export type TaxQuote = { readonly taxAmount: number | null; readonly tax: SaleTax | null }

export const unknownTax: TaxQuote = { taxAmount: null, tax: null }
export const noTax: TaxQuote = { taxAmount: 0, tax: null }

export type Taxes = {
  /** Answers at once, inside a transaction, too. */
  of(asked: TaxAsked): TaxQuote
  /** Whether what was said of a sale before is good enough as long as nothing about the sale changes. */
  readonly keeps: boolean
}

/** A tax that has to be asked for elsewhere before the work is done again. */
class TaxNotQuoted extends Error {
  override readonly name = 'TaxNotQuoted'
  readonly asked: TaxAsked
  constructor(asked: TaxAsked) {
    super('the tax on a sale has not been asked for yet')
    this.asked = asked
  }
}

/** How often a piece of work is done at most, where each time it wants to know the tax on another sale. */
const mostRounds = 3

/**
 * Does work that wants to know taxes, such as a transaction. Where only somebody else can say one, the work is given up, they
 * are asked, outside of every transaction, and it is done again. Who does not answer, is refused with SERVICE_UNAVAILABLE
 * where the tax is needed; else it stays unknown.
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
      // Each answer is paid for, and waited for: while somebody types their name, none is asked for.
      return await work({ of, keeps: need === 'wanted' })
    } catch (error) {
      if (!(error instanceof TaxNotQuoted)) throw error
      if (round > mostRounds) throw new TollgateError('SERVICE_UNAVAILABLE', { cause: error })
      const key = JSON.stringify(error.asked)
      try {
        quotes.set(key, quoteOf(await provider.taxOn(error.asked)))
      } catch (cause) {
        log.error({ err: cause }, 'nobody has said what tax is on a sale')
        if (need === 'required') throw new TollgateError('SERVICE_UNAVAILABLE', { cause })
        quotes.set(key, unknownTax)
      }
    }
  }
}

const quoteOf = (tax: SaleTax | undefined): TaxQuote => (tax ? { taxAmount: sumOf(tax), tax } : unknownTax)
