import { Field } from '../../elements/field.tsx'
import { useMessages, useText, useTollgateContext } from '../../provider.tsx'
import { payFormId, SellerLine } from './checkout-parts.tsx'
import { CurrencyField } from './currency-field.tsx'
import { amountText, parseAmount } from './money.ts'
import { staticPriceOf, usePriceTexts } from './price-text.ts'
import { FeatureList, Usage } from './product-parts.tsx'
import type { TicketCheckout, TicketState } from './ticket-parts.ts'

/** What is sold, by whom, at what price; with a choice among several products, and a field if the buyer sets the amount. */
export function Offer({ state }: { state: TicketState }) {
  const texts = useMessages('checkout')
  const t = useText()
  const { checkout } = state
  const { product, organization } = checkout
  const picture = product.medias[0]
  return (
    <>
      <SellerLine seller={organization}>{t(texts.soldBy, { seller: organization.name })}</SellerLine>
      {picture ? (
        <img data-tg="product-picture" src={picture.publicUrl} alt="" width="640" height="360" loading="lazy" />
      ) : null}
      <div data-tg="product">
        <h2 id="tg-product">{product.name}</h2>
        <Price checkout={checkout} />
      </div>
      <Currency state={state} />
      {product.description ? <p data-tg="product-text">{product.description}</p> : null}
      <FeatureList product={product} />
      <Usage product={product} />
      {checkout.products.length > 1 ? <Products state={state} /> : null}
      {checkout.productPrice.amountType === 'custom' ? (
        <Amount state={state} key={`${product.id} ${checkout.currency} ${state.termsShown}`} />
      ) : null}
    </>
  )
}

/** The product's price before discounts; the total below includes them. */
function Price({ checkout: { amount, currency, product, productPrice } }: { checkout: TicketCheckout }) {
  const { money, each, priceText } = usePriceTexts()
  const isNumber = productPrice.amountType === 'fixed' || productPrice.amountType === 'custom'
  return (
    <p data-tg="price" suppressHydrationWarning>
      {isNumber ? each(money(amount, currency), product.recurringInterval) : priceText(product)}
    </p>
  )
}

/** The buyer's currency. The totals follow at once, and a fixed discount of another currency is gone. */
function Currency({ state: { checkout, phase, change, forget, errors } }: { state: TicketState }) {
  const { currencies, currency } = checkout
  if (!currencies) return null
  return (
    <CurrencyField
      currencies={currencies}
      current={currency}
      form={payFormId}
      error={errors.currency}
      disabled={phase !== 'open'}
      onChange={({ target }) => {
        forget('currency', 'amount', 'discountCode')
        change({ currency: target.value }, 'now')
      }}
    />
  )
}

/** One of several products. Selecting it updates the totals at once. */
function Products({ state: { checkout, phase, change, forget, errors } }: { state: TicketState }) {
  const texts = useMessages('checkout')
  const { priceText } = usePriceTexts()
  return (
    <fieldset
      data-tg="products"
      inert={phase !== 'open'}
      aria-describedby={errors.productId ? 'productId-error' : undefined}
    >
      <legend>{texts.choose}</legend>
      {checkout.products.map((product) => (
        <label key={product.id}>
          <input
            type="radio"
            name="productId"
            value={product.id}
            defaultChecked={product.id === checkout.productId}
            onChange={() => {
              forget('productId', 'amount', 'discountCode')
              change({ productId: product.id }, 'now')
            }}
          />
          <span>{product.name}</span>
          <span data-tg="product-price" suppressHydrationWarning>
            {priceText(product)}
          </span>
        </label>
      ))}
      {errors.productId ? (
        <p id="productId-error" data-tg="field-error">
          {errors.productId}
        </p>
      ) : null}
    </fieldset>
  )
}

/** The amount that the buyer sets, within the seller's limits. */
function Amount({ state: { checkout, phase, change, forget, errors } }: { state: TicketState }) {
  const { locale } = useTollgateContext()
  const texts = useMessages('checkout')
  const t = useText()
  const { money } = usePriceTexts()
  const price = staticPriceOf({ prices: [checkout.productPrice] })
  if (price?.amountType !== 'custom') return null
  const { minimumAmount, maximumAmount, priceCurrency: currency } = price
  const [min, max] = [minimumAmount, maximumAmount].map((limit) => (limit === null ? '' : money(limit, currency)))
  const hint =
    min && max
      ? t(texts.between, { min, max })
      : min
        ? t(texts.atLeast, { min })
        : max
          ? t(texts.atMost, { max })
          : undefined
  return (
    <Field
      id="amount"
      name="amount"
      readOnly={phase !== 'open'}
      form={payFormId}
      label={texts.yourAmount}
      hint={hint}
      error={errors.amount}
      inputMode="decimal"
      autoComplete="off"
      defaultValue={amountText(checkout.amount, currency, locale)}
      after={
        <span data-tg="unit" aria-hidden="true">
          {currency.toUpperCase()}
        </span>
      }
      onChange={(event) => {
        const amount = parseAmount(event.target.value, currency, locale)
        forget('amount')
        if (amount !== undefined) change({ amount }, 'soon')
      }}
    />
  )
}
