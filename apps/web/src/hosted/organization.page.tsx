import type { TollgateClient } from '@tollgate/client'
import type { OrganizationFrame, PageData } from '@tollgate/contract/pages'
import {
  CreateOrganization,
  defaultPaths,
  OrganizationSettings,
  OrganizationSwitcher,
  type PageMessages,
} from '@tollgate/react'
import { Frame } from './frame.tsx'
import { TopBar } from './top-bar.tsx'

type OrganizationData = PageData<
  | 'organization-overview'
  | 'organization-members'
  | 'organization-invitations'
  | 'organization-teams'
  | 'organization-roles'
  | 'organization-settings'
  | 'organization-audit'
  | 'organization-danger'
  | 'organization-new'
>

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
    <Frame
      {...props}
      className="account"
      header={<TopBar appName={data.appName} skip={skip} administers={data.administers} />}
    >
      <Content {...data} />
    </Frame>
  )
}

/** A page's data and its component use the same names for what they share. */
function Content(data: OrganizationData) {
  if (data.page === 'organization-new') return <CreateOrganization {...data} brand={false} />
  const switcher = <Switcher {...data} />
  switch (data.page) {
    case 'organization-overview':
      return <OrganizationSettings section="overview" switcher={switcher} {...data} />
    case 'organization-members':
      return <OrganizationSettings section="members" switcher={switcher} {...data} />
    case 'organization-invitations':
      return <OrganizationSettings section="invitations" switcher={switcher} {...data} />
    case 'organization-teams':
      return <OrganizationSettings section="teams" switcher={switcher} {...data} />
    case 'organization-roles':
      return <OrganizationSettings section="roles" switcher={switcher} {...data} />
    case 'organization-settings':
      return <OrganizationSettings section="settings" switcher={switcher} {...data} />
    case 'organization-audit':
      return <OrganizationSettings section="audit" switcher={switcher} {...data} />
    case 'organization-danger':
      return <OrganizationSettings section="danger" switcher={switcher} {...data} />
  }
}

/** Shows the organization that the page is about, which need not be the active one, and leads to the pages of another. */
function Switcher({ organization, member, dashboard }: OrganizationFrame) {
  return (
    <OrganizationSwitcher
      current={{ ...organization, role: member.role }}
      dashboard={dashboard}
      to={(chosen) => (chosen ? `${defaultPaths.organization}/${chosen.slug}` : defaultPaths.account)}
    />
  )
}
