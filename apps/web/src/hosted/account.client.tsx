import { createTollgateClient, type TollgateClient } from '@tollgate/client'
import { AccountPage, type AccountProps } from './account.page.tsx'
import { hydratePage } from './hydrate.tsx'
import { sayOnce } from './said-once.ts'

sayOnce()
hydratePage<Omit<AccountProps, 'client'>, TollgateClient>(createTollgateClient, (props) => <AccountPage {...props} />)
