import '@tollgate/react/styles.css'
import type { ReactNode } from 'react'
import { Account } from './account'
import { readSession } from './session'

export const metadata = { title: 'Notes' }

export default async function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <Account session={await readSession()} />
        {children}
      </body>
    </html>
  )
}
