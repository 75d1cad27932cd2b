import { createTollgateClient, type TollgateClient } from '@tollgate/client'
import { hydratePage } from './hydrate.tsx'
import { OrganizationPage, type OrganizationProps } from './organization.page.tsx'
import { sayOnce } from './said-once.ts'

sayOnce()
hydratePage<Omit<OrganizationProps, 'client'>, TollgateClient>(createTollgateClient, (props) => (
  <OrganizationPage {...props} />
))
