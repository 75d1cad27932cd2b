import type { TollgateClient } from '@tollgate/client'
import type { PageData } from '@tollgate/contract/pages'
import { type AccountSection, AccountSettings, type PageMessages, type UserButtonProps } from '@tollgate/react'
import { Frame } from './frame.tsx'
import { TopBar } from './top-bar.tsx'

const sections = {
  'account-profile': 'profile',
  'account-security': 'security',
  'account-connections': 'connections',
  'account-sessions': 'sessions',
  'account-organizations': 'organizations',
  'account-delete': 'delete',
} as const satisfies Record<string, AccountSection>

type AccountData = PageData<keyof typeof sections>

export type AccountProps = {
  data: AccountData
  messages: PageMessages
  client: TollgateClient
  /** Words of the link that jumps over the navigation. */
  skip: string
  /** Further links of the user's menu. */
  menuLinks: NonNullable<UserButtonProps['links']>
  /** What the code in the address means. */
  error?: { code: string; text: string }
}

/** The signed-in user's account, with sign-out at the top. */
export function AccountPage({ data, messages, client, skip, menuLinks, error }: AccountProps) {
  const { session, now, hasPassword, features, state } = data
  return (
    <Frame
      data={data}
      messages={messages}
      client={client}
      className="account"
      header={
        <TopBar {...{ skip, menuLinks }} appName={data.appName} logo={data.logo} administers={data.administers} />
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
          ? {
              accounts: data.accounts,
              providers: data.providers,
              mayUnlinkAll: data.mayUnlinkAll,
              mayLink: data.mayLink,
              error,
            }
          : {})}
        {...(data.page === 'account-organizations' ? { organizations: data } : {})}
        {...(data.page === 'account-delete' ? { preview: data.preview } : {})}
      />
    </Frame>
  )
}
