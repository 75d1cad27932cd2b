import { useSeller } from '../../context.ts'
import { Copyable } from '../../parts/copy.tsx'
import { OpenLink } from '../../parts/open-link.tsx'
import styles from './pricing-page.module.css'
import { productWords } from './products.texts.ts'

const { pricingPage: words } = productWords

/** The name of the address, for the pages that show it. */
export const pricingPageName = words.name

/** Where everybody sees what is for sale: to copy, and to look at. */
export function PricingPage() {
  const { slug, origin } = useSeller()
  const address = `${origin}/pricing/${encodeURIComponent(slug)}`
  return (
    <span className={styles.address}>
      <Copyable text={address} what={words.name} />
      <OpenLink href={address}>{words.open}</OpenLink>
    </span>
  )
}
