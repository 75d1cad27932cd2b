import { currencyCodes } from '@tollgate/contract/billing'
import type { PageData, PageState } from '@tollgate/contract/pages'
import { look } from './invitation-look.ts'
import type { PageMakers } from './page-data.ts'
import type { Visit } from './visit.ts'

/** An organization's products, for every visitor (frontend, 2.4). */
export const pricingPageMakers: PageMakers = { '/pricing/:slug': pricingPage }

async function pricingPage(visit: Visit, refused?: PageState): Promise<PageData> {
  const { slug } = visit.params
  const asked = visit.query.get('currency')?.toLowerCase()
  // An unknown currency in an address is no fault of the visitor.
  const currency = asked !== undefined && currencyCodes.includes(asked) ? { currency: asked } : {}
  const { found: storefront } = await look(visit.billing('getStorefront', { params: { slug }, query: currency }))
  return storefront ? visit.data('pricing', { storefront, ...currency }, refused) : visit.data('not-found', {})
}
