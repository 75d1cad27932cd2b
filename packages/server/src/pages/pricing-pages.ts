import type { PageData, PageState } from '@tollgate/contract/pages'
import { isBillingServed } from '../http/billing-dispatch.ts'
import { look } from './invitation-look.ts'
import type { PageMaker } from './page-data.ts'
import type { Visit } from './visit.ts'

/** What an organization sells, for everybody who comes by (frontend, 2.4). */
export const pricingPageMakers: Readonly<Record<string, PageMaker>> = { '/pricing/:slug': pricingPage }

async function pricingPage(visit: Visit, refused?: PageState): Promise<PageData> {
  if (!isBillingServed(visit.ctx.config)) return visit.data('not-found', {})
  const { slug } = visit.params
  const { found: storefront } = await look(visit.billing('getStorefront', { params: { slug } }))
  return storefront ? visit.data('pricing', { storefront }, refused) : visit.data('not-found', {})
}
