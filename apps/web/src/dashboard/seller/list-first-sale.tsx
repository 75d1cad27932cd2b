import { useSeller } from '../context.ts'
import { apiCall } from '../parts/api-command.ts'
import { ButtonLink } from '../parts/button-link.tsx'

const words = { link: 'New checkout link' }

/** The same as a call: the first checkout of whatever there is to sell. */
export const firstCheckout = apiCall('createCheckout', { products: ['PRODUCT_ID'] })

/** Where nothing was sold yet: the shortest way to a first purchase, for whoever may go it. */
export function FirstSale() {
  const { slug, may } = useSeller()
  if (!may('product', 'write')) return null
  return (
    <ButtonLink to="/dashboard/$slug/checkout-links/$linkId" params={{ slug, linkId: 'new' }} variant="default">
      {words.link}
    </ButtonLink>
  )
}
