import { useQuery } from '@tanstack/react-query'
import { brandTokens } from '@tollgate/contract/brand-tokens'
import { type PageMessages, TicketPreview, type TicketProduct, TollgateProvider } from '@tollgate/react'
import { useSeller } from '../../context.ts'
import { amountIn } from '../../parts/money.tsx'
import { itemQuery } from '../../queries/billing.ts'
import { meterChoices } from '../lists/lists.ts'
import { type ProductDraft, unitIn } from './product-draft.ts'
import { productWords } from './products.texts.ts'

/** The ticket of a new checkout, in the seller's look. It comes after the editor, whose fields do not wait for it. */
export function ProductTicket({ draft, messages }: { draft: ProductDraft; messages: PageMessages }) {
  const { client, billing, organization, isUntaxed } = useSeller()
  const { id, name } = organization
  const { data: merchant } = useQuery(itemQuery(['merchant', id], (options) => billing.getMerchant({ id }, options)))
  const { data: meters } = useQuery(meterChoices(billing))
  const meterNames = new Map(meters?.items.map((meter) => [meter.id, meter.name]))
  return (
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
    name: draft.name.trim() || productWords.preview.none,
    description: draft.description.trim() || null,
    recurringInterval: interval === 'one_time' ? null : interval,
    features: draft.features.map(({ text }) => text.trim()).filter(Boolean),
    benefits: [],
    medias: draft.medias,
    prices,
  }
}
