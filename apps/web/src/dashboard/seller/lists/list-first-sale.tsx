import { useQuery } from '@tanstack/react-query'
import { useSeller } from '../../context.ts'
import { apiCall } from '../../parts/api-command.ts'
import { ButtonLink } from '../../parts/button-link.tsx'
import { listQuery } from '../../queries/billing.ts'
import { checkoutLinkWords } from '../checkout-links/checkout-links.texts.ts'
import { productWords } from '../products/products.texts.ts'
import styles from './list-first-sale.module.css'

/** The same as a call: the first checkout of whatever there is to sell. */
export const firstCheckout = apiCall('createCheckout', { products: ['PRODUCT_ID'] })

/** The next step to a first sale, for members who may take it. A link needs a product. */
export function FirstSale() {
  const { billing, slug, may } = useSeller()
  const isTheirs = may('product', 'write')
  const one = { limit: 1, isArchived: false }
  const products = useQuery({
    ...listQuery(['products', one], (options) => billing.listProducts(one, options)),
    enabled: isTheirs && may('product', 'read'),
  })
  if (!isTheirs) return null
  // Holds the place of the button: what follows stays where it is.
  if (products.isLoading) return <span className={styles.buttonRoom} />
  if (products.data?.items.length === 0) {
    return (
      <ButtonLink to="/dashboard/$slug/products/$productId" params={{ slug, productId: 'new' }} variant="default">
        {productWords.newTitle}
      </ButtonLink>
    )
  }
  return (
    <ButtonLink to="/dashboard/$slug/checkout-links/$linkId" params={{ slug, linkId: 'new' }} variant="default">
      {checkoutLinkWords.newTitle}
    </ButtonLink>
  )
}
