import type { ReactNode } from 'react'
import { useMessages } from '../../provider.tsx'
import { usePriceTexts } from './price-text.ts'
import type { TicketProduct } from './ticket-parts.ts'

/** Parts of a product that the checkout and the pricing page share. */

type Product = Pick<TicketProduct, 'features' | 'benefits' | 'prices' | 'recurringInterval'>

/** What the product has: the seller's features, then its benefits. Renders nothing without any. */
export function FeatureList({ product: { features, benefits } }: { product: Product }) {
  const lines = [...features, ...benefits.map(({ description }) => description)]
  if (lines.length === 0) return null
  return (
    <ul data-tg="benefits">
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two lines may be the same, and none moves
        <li key={index}>{line}</li>
      ))}
    </ul>
  )
}

/** What usage costs, and when. Renders nothing without usage. */
export function Usage({ product, children }: { product: Product; children?: ReactNode }) {
  const texts = useMessages('prices')
  const { meterTexts } = usePriceTexts()
  const lines = meterTexts(product)
  if (lines.length === 0) return null
  return (
    <div data-tg="usage">
      <ul>
        {lines.map((line) => (
          <li key={line} suppressHydrationWarning>
            {line}
          </li>
        ))}
      </ul>
      <p data-tg="hint">{product.recurringInterval === 'year' ? texts.usageYear : texts.usageMonth}</p>
      {children}
    </div>
  )
}
