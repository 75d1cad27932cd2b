import type { SaleTax } from '@tollgate/contract/billing-types'
import { useMessages, useTollgateContext } from '../../provider.tsx'
import { LedgerLine } from './checkout-parts.tsx'
import { usePriceTexts } from './price-text.ts'

type TaxLine = SaleTax['lines'][number]

/**
 * The taxes of a ledger with their percentages, or why there is none. `places` reserves that many lines, so that
 * nothing below moves.
 */
export function TaxLines({
  tax,
  taxAmount,
  currency,
  unknown,
  reasons = true,
  mentionsNone = true,
  places = 1,
}: {
  tax: SaleTax | null
  taxAmount: number | null
  currency: string
  /** Shown instead of an unknown amount. */
  unknown?: string
  /** Whether to explain a missing tax here. */
  reasons?: boolean
  /** Whether a tax of nothing has a line, too. Without one, its space stays empty. */
  mentionsNone?: boolean
  places?: number
}) {
  const texts = useMessages('checkout')
  const { money } = usePriceTexts()
  const nameOf = useTaxName()
  const lines = tax?.lines ?? []
  const reasonTexts: Partial<Record<SaleTax['treatment'], string>> = {
    reverse_charge: texts.reverseCharge,
    exempt: texts.taxExempt,
  }
  const reason = reasons && tax ? reasonTexts[tax.treatment] : undefined
  const isSilent = !mentionsNone && lines.length === 0 && taxAmount === 0 && reason === undefined
  const empty = Math.max(0, places - Math.max(isSilent ? 0 : 1, lines.length))
  return (
    <>
      {isSilent ? null : lines.length === 0 ? (
        <LedgerLine label={reason ?? texts.tax} look="quiet">
          {taxAmount === null ? unknown : money(taxAmount, currency)}
        </LedgerLine>
      ) : (
        lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two taxes may be called the same
          <LedgerLine key={index} label={nameOf(line)} look="quiet">
            {money(line.amount, currency)}
          </LedgerLine>
        ))
      )}
      {empty > 0 ? (
        <LedgerLine label="" look="quiet" empty>
          {''}
        </LedgerLine>
      ) : null}
    </>
  )
}

/** "VAT 19%": the tax's name in the page's language if it is a common one. */
function useTaxName(): (line: TaxLine) => string {
  const { locale } = useTollgateContext()
  const texts = useMessages('checkout')
  const names: Readonly<Record<string, string>> = {
    VAT: texts.vat,
    'Sales tax': texts.salesTax,
    'Consumption tax': texts.consumptionTax,
  }
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 4 })
  return ({ name, percent: rate }) => `${names[name] ?? name} ${percent.format(Number(rate) / 100)}`
}
