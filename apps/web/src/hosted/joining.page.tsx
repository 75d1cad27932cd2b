import type { TollgateClient } from '@tollgate/client'
import type { PageData } from '@tollgate/contract/pages'
import { AcceptInvitation, JoinOrganization, OrganizationUnverified, type PageMessages } from '@tollgate/react'
import { Frame } from './frame.tsx'

/** Where the mail of an invitation and a shared link lead, and what stands before an organization besides. */
export const joiningPages = ['accept-invitation', 'join-organization', 'organization-unverified'] as const

export type JoiningData = PageData<(typeof joiningPages)[number]>

export type JoiningProps = { data: JoiningData; messages: PageMessages; client: TollgateClient }

export function JoiningPage(props: JoiningProps) {
  return (
    <Frame {...props}>
      <Content {...props.data} />
    </Frame>
  )
}

/** The members that a page's data shares with its component have the same names. */
function Content(data: JoiningData) {
  switch (data.page) {
    case 'accept-invitation':
      return <AcceptInvitation {...data} />
    case 'join-organization':
      return <JoinOrganization {...data} />
    case 'organization-unverified':
      return (
        <OrganizationUnverified organization={data.organization} email={data.session.user.email} back={data.address} />
      )
  }
}
