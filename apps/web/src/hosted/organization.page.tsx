import type { TollgateClient } from '@tollgate/client'
import type { PageData } from '@tollgate/contract/pages'
import type { PageMessages } from '@tollgate/react'
import { Frame } from './frame.tsx'
import { CreateOrganization, OrganizationSettings } from './pending.tsx'
import { TopBar } from './top-bar.tsx'

export const organizationPages = [
  'organization-overview',
  'organization-members',
  'organization-invitations',
  'organization-teams',
  'organization-roles',
  'organization-settings',
  'organization-audit',
  'organization-danger',
  'organization-new',
] as const

export type OrganizationData = PageData<(typeof organizationPages)[number]>

export type OrganizationProps = {
  data: OrganizationData
  messages: PageMessages
  client: TollgateClient
  /** Words of the link that jumps over the navigation. */
  skip: string
}

/** The pages of an organization, and the one that makes a new one. */
export function OrganizationPage(props: OrganizationProps) {
  const { data, skip } = props
  return (
    <Frame {...props} className="account" header={<TopBar appName={data.appName} skip={skip} />}>
      <Content {...data} />
    </Frame>
  )
}

/** The members that a page's data shares with its component have the same names. */
function Content(data: OrganizationData) {
  switch (data.page) {
    case 'organization-new':
      return <CreateOrganization {...data} />
    case 'organization-overview':
      return <OrganizationSettings section="overview" {...data} />
    case 'organization-members':
      return <OrganizationSettings section="members" {...data} />
    case 'organization-invitations':
      return <OrganizationSettings section="invitations" {...data} />
    case 'organization-teams':
      return <OrganizationSettings section="teams" {...data} />
    case 'organization-roles':
      return <OrganizationSettings section="roles" {...data} />
    case 'organization-settings':
      return <OrganizationSettings section="settings" {...data} />
    case 'organization-audit':
      return <OrganizationSettings section="audit" {...data} />
    case 'organization-danger':
      return <OrganizationSettings section="danger" {...data} />
  }
}
