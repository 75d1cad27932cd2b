import type { TollgateClient } from '@tollgate/client'
import type { PageData } from '@tollgate/contract/pages'
import {
  type AccountSection,
  AccountSettings,
  defaultPaths,
  GateMark,
  type PageMessages,
  UserButton,
} from '@tollgate/react'
import { Frame } from './frame.tsx'

export const accountPages = [
  'account-profile',
  'account-security',
  'account-connections',
  'account-sessions',
  'account-delete',
] as const

export type AccountData = PageData<(typeof accountPages)[number]>

export type AccountProps = {
  data: AccountData
  messages: PageMessages
  client: TollgateClient
  /** Words of the link that jumps over the navigation. */
  skip: string
  /** What the code in the address means. */
  error?: { code: string; text: string }
}

const sections: Readonly<Record<AccountData['page'], AccountSection>> = {
  'account-profile': 'profile',
  'account-security': 'security',
  'account-connections': 'connections',
  'account-sessions': 'sessions',
  'account-delete': 'delete',
}

/** The account of whoever is signed in, with the way out at the top. */
export function AccountPage({ data, messages, client, skip, error }: AccountProps) {
  const { session, now, hasPassword, features, state } = data
  return (
    <Frame
      data={data}
      messages={messages}
      client={client}
      className="account"
      header={
        <div className="top">
          <a href="#tg-title" className="skip">
            {skip}
          </a>
          <a href={defaultPaths.home} className="brand">
            <GateMark />
            <span>{data.appName}</span>
          </a>
          <UserButton />
        </div>
      }
    >
      <AccountSettings
        section={sections[data.page]}
        user={session.user}
        currentSessionId={session.session.id}
        now={now}
        hasPassword={hasPassword}
        features={features}
        {...(state ? { state } : {})}
        {...(data.page === 'account-sessions' ? { sessions: data.sessions } : {})}
        {...(data.page === 'account-connections'
          ? { accounts: data.accounts, providers: data.providers, mayUnlinkAll: data.mayUnlinkAll, error }
          : {})}
      />
    </Frame>
  )
}
