import type { PageData, PageState } from '@tollgate/contract/pages'
import { isBillingServed } from '../foundation/config/config.ts'
import { look } from './invitation-look.ts'
import type { PageMaker } from './page-data.ts'
import type { Visit } from './visit.ts'

/** An organization's products, for every visitor (frontend, 2.4). */
export const pricingPageMakers: Readonly<Record<string, PageMaker>> = { '/pricing/:slug': pricingPage }

async function pricingPage(visit: Visit, refused?: PageState): Promise<PageData> {
  if (!isBillingServed(visit.ctx.config)) return visit.data('not-found', {})
  const { slug } = visit.params
  const { found: storefront } = await look(visit.billing('getStorefront', { params: { slug } }))
  return storefront ? visit.data('pricing', { storefront }, refused) : visit.data('not-found', {})
}
