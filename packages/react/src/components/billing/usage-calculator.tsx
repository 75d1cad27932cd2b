import type { ProductPrice } from '@tollgate/contract/billing-types'
import { useId, useState } from 'react'
import { Field } from '../../elements/field.tsx'
import { useMessages, useText } from '../../provider.tsx'
import { type Priced, staticPriceOf, usePriceTexts } from './price-text.ts'
import { parseUnits, usageAmount } from './usage-amount.ts'

type Metered = Extract<ProductPrice, { amountType: 'metered_unit' }>

/** Estimates a usage product's price for a period. Renders nothing without usage, or if the buyer sets the price. */
export function UsageCalculator({ product }: { product: Priced }) {
  const texts = useMessages('pricing')
  const t = useText()
  const id = useId()
  const { money, each } = usePriceTexts()
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({})
  const metered = product.prices.filter((price): price is Metered => price.amountType === 'metered_unit')
  const [first] = metered
  const basis = staticPriceOf(product)
  if (!first || basis?.amountType === 'custom' || product.recurringInterval === null) return null

  const fixed = basis?.amountType === 'fixed' ? basis.priceAmount : 0
  const total = metered.reduce((sum, price) => sum + usageAmount(price, parseUnits(typed[price.id] ?? '') ?? 0), fixed)
  const label = product.recurringInterval === 'year' ? texts.unitsYear : texts.unitsMonth
  return (
    <details data-tg="estimate">
      <summary>{texts.estimate}</summary>
      {metered.map((price) => (
        <Field
          key={price.id}
          id={`${id}-${price.id}`}
          name={`units.${price.id}`}
          label={t(label, { meter: price.meter.name })}
          inputMode="numeric"
          autoComplete="off"
          maxLength={16}
          value={typed[price.id] ?? ''}
          onChange={({ target }) => setTyped({ ...typed, [price.id]: target.value })}
        />
      ))}
      <p aria-live="polite" suppressHydrationWarning>
        {t(texts.estimated, { price: each(money(total, first.priceCurrency), product.recurringInterval) })}
      </p>
    </details>
  )
}
