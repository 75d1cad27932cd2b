import type { TollgateClient } from '@tollgate/client'
import type { PageData } from '@tollgate/contract/pages'
import { AcceptInvitation, JoinOrganization, OrganizationUnverified, type PageMessages } from '@tollgate/react'
import { Frame } from './frame.tsx'

/** The pages of invitations and shared links, and other pages before an organization. */
export type JoiningData = PageData<'accept-invitation' | 'join-organization' | 'organization-unverified'>

export type JoiningProps = { data: JoiningData; messages: PageMessages; client: TollgateClient }

export function JoiningPage(props: JoiningProps) {
  return (
    <Frame {...props}>
      <Content {...props.data} />
    </Frame>
  )
}

/** A page's data and its component use the same names for what they share. */
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
