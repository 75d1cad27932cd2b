import { useQuery } from '@tanstack/react-query'
import { brandTokens } from '@tollgate/contract/brand-tokens'
import { type PageMessages, TicketPreview, type TicketProduct, TollgateProvider } from '@tollgate/react'
import '@tollgate/react/styles.css'
import '@tollgate/react/checkout.css'
import { useSeller } from '../../context.ts'
import { language } from '../../language.ts'
import { amountIn } from '../../parts/money.tsx'
import { itemQuery } from '../../queries/billing.ts'
import { meterChoices } from '../lists/lists.ts'
import { type ProductDraft, unitIn } from './product-draft.ts'
import styles from './product-preview.module.css'
import { productWords } from './products.texts.ts'

const words = productWords.preview

/** The checkout's texts in the dashboard's languages; each loads when it is needed. */
const messagesOf: Readonly<Record<string, () => Promise<PageMessages>>> = {
  en: async () => (await import('@tollgate/react/locales/en')).en,
  de: async () => (await import('@tollgate/react/locales/de')).de,
}

/** The ticket of the checkout page with the seller's look, as the fields mean it now. */
export function ProductPreview({ draft }: { draft: ProductDraft }) {
  const { client, billing, organization, isUntaxed } = useSeller()
  const { id, name } = organization
  const { data: messages } = useQuery({
    queryKey: ['checkout-texts', language],
    queryFn: messagesOf[language] ?? messagesOf.en!,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const { data: merchant } = useQuery(itemQuery(['merchant', id], (options) => billing.getMerchant({ id }, options)))
  const { data: meters } = useQuery(meterChoices(billing))
  const meterNames = new Map(meters?.items.map((meter) => [meter.id, meter.name]))
  return (
    <section className={`panel ${styles.preview}`} aria-label={words.title}>
      <div className="panel-head">
        <h2>{words.title}</h2>
      </div>
      {messages ? (
        <TollgateProvider
          client={client}
          messages={messages}
          {...(merchant && { appearance: { variables: brandTokens(merchant.brand) } })}
        >
          <TicketPreview
            product={shownProduct(draft, meterNames)}
            seller={{ name: merchant?.name ?? name, avatarUrl: merchant?.avatarUrl ?? null }}
            currency={draft.currency}
            isUntaxed={isUntaxed}
          />
        </TollgateProvider>
      ) : null}
      <p className="quiet panel-text">{words.note}</p>
    </section>
  )
}

/** The product as the ticket shows it; an amount that is still being typed counts as nothing. */
function shownProduct(draft: ProductDraft, meterNames: ReadonlyMap<string, string>): TicketProduct {
  const { currency: priceCurrency, interval, kind } = draft
  const amount = (text: string) => amountIn(text, priceCurrency) ?? null
  const prices: TicketProduct['prices'][number][] = []
  if (kind === 'free') prices.push({ amountType: 'free' })
  if (kind === 'fixed') prices.push({ amountType: 'fixed', priceCurrency, priceAmount: amount(draft.amount) ?? 0 })
  if (kind === 'custom')
    prices.push({
      amountType: 'custom',
      priceCurrency,
      minimumAmount: amount(draft.minimum),
      maximumAmount: amount(draft.maximum),
      presetAmount: amount(draft.preset),
    })
  for (const { meterId, unitAmount, cap } of interval === 'one_time' ? [] : draft.usage) {
    const name = meterNames.get(meterId)
    const unit = unitIn(unitAmount, priceCurrency)
    if (name === undefined || unit === undefined) continue
    const meter = { id: meterId, name }
    prices.push({ amountType: 'metered_unit', priceCurrency, meter, unitAmount: unit, capAmount: amount(cap) })
  }
  return {
    id: 'preview',
    name: draft.name.trim() || words.none,
    description: draft.description.trim() || null,
    recurringInterval: interval === 'one_time' ? null : interval,
    features: draft.features.map(({ text }) => text.trim()).filter(Boolean),
    benefits: [],
    medias: draft.medias,
    prices,
  }
}
