import { createTollgateClient } from '@tollgate/client'
import { AccountPage, type AccountProps } from './account.page.tsx'
import { hydratePage } from './hydrate.tsx'

// What a form has done, or why a redirect failed, is said once: a reload shows the page as it is.
const address = new URL(location.href)
if (address.searchParams.has('done') || address.searchParams.has('error')) {
  for (const name of ['done', 'error', 'error_description']) address.searchParams.delete(name)
  history.replaceState(history.state, '', address)
}

hydratePage<Omit<AccountProps, 'client'>>(createTollgateClient, (props) => <AccountPage {...props} />)
