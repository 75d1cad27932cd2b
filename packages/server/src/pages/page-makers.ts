import { checkoutPageMakers } from './checkout-pages.ts'
import { joiningPageMakers } from './joining-pages.ts'
import { organizationPageMakers } from './organization-pages.ts'
import { accountPageMakers, type PageMaker } from './page-data.ts'
import { pricingPageMakers } from './pricing-pages.ts'

/** Every page by its route. */
export const pageMakers: Readonly<Record<string, PageMaker>> = {
  ...accountPageMakers,
  ...organizationPageMakers,
  ...joiningPageMakers,
  ...checkoutPageMakers,
  ...pricingPageMakers,
}
