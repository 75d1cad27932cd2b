'use client'

import { createTollgateClient } from '@tollgate/client'
import type { SessionAnswer } from '@tollgate/contract/types'
import { SignedIn, SignedOut, TollgateProvider, UserButton } from '@tollgate/react'
import { en } from '@tollgate/react/locales/en'
import { useState } from 'react'

/** The corner of every page: a picture with a menu for signed-in users, links for visitors. */
export function Account({ session }: { session: SessionAnswer }) {
  // The session from the server: the first screen needs no call.
  const [client] = useState(() => createTollgateClient({ initialSession: session }))
  return (
    <TollgateProvider client={client} messages={en} appName="Notes">
      <SignedIn>
        <UserButton />
      </SignedIn>
      <SignedOut>
        <a href="/sign-in">Sign in</a> or <a href="/sign-up">sign up</a>
      </SignedOut>
    </TollgateProvider>
  )
}
