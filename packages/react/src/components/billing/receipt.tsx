import { createBuyerClient } from '@tollgate/client'
import { cardBrandName } from '@tollgate/contract/billing'
import type { CheckoutPublic } from '@tollgate/contract/billing-types'
import type { PageReceipt } from '@tollgate/contract/pages'
import { useEffect, useMemo } from 'react'
import { Button, ButtonLink } from '../../elements/button.tsx'
import { OrganizationMark } from '../../elements/organization-mark.tsx'
import { useHydrated } from '../../hooks/use-hydrated.ts'
import { useMessages, useText, useTollgateContext } from '../../provider.tsx'
import { LedgerLine } from './checkout-parts.tsx'
import { countryName } from './countries.ts'
import { lineLabel } from './line-label.ts'
import { usePriceTexts } from './price-text.ts'
import { TaxLines } from './tax-lines.tsx'

export type CheckoutReceiptProps = {
  clientSecret: string
  checkout: CheckoutPublic
  /** Present once the payment has succeeded. */
  receipt?: PageReceipt
  /** Fixture data: the component makes no requests. */
  frozen?: boolean
  baseURL?: string
  /** Called when the payment has ended. Default: the page reloads. */
  onChange?: (checkout: CheckoutPublic) => void
}

/** A checkout after confirmation: first its processing, then the receipt. */
export function CheckoutReceipt({ receipt, ...rest }: CheckoutReceiptProps) {
  return receipt ? <Receipt {...rest} receipt={receipt} /> : <Processing {...rest} />
}

const loadAgain = (): void => location.reload()

function Processing({
  clientSecret,
  checkout: { organization: seller },
  frozen,
  baseURL,
  onChange = loadAgain,
}: Omit<CheckoutReceiptProps, 'receipt'>) {
  const texts = useMessages('checkout')
  const receipts = useMessages('receipt')
  const client = useMemo(() => createBuyerClient(baseURL === undefined ? {} : { baseURL }), [baseURL])
  // Polls the payment, less and less often, until its outcome is known.
  useEffect(() => {
    if (frozen) return
    let timer: ReturnType<typeof setTimeout>
    const look = async (attempt: number) => {
      const { data } = await client.getClientCheckout({ clientSecret })
      if (data && data.status !== 'confirmed') return onChange(data)
      timer = setTimeout(look, Math.min(400 * 1.4 ** attempt, 5000), attempt + 1)
    }
    timer = setTimeout(look, 400, 0)
    return () => clearTimeout(timer)
  }, [client, clientSecret, frozen, onChange])
  return (
    <section data-tg="card" data-tg-screen="" aria-labelledby="tg-title">
      <div data-tg="brand">
        <OrganizationMark name={seller.name} image={seller.avatarUrl} />
      </div>
      <h1 id="tg-title" data-tg="title">
        {texts.confirmingTitle}
      </h1>
      <div role="status" data-tg="lead">
        {texts.confirmingText}
      </div>
      <p data-scriptless="" data-tg="hint">
        {receipts.waitingScript}
      </p>
    </section>
  )
}

/** A receipt for the buyer's books: plain HTML, one page when printed. */
function Receipt({
  receipt,
  checkout,
  clientSecret,
}: {
  receipt: PageReceipt
  checkout: CheckoutPublic
  clientSecret: string
}) {
  const { locale } = useTollgateContext()
  const texts = useMessages('receipt')
  const totals = useMessages('checkout')
  const t = useText()
  const { money } = usePriceTexts()
  const amount = (value: number) => money(value, receipt.currency)
  const { organization, successUrl, returnUrl, id } = checkout
  const { buyer, renewal, card, sellerAtLaw, refunds, refundedBefore, documents } = receipt
  const isTest = checkout.processor === 'sandbox'
  const next = successUrl.replaceAll('{CHECKOUT_ID}', id)
  const leadsOn = !/\/checkout\/[^/]+\/confirmation$/.test(next)
  return (
    <article data-tg="receipt" data-tg-screen="" aria-labelledby="tg-title">
      <div data-tg="receipt-head">
        <div data-tg="brand">
          <OrganizationMark name={organization.name} image={organization.avatarUrl} />
        </div>
        <h1 id="tg-title" data-tg="title">
          {titleOf(receipt, texts)}
        </h1>
        <p data-tg="lead">{t(texts.text, { seller: organization.name })}</p>
      </div>
      <section data-tg="ticket" data-test={isTest || undefined} aria-label={texts.name}>
        {isTest ? <p data-tg="test-mode">{texts.testMode}</p> : null}
        <dl data-tg="facts">
          <div>
            <dt>{texts.seller}</dt>
            <dd>
              <Lines
                of={[
                  sellerAtLaw?.legalName ?? organization.name,
                  ...addressLines(sellerAtLaw?.address ?? null, locale),
                  sellerAtLaw?.taxId && t(texts.taxId, { taxId: sellerAtLaw.taxId }),
                  organization.email,
                ]}
              />
            </dd>
          </div>
          <div>
            <dt>{texts.buyer}</dt>
            <dd>
              <Lines
                of={[
                  buyer.name,
                  buyer.email,
                  ...addressLines(buyer.billingAddress, locale),
                  buyer.taxId && t(texts.taxId, { taxId: buyer.taxId }),
                ]}
              />
            </dd>
          </div>
          <div>
            <dt>{texts.number}</dt>
            <dd data-tg="mono">{receipt.number}</dd>
          </div>
          <div>
            <dt>{texts.date}</dt>
            <dd>
              <ZonedTime at={receipt.createdAt} />
            </dd>
          </div>
          {card ? (
            <div>
              <dt>{texts.method}</dt>
              <dd>{t(texts.card, { brand: cardBrandName(card.brand), last4: card.last4 })}</dd>
            </div>
          ) : null}
        </dl>
        <table data-tg="items">
          <thead>
            <tr>
              <th scope="col">{texts.item}</th>
              <th scope="col">{texts.amount}</th>
            </tr>
          </thead>
          <tbody>
            {receipt.items.map((item, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two lines may say the same, and none ever moves
              <tr key={index}>
                <td suppressHydrationWarning>{lineLabel(item.label, locale)}</td>
                <td suppressHydrationWarning>{amount(item.amount)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <dl data-tg="ledger">
          <LedgerLine label={totals.subtotal}>{amount(receipt.subtotalAmount)}</LedgerLine>
          {receipt.discountAmount > 0 ? (
            <>
              <LedgerLine
                label={receipt.discount ? t(texts.discount, { discount: receipt.discount }) : totals.discount}
              >
                {amount(-receipt.discountAmount)}
              </LedgerLine>
              <LedgerLine label={totals.net}>{amount(receipt.netAmount)}</LedgerLine>
            </>
          ) : null}
          <TaxLines
            tax={receipt.tax}
            taxAmount={receipt.taxAmount}
            currency={receipt.currency}
            reasons={receipt.tax?.treatment !== 'reverse_charge'}
            mentionsNone={false}
            places={0}
          />
          <LedgerLine label={totals.total} look="total">
            {amount(receipt.totalAmount)} <span data-tg="currency">{receipt.currency.toUpperCase()}</span>
          </LedgerLine>
          {refunds.map(({ at, amount: back }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two may be of the same moment, and none ever moves
            <LedgerLine key={index} label={t.rich(texts.refunded, { date: <ZonedTime key="at" at={at} dateOnly /> })}>
              {amount(-back)}
            </LedgerLine>
          ))}
          {refundedBefore > 0 ? <LedgerLine label={texts.refundedBefore}>{amount(-refundedBefore)}</LedgerLine> : null}
        </dl>
        {receipt.tax?.treatment === 'reverse_charge' ? <p data-tg="later">{texts.reverseCharge}</p> : null}
        {renewal ? <Renewal renewal={renewal} currency={receipt.currency} plusTax={receipt.taxAmount > 0} /> : null}
      </section>
      {documents.length > 0 ? (
        <ul data-tg="documents" aria-label={texts.documents}>
          {documents.map(({ id: document, kind, number }) => (
            <li key={document}>
              <a href={`/checkout/${encodeURIComponent(clientSecret)}/documents/${document}`}>
                {t(texts[kindTexts[kind]], { number })}
              </a>
            </li>
          ))}
        </ul>
      ) : null}
      <div data-tg="receipt-actions">
        {leadsOn ? (
          <ButtonLink href={next} look="primary">
            {t(texts.goOn, { seller: organization.name })}
          </ButtonLink>
        ) : null}
        <ButtonLink href={returnUrl ?? organization.website ?? `/pricing/${encodeURIComponent(organization.slug)}`}>
          {t(totals.backTo, { seller: organization.name })}
        </ButtonLink>
        <span data-tg="scripted">
          <Button onClick={() => print()}>{texts.print}</Button>
        </span>
      </div>
    </article>
  )
}

const kindTexts = { invoice: 'invoicePdf', receipt: 'receiptPdf', credit_note: 'creditNotePdf' } as const

type ReceiptTexts = ReturnType<typeof useMessages<'receipt'>>

/** The order's status in a word. */
function titleOf({ status, totalAmount }: PageReceipt, texts: ReceiptTexts): string {
  if (totalAmount === 0) return texts.titleFree
  if (status === 'refunded') return texts.titleRefunded
  return status === 'partially_refunded' ? texts.titlePartly : texts.title
}

/** A party's address lines, as on a letter, without unknown ones. */
const Lines = ({ of }: { of: readonly (string | null | undefined)[] }) =>
  [...new Set(of)].filter(Boolean).map((line) => (
    <span key={line} suppressHydrationWarning>
      {line}
    </span>
  ))

/** The next renewal and its amount, and the duration of a temporary discount. */
function Renewal({
  renewal,
  currency,
  plusTax,
}: {
  renewal: NonNullable<PageReceipt['renewal']>
  currency: string
  plusTax: boolean
}) {
  const texts = useMessages('receipt')
  const prices = useMessages('prices')
  const t = useText()
  const { chargeText } = usePriceTexts()
  const { at, charges, interval, hasUsage } = renewal
  const price = (amount: number) => chargeText(amount, currency, interval, { plusUsage: hasUsage, plusTax })
  if (!charges) return <p data-tg="later">{interval === 'year' ? prices.usageYear : prices.usageMonth}</p>
  return (
    <>
      <p data-tg="later">
        {t.rich(texts.renews, {
          date: <ZonedTime key="at" at={at} dateOnly />,
          price: (
            <span key="price" data-tg="nowrap" suppressHydrationWarning>
              {price(charges.next)}
            </span>
          ),
        })}
      </p>
      {charges.months === undefined ? null : (
        <p data-tg="later" suppressHydrationWarning>
          {t(prices.laterMonths, { count: charges.months, price: price(charges.later) })}
        </p>
      )}
    </>
  )
}

/** The address in the order of its country; the country last, by name. */
function addressLines(address: PageReceipt['buyer']['billingAddress'], locale: string): string[] {
  if (!address) return []
  const { line1, line2, postalCode, city, state, country } = address
  const region = state?.replace(`${country}-`, '')
  // In North America the postal code comes last: "San Francisco, CA 94111".
  const end = [region, postalCode].filter(Boolean).join(' ')
  const place = region ? [city, end].filter(Boolean).join(', ') : [postalCode, city].filter(Boolean).join(' ')
  return [line1 ?? '', line2 ?? '', place, countryName(country, locale)]
}

/** With the time zone's name: UTC from the server, the viewer's own once the page runs. */
function ZonedTime({ at, dateOnly }: { at: string; dateOnly?: boolean }) {
  const { locale } = useTollgateContext()
  const hydrated = useHydrated()
  const zone = hydrated ? {} : { timeZone: 'UTC' }
  const parts: Intl.DateTimeFormatOptions = dateOnly
    ? { day: 'numeric', month: 'long', year: 'numeric' }
    : {
        day: 'numeric',
        month: 'long',
        year: 'numeric',
        hour: 'numeric',
        minute: '2-digit',
        timeZoneName: 'short',
      }
  return (
    <time dateTime={at} suppressHydrationWarning>
      {new Intl.DateTimeFormat(locale, { ...parts, ...zone }).format(new Date(at))}
    </time>
  )
}
