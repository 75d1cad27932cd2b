import type { TollgateClient } from '@tollgate/client'
import type { PageData } from '@tollgate/contract/pages'
import {
  CreateOrganization,
  type OnCount,
  OrganizationSettings,
  type PageMessages,
  useOrganizationCounts,
} from '@tollgate/react'
import { Frame } from './frame.tsx'
import {
  OrganizationBar,
  OrganizationSide,
  type SchemeLink,
  type ShellTexts,
  type ShownGroup,
} from './organization-shell.tsx'
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
  texts: ShellTexts
  schemes: readonly SchemeLink[]
  /** The pages of the organization for the sidebar; none where an organization is created. */
  groups: readonly ShownGroup[]
  icons?: Readonly<Record<string, string>>
}

/** The pages of an organization, and the one that makes a new one. */
export function OrganizationPage(props: OrganizationProps) {
  const { data, texts, schemes } = props
  if (data.page !== 'organization-new') return <Place {...props} data={data} />
  return (
    <Frame
      {...props}
      className="account"
      header={
        <TopBar
          menuLinks={schemes}
          appName={data.appName}
          logo={data.logo}
          skip={texts.skip}
          administers={data.administers}
        />
      }
    >
      <CreateOrganization {...data} brand={false} />
    </Frame>
  )
}

type PlaceData = Exclude<OrganizationData, { page: 'organization-new' }>

/** A page of an organization, in the frame that selling has too. */
function Place({ data, groups, icons, texts, schemes, ...rest }: OrganizationProps & { data: PlaceData }) {
  const [counts, count] = useOrganizationCounts(data.counts)
  return (
    <Frame
      {...rest}
      data={data}
      className="place"
      side={<OrganizationSide {...{ data, groups, icons, counts, texts }} />}
      header={<OrganizationBar {...{ data, groups, texts, schemes }} />}
    >
      <Content {...data} onCount={count} />
    </Frame>
  )
}

/** A page's data and its component use the same names for what they share. */
function Content(data: PlaceData & { onCount: OnCount }) {
  switch (data.page) {
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
