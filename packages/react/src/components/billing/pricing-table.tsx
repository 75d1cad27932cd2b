import { createBuyerClient } from '@tollgate/client'
import type { Storefront } from '@tollgate/contract/billing-types'
import { type FormEvent, useEffect, useId, useMemo, useState } from 'react'
import { Button } from '../../elements/button.tsx'
import { Skeleton } from '../../elements/status.tsx'
import { useHydrated } from '../../hooks/use-hydrated.ts'
import { useMessages, useText, useTollgateContext } from '../../provider.tsx'
import { leaveFor } from '../leave.ts'
import { CompareTable } from './compare-table.tsx'
import { CurrencyField } from './currency-field.tsx'
import { columnsFor, hasPriceIn, intervalsOf, type Offered, popularOf, savingOf, shownBy } from './offers.ts'
import { type Interval, staticPriceOf, usePriceTexts } from './price-text.ts'
import { FeatureList, Usage } from './product-parts.tsx'
import { useTrialText } from './trial-text.ts'
import { UsageCalculator } from './usage-calculator.tsx'

export type PricingTableProps = {
  /** The seller's slug. */
  organization: string
  /** The data that the server has read. Default: the component reads it. */
  storefront?: Storefront
  /** The currency that the visitor has chosen. Default: that of their country. */
  currency?: string
  /** Tollgate's origin. Default: the page's own. */
  baseURL?: string
}

/**
 * An organization's products, a card each: plans, with a choice between months and years if both exist and a table that
 * compares them, then one-time products.
 */
export function PricingTable({ organization, storefront: given, currency, baseURL }: PricingTableProps) {
  const texts = useMessages('pricing')
  const client = useMemo(() => createBuyerClient(baseURL === undefined ? {} : { baseURL }), [baseURL])
  const [read, setRead] = useState(given)
  const [hasFailed, setFailed] = useState(false)
  const [attempt, setAttempt] = useState(0)
  const [chosen, setChosen] = useState(currency)

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt asks once more
  useEffect(() => {
    if (read) return
    let isOver = false
    void client
      .getStorefront({ slug: organization, ...(chosen !== undefined && { currency: chosen }) })
      .then(({ data }) => {
        if (isOver) return
        if (data) setRead(data)
        else setFailed(true)
      })
    return () => {
      isOver = true
    }
  }, [client, organization, read, attempt, chosen])

  async function choose(wanted: string) {
    setChosen(wanted)
    // Until the answer, the cards show the prices that they had.
    const { data } = await client.getStorefront({ slug: organization, currency: wanted })
    if (data) setRead(data)
  }

  if (read) {
    return <Cards storefront={read} chosen={chosen} onChoice={choose} client={client} baseURL={baseURL} />
  }
  if (!hasFailed)
    return (
      <div data-tg="pricing">
        <Skeleton rows={4} label={texts.loading} />
      </div>
    )
  return (
    <div data-tg="pricing">
      <div role="alert" data-tg="notice" data-tone="danger">
        {texts.loadFailed}{' '}
        <button
          type="button"
          data-tg="button"
          data-look="quiet"
          onClick={() => {
            setFailed(false)
            setAttempt(attempt + 1)
          }}
        >
          {texts.retry}
        </button>
      </div>
    </div>
  )
}

type Client = ReturnType<typeof createBuyerClient>

function Cards({
  storefront: { organization, products, currentProductIds, currency, currencies },
  chosen,
  onChoice,
  client,
  baseURL,
}: {
  storefront: Storefront
  /** The currency that the visitor has chosen by name; their checkout keeps it. */
  chosen: string | undefined
  onChoice: (currency: string) => void
  client: Client
  baseURL: string | undefined
}) {
  const texts = useMessages('pricing')
  const id = useId()
  const intervals = intervalsOf(products)
  const plans = products.filter(({ recurringInterval }) => recurringInterval !== null)
  const oneTime = products.filter(({ recurringInterval }) => recurringInterval === null)
  const hasBoth = plans.length > 0 && oneTime.length > 0
  const popular = popularOf(products)
  const Heading = hasBoth ? 'h3' : 'h2'
  const cards = (offered: readonly Offered[]) => (
    <ul
      data-tg="offers"
      data-columns={columnsFor(offered, intervals[0] ?? 'month')}
      data-year-columns={intervals.length > 1 ? columnsFor(offered, 'year') : undefined}
    >
      {offered.map((product) => (
        <li key={product.id} data-interval={intervals.length > 1 ? shownBy(product, products) : undefined}>
          <Card
            product={product}
            Heading={Heading}
            isPopular={popular.has(product.id)}
            isPrimary={popular.size === 0 || popular.has(product.id)}
            slug={organization.slug}
            saving={savingOf(product, products)}
            currency={currencies && chosen !== undefined && currencies.includes(chosen) ? chosen : undefined}
            isCurrent={currentProductIds.includes(product.id)}
            client={client}
            baseURL={baseURL}
          />
        </li>
      ))}
    </ul>
  )
  return (
    <div data-tg="pricing">
      {currency !== undefined && currencies ? (
        <CurrencyChoice slug={organization.slug} baseURL={baseURL} {...{ currency, currencies, onChoice }} />
      ) : null}
      {intervals.length > 1 ? <IntervalChoice intervals={intervals} products={products} /> : null}
      {plans.length > 0 ? (
        <section data-tg="offers-part" aria-labelledby={hasBoth ? `${id}-plans` : undefined}>
          {hasBoth ? (
            <h2 id={`${id}-plans`} data-tg="visually-hidden">
              {texts.plans}
            </h2>
          ) : null}
          {cards(plans)}
        </section>
      ) : null}
      <CompareTable
        plans={plans}
        popular={popular}
        intervalOf={(plan) => (intervals.length > 1 ? shownBy(plan, products) : undefined)}
      />
      {oneTime.length > 0 ? (
        <section data-tg="offers-part" aria-labelledby={hasBoth ? `${id}-once` : undefined}>
          {hasBoth ? (
            <h2 id={`${id}-once`} data-tg="offers-title">
              {texts.oneTime}
            </h2>
          ) : null}
          {cards(oneTime)}
        </section>
      ) : null}
      <p data-tg="hint">{texts.tax}</p>
    </div>
  )
}

/** The currency of all prices. Its form needs no script; with one, the choice applies at once. */
function CurrencyChoice({
  slug,
  baseURL,
  currency,
  currencies,
  onChoice,
}: {
  slug: string
  baseURL: string | undefined
  currency: string
  currencies: readonly string[]
  onChoice: (currency: string) => void
}) {
  const texts = useMessages('pricing')
  const { locale } = useTollgateContext()
  const hydrated = useHydrated()
  return (
    <form data-tg="currency-choice" action={`${baseURL ?? ''}/pricing/${encodeURIComponent(slug)}`}>
      <input type="hidden" name="lang" value={locale} />
      <CurrencyField
        currencies={currencies}
        current={currency}
        onChange={({ target }) => {
          if (hydrated) onChoice(target.value)
        }}
      />
      {hydrated ? null : <Button type="submit">{texts.showCurrency}</Button>}
    </form>
  )
}

/** Months or years, as one control of two halves. The style sheet shows the chosen ones, before scripts run, too. */
function IntervalChoice({ intervals, products }: { intervals: readonly Interval[]; products: readonly Offered[] }) {
  const texts = useMessages('pricing')
  const bestSaving = Math.max(0, ...products.map((product) => savingOf(product, products)))
  return (
    <fieldset data-tg="intervals">
      <legend data-tg="visually-hidden">{texts.interval}</legend>
      {intervals.map((interval, index) => (
        <label key={interval}>
          <input type="radio" name="interval" value={interval} defaultChecked={index === 0} />
          <span>{interval === 'month' ? texts.monthly : texts.yearly}</span>
          {interval === 'year' && bestSaving > 0 ? <Saving share={bestSaving} /> : null}
        </label>
      ))}
    </fieldset>
  )
}

function Saving({ share }: { share: number }) {
  const { locale } = useTollgateContext()
  const texts = useMessages('pricing')
  const t = useText()
  const percent = new Intl.NumberFormat(locale, { style: 'percent' }).format(share)
  return (
    <span data-tg="saving" suppressHydrationWarning>
      {t(texts.save, { percent })}
    </span>
  )
}

function Card({
  product,
  Heading,
  isPopular,
  isPrimary,
  slug,
  saving,
  currency,
  isCurrent,
  client,
  baseURL,
}: {
  product: Offered
  Heading: 'h2' | 'h3'
  isPopular: boolean
  /** Whether it has the primary button. */
  isPrimary: boolean
  slug: string
  saving: number
  /** The currency that the visitor has chosen by name. */
  currency: string | undefined
  isCurrent: boolean
  client: Client
  baseURL: string | undefined
}) {
  const texts = useMessages('pricing')
  const { priceParts } = usePriceTexts()
  const [isOpening, setOpening] = useState(false)
  const [hasFailed, setFailed] = useState(false)
  const picture = product.medias[0]
  const [before, amount, after] = priceParts(product)

  async function choose(event: FormEvent) {
    event.preventDefault()
    if (isOpening) return
    setFailed(false)
    setOpening(true)
    const { data } = await client.createStorefrontCheckout({
      slug,
      productId: product.id,
      ...(currency !== undefined && hasPriceIn(product, currency) && { currency }),
    })
    if (data) return leaveFor(data.url)
    setOpening(false)
    setFailed(true)
  }
  return (
    <article
      data-tg="offer"
      data-current={isCurrent || undefined}
      data-popular={isPopular || undefined}
      aria-labelledby={`offer-${product.id}`}
    >
      {picture ? <img data-tg="product-picture" src={picture.publicUrl} alt="" width="640" height="360" /> : null}
      <div data-tg="offer-head">
        <Heading id={`offer-${product.id}`}>{product.name}</Heading>
        {isPopular ? <span data-tg="popular">{texts.popular}</span> : null}
      </div>
      <p data-tg="price" suppressHydrationWarning>
        {before}
        <span>{amount}</span>
        {after} {saving > 0 ? <Saving share={saving} /> : null}
      </p>
      <OfferedTrial product={product} />
      <p data-tg="product-text">{product.description}</p>
      {hasFailed ? (
        <p role="alert" data-tg="field-error">
          {texts.gone}
        </p>
      ) : null}
      {isCurrent ? (
        <p data-tg="current">{texts.current}</p>
      ) : (
        <form method="post" action={`${baseURL ?? ''}/pricing/${encodeURIComponent(slug)}`} onSubmit={choose}>
          <input type="hidden" name="form" value="pricing-choose" />
          <input type="hidden" name="productId" value={product.id} />
          {currency !== undefined && hasPriceIn(product, currency) ? (
            <input type="hidden" name="currency" value={currency} />
          ) : null}
          <Button type="submit" {...(isPrimary && { look: 'primary' })} wide busy={isOpening} busyLabel={texts.opening}>
            {buttonText(product, texts)}
            <span data-tg="visually-hidden"> {product.name}</span>
          </Button>
        </form>
      )}
      <FeatureList product={product} />
      <Usage product={product}>
        <UsageCalculator product={product} />
      </Usage>
    </article>
  )
}

/** The trial that a purchase of the product begins with. */
function OfferedTrial({
  product: { trialInterval: interval, trialIntervalCount: count, trialUntil },
}: {
  product: Offered
}) {
  const trialText = useTrialText()
  if (!interval && !trialUntil) return null
  return (
    <p data-tg="hint" suppressHydrationWarning>
      {trialText(interval, count, trialUntil ?? '')}
    </p>
  )
}

function buttonText(product: Offered, texts: { getFree: string; subscribe: string; buy: string }): string {
  if (staticPriceOf(product)?.amountType === 'free' && !product.isRecurring) return texts.getFree
  return product.isRecurring ? texts.subscribe : texts.buy
}
