import type { PayLink as Due } from '@tollgate/contract/billing-types'
import { useState } from 'react'
import { useMessages, useText, useTollgateContext } from '../../provider.tsx'
import { FoldingTicket, LedgerLine, SellerLine } from './checkout-parts.tsx'
import { lineLabel } from './line-label.ts'
import { usePriceTexts } from './price-text.ts'

/** What a pay link asks for. On a narrow screen it folds to one line with the amount, as the ticket of a checkout does. */
export function DueTicket({ due }: { due: Due }) {
  const { organization: seller, description, dueAmount, currency } = due
  const texts = useMessages('checkout')
  const payLink = useMessages('payLink')
  const t = useText()
  const { money } = usePriceTexts()
  const [isOpen, setOpen] = useState(false)
  return (
    <FoldingTicket
      seller={seller}
      name={description}
      total={<strong suppressHydrationWarning>{money(dueAmount, currency)}</strong>}
      isOpen={isOpen}
      onFold={setOpen}
    >
      <SellerLine seller={seller}>{t(texts.soldBy, { seller: seller.name })}</SellerLine>
      <div data-tg="product">
        <h2 id="tg-product">{description}</h2>
        <InvoiceLine due={due} />
      </div>
      <section data-tg="summary" aria-labelledby="tg-summary">
        <h2 id="tg-summary" data-tg="visually-hidden">
          {texts.summary}
        </h2>
        <DueLines due={due} label={payLink.due} />
      </section>
    </FoldingTicket>
  )
}

/** The invoice that is paid, and when it is due. */
function InvoiceLine({ due: { invoiceNumber, dueAt } }: { due: Due }) {
  const texts = useMessages('payLink')
  const { locale } = useTollgateContext()
  const t = useText()
  if (dueAt === null) return null
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(dueAt))
  return (
    <p data-tg="hint" suppressHydrationWarning>
      {invoiceNumber === null ? t(texts.dueOn, { date }) : t(texts.invoiceDueOn, { number: invoiceNumber, date })}
    </p>
  )
}

/** The items, what is added to them and taken off, and the amount that is left. */
export function DueLines({ due, label }: { due: Due; label: string }) {
  const texts = useMessages('checkout')
  const payLink = useMessages('payLink')
  const { locale } = useTollgateContext()
  const { money } = usePriceTexts()
  const amount = (value: number) => money(value, due.currency)
  const { items, discountAmount, taxAmount, totalAmount, appliedBalanceAmount: applied, dueAmount, currency } = due
  return (
    <dl data-tg="ledger">
      {items.map((item, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items have no ids, and never change places
        <LedgerLine key={at} label={lineLabel(item.label, locale)}>
          {amount(item.amount)}
        </LedgerLine>
      ))}
      {discountAmount === 0 ? null : <LedgerLine label={texts.discount}>{amount(-discountAmount)}</LedgerLine>}
      {taxAmount === 0 ? null : <LedgerLine label={texts.tax}>{amount(taxAmount)}</LedgerLine>}
      {applied === 0 ? null : (
        <>
          <LedgerLine label={texts.total}>{amount(totalAmount)}</LedgerLine>
          <LedgerLine label={applied < 0 ? payLink.credit : payLink.earlier}>{amount(applied)}</LedgerLine>
        </>
      )}
      <LedgerLine label={label} look="total">
        {amount(dueAmount)} <span data-tg="currency">{currency.toUpperCase()}</span>
      </LedgerLine>
    </dl>
  )
}
