import { accountPageMakers } from './account-pages.ts'
import { checkoutPageMakers } from './checkout-pages.ts'
import { joiningPageMakers } from './joining-pages.ts'
import { organizationPageMakers } from './organization-pages.ts'
import { doorPageMakers, type PageMakers, whileOn } from './page-data.ts'
import { payPageMakers } from './pay-pages.ts'
import { pricingPageMakers } from './pricing-pages.ts'

/** The pages with a secret in their path, which request logs hide. A test finds the page that is missing here. */
export const secretPages = [
  { path: '/join/:token', secrets: ['token'] },
  { path: '/checkout/:clientSecret', secrets: ['clientSecret'] },
  { path: '/checkout/:clientSecret/confirmation', secrets: ['clientSecret'] },
  { path: '/checkout/:clientSecret/documents/:id', secrets: ['clientSecret'] },
  { path: '/pay/:payToken', secrets: ['payToken'] },
]

/** Every page by its route. */
export const pageMakers: PageMakers = {
  ...doorPageMakers,
  ...accountPageMakers,
  ...whileOn('organization', { ...organizationPageMakers, ...joiningPageMakers }),
  ...whileOn('billing', { ...checkoutPageMakers, ...payPageMakers, ...pricingPageMakers }),
}
