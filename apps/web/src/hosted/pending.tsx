import type { PageData } from '@tollgate/contract/pages'
import { Screen } from '@tollgate/react'

/** Stands for components that are on their way. */
export const OrganizationSettings = ({
  section,
  organization,
}: {
  section: string
  organization: { name: string }
}) => <Screen title={`${organization.name} ${section}`} />
export const CreateOrganization = (data: PageData<'organization-new'>) => <Screen title={data.may} />
export const AcceptInvitation = (data: PageData<'accept-invitation'>) => (
  <Screen title={data.status} text={data.invitation?.email} />
)
export const JoinOrganization = (data: PageData<'join-organization'>) => <Screen title={data.status} />
