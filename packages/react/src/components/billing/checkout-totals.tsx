import { comingCharges } from '@tollgate/contract/billing'
import type { CheckoutPublic } from '@tollgate/contract/billing-types'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../elements/button.tsx'
import { Field } from '../../elements/field.tsx'
import { useMessages, useText, useTollgateContext } from '../../provider.tsx'
import { LedgerLine, payFormId } from './checkout-parts.tsx'
import { hasUsage, usePriceTexts } from './price-text.ts'
import { TaxLines } from './tax-lines.tsx'
import type { TicketCheckout, TicketState } from './ticket-parts.ts'
import { useTrialText } from './trial-text.ts'

/**
 * The totals, line by line, as the server computes them. Every line that may still come has its space from the start,
 * and a tax that does not exist is not mentioned.
 */
export function Totals({ state }: { state: TicketState }) {
  const texts = useMessages('checkout')
  const { trialRedeemed } = useMessages('billingErrors')
  const { checkout, updating } = state
  const { money } = usePriceTexts()
  const amount = (value: number) => money(value, checkout.currency)
  const { product, discount, discountAmount, customerBillingAddress: address } = checkout
  const later = useLaterText(checkout)
  const canDiscount = checkout.allowDiscountCodes && checkout.isDiscountApplicable
  return (
    <section data-tg="summary" aria-labelledby="tg-summary">
      <h2 id="tg-summary" data-tg="visually-hidden">
        {texts.summary}
      </h2>
      <dl data-tg="ledger" aria-busy={updating || undefined}>
        <LedgerLine label={`${product.name} × ${checkout.seats ?? 1}`}>{amount(checkout.amount)}</LedgerLine>
        {discount || canDiscount ? (
          <LedgerLine label={<Discount state={state} canChange={canDiscount} />}>
            {discount ? amount(-discountAmount) : ''}
          </LedgerLine>
        ) : null}
        {state.isUntaxed ? null : (
          <TaxLines
            tax={checkout.tax}
            taxAmount={checkout.taxAmount}
            currency={checkout.currency}
            unknown={address ? texts.taxUnknown : texts.taxLater}
            mentionsNone={false}
            // Canada may have two.
            places={address?.country === 'CA' && checkout.netAmount > 0 ? 2 : 1}
          />
        )}
        {checkout.trialEnd ? <LedgerLine label={texts.trial}>{amount(-checkout.totalAmount)}</LedgerLine> : null}
        <LedgerLine label={texts.total} look="total">
          {amount(checkout.trialEnd ? 0 : checkout.totalAmount)}{' '}
          <span data-tg="currency">{checkout.currency.toUpperCase()}</span>
        </LedgerLine>
      </dl>
      {checkout.trialRedeemed ? <p data-tg="hint">{trialRedeemed}</p> : null}
      {later === null ? null : (
        <p data-tg="later" suppressHydrationWarning>
          {later}
        </p>
      )}
    </section>
  )
}

/** The payments after a subscription's first, in words; null where there are none. */
export function useLaterText(checkout: TicketCheckout): string | null {
  const texts = useMessages('prices')
  const t = useText()
  const { chargeText } = usePriceTexts()
  const trialText = useTrialText()
  const { product, amount, netAmount, taxAmount, currency, discount, trialEnd } = checkout
  const interval = product.recurringInterval
  if (interval === null) return null
  // A trial pays nothing, so its discount begins with the first charge.
  const charges = comingCharges({ interval, amount, netAmount, discount }, trialEnd ? 0 : 1)
  if (!charges) return null
  const priceOf = (charge: number) =>
    chargeText(charge, currency, interval, { plusUsage: hasUsage(product), plusTax: (taxAmount ?? 0) > 0 })
  const price = priceOf(charges.later)
  if (trialEnd) {
    const { activeTrialInterval: unit, activeTrialIntervalCount: count } = checkout
    const begins = trialText(unit, count, trialEnd, priceOf(charges.next))
    return charges.months === undefined ? begins : `${begins} ${t(texts.laterMonths, { count: charges.months, price })}`
  }
  // The first payment covers the first of those months.
  const months = charges.months === undefined ? undefined : charges.months + (interval === 'year' ? 12 : 1)
  return months === undefined ? t(texts.later, { price }) : t(texts.laterMonths, { count: months, price })
}

/** A link, then a field, then the applied code, all in one place so that nothing around it moves. */
function Discount({ state, canChange }: { state: TicketState; canChange: boolean }) {
  const texts = useMessages('checkout')
  const { checkout, phase, errors, change, forget } = state
  const isSettled = phase !== 'open' // a sent purchase no longer changes
  const [isOpen, setOpen] = useState(errors.discountCode !== undefined)
  const [isApplying, setApplying] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const { discount } = checkout

  // Opening it focuses the field; closing it focuses the link again, and drops what was typed.
  const toggle = (open: boolean) => {
    setOpen(open)
    forget('discountCode')
    requestAnimationFrame(() => (open ? input : opener).current?.focus())
  }
  async function apply() {
    const discountCode = input.current?.value.trim() ?? ''
    if (discountCode === '' || isApplying) return
    setApplying(true)
    change({ discountCode }, 'now')
    await state.settle()
    setApplying(false)
  }

  if (discount)
    return (
      <span data-tg="discount" inert={isSettled}>
        <DiscountChip discount={discount} currency={checkout.currency} />
        {/* The buyer can remove a refused code, even one that the seller preset. */}
        {canChange || errors.discountCode !== undefined ? (
          <button
            type="button"
            data-tg="button"
            data-look="quiet"
            onClick={() => {
              setOpen(false)
              forget('discountCode')
              change({ discountCode: null }, 'now')
            }}
          >
            {texts.discountRemove}
            <span data-tg="visually-hidden"> {discount.code ?? discount.name}</span>
          </button>
        ) : null}
        {errors.discountCode ? <span data-tg="field-error">{errors.discountCode}</span> : null}
      </span>
    )
  if (!isOpen)
    return (
      <span data-tg="discount" inert={isSettled}>
        <button ref={opener} type="button" data-tg="button" data-look="quiet" onClick={() => toggle(true)}>
          {texts.discountAdd}
        </button>
      </span>
    )
  return (
    <span data-tg="discount" data-open="" inert={isSettled}>
      <Field
        id="discountCode"
        name="discountCode"
        form={payFormId}
        label={texts.discountCode}
        error={errors.discountCode}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        ref={input}
        maxLength={256}
        onInput={() => forget('discountCode')}
        onKeyDown={(event) => {
          // Enter would submit the payment form.
          if (event.key === 'Enter') {
            event.preventDefault()
            void apply()
          }
          if (event.key === 'Escape') toggle(false)
        }}
      />
      <span data-tg="actions">
        <Button onClick={() => void apply()} busy={isApplying} busyLabel={texts.discountApplying}>
          {texts.discountApply}
        </Button>
        <button type="button" data-tg="button" data-look="quiet" onClick={() => toggle(false)}>
          {texts.discountCancel}
        </button>
      </span>
    </span>
  )
}

/** The discount's name, amount and duration. */
function DiscountChip({ discount, currency }: { discount: NonNullable<CheckoutPublic['discount']>; currency: string }) {
  const { locale } = useTollgateContext()
  const texts = useMessages('checkout')
  const t = useText()
  const { money } = usePriceTexts()
  const { type, basisPoints = 0, amount = 0, duration, durationInMonths = 0 } = discount
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 }).format(
    basisPoints / 10_000,
  )
  const off = t(texts.discountOff, { amount: type === 'percentage' ? percent : money(amount, currency) })
  const isRecurring = duration !== 'once'
  const length = duration === 'repeating' ? t(texts.discountMonths, { count: durationInMonths }) : texts.discountForever
  return (
    <span data-tg="chip" suppressHydrationWarning>
      <strong>{discount.code ?? discount.name}</strong> {isRecurring ? `${off}, ${length}` : off}
    </span>
  )
}

/** Milliseconds without a change before the total is announced. */
const quiet = 700

/** Announces the total once it has changed and settled; nothing at first, because the page shows it. */
export function useTotalSaid(checkout: CheckoutPublic): string {
  const { taxAmount, currency } = checkout
  const totalAmount = checkout.trialEnd ? 0 : checkout.totalAmount
  const texts = useMessages('checkout')
  const t = useText()
  const { money } = usePriceTexts()
  const total = money(totalAmount, currency)
  const text = taxAmount
    ? t(texts.saidTotalTax, { total, tax: money(taxAmount, currency) })
    : t(texts.saidTotal, { total })
  const [said, setSaid] = useState('')
  const known = useRef(text)
  useEffect(() => {
    if (known.current === text) return
    const timer = setTimeout(() => {
      known.current = text
      setSaid(text)
    }, quiet)
    return () => clearTimeout(timer)
  }, [text])
  return said
}
