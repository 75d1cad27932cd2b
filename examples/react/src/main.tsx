import { createTollgateClient } from '@tollgate/client'
import { defaultPaths, type Paths, TollgateProvider } from '@tollgate/react'
import { en } from '@tollgate/react/locales/en'
import '@tollgate/react/styles.css'
import '@tollgate/react/account.css'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { server } from './server.ts'

const client = createTollgateClient({ baseURL: server })

// Tollgate's own pages cover what this application does not draw: sign-up, forgotten passwords, the account.
const onServer = Object.entries(defaultPaths).map(([name, path]) => [name, server + path])
const paths: Partial<Paths> = Object.fromEntries(onServer)

createRoot(document.getElementById('app')!).render(
  <TollgateProvider client={client} messages={en} appName="Notes" paths={paths}>
    <App />
  </TollgateProvider>,
)
