import { joiningPageMakers } from './joining-pages.ts'
import { organizationPageMakers } from './organization-pages.ts'
import { accountPageMakers, type PageMaker } from './page-data.ts'

/** Every page by its route. */
export const pageMakers: Readonly<Record<string, PageMaker>> = {
  ...accountPageMakers,
  ...organizationPageMakers,
  ...joiningPageMakers,
}
