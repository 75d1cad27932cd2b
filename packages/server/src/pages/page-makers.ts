import { isBillingServed } from '../foundation/config/config.ts'
import { checkoutPageMakers } from './checkout-pages.ts'
import { joiningPageMakers } from './joining-pages.ts'
import { organizationPageMakers } from './organization-pages.ts'
import { accountPageMakers, hasOrganizations, type PageMakers, whileOn } from './page-data.ts'
import { pricingPageMakers } from './pricing-pages.ts'

/** Every page by its route. */
export const pageMakers: PageMakers = {
  ...accountPageMakers,
  ...whileOn(hasOrganizations, { ...organizationPageMakers, ...joiningPageMakers }),
  ...whileOn(isBillingServed, { ...checkoutPageMakers, ...pricingPageMakers }),
}
