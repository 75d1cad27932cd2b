import { AccountPage, type AccountProps } from './account.page.tsx'
import { hydratePage } from './hydrate.tsx'

// What a form has done is said once: a reload shows the page as it is.
const address = new URL(location.href)
if (address.searchParams.has('done')) {
  address.searchParams.delete('done')
  history.replaceState(history.state, '', address)
}

hydratePage<Omit<AccountProps, 'client'>>((props) => <AccountPage {...props} />)
