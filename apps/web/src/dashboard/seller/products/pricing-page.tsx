import { useSeller } from '../../context.ts'
import { Copyable } from '../../parts/copy.tsx'
import { OpenLink } from '../../parts/open-link.tsx'
import styles from './pricing-page.module.css'

export const pricingPageWords = { name: 'Pricing page', open: 'Open' }

/** Where everybody sees what is for sale: to copy, and to look at. */
export function PricingPage() {
  const { slug, origin } = useSeller()
  const address = `${origin}/pricing/${encodeURIComponent(slug)}`
  return (
    <span className={styles.address}>
      <Copyable text={address} what={pricingPageWords.name} />
      <OpenLink href={address}>{pricingPageWords.open}</OpenLink>
    </span>
  )
}
