import type { ClientError } from '@tollgate/client'
import { type AccessRequest, accessRole, type Connector } from '@tollgate/contract/calls'
import type { Answer } from '@tollgate/contract/types'
import { useTollgate } from './use-session.ts'
import { useStore } from './use-store.ts'

type FullOrganization = NonNullable<Answer<'getFullOrganization'>>

/** The active organization as it stands; null and empty lists where none is active. */
export type OrganizationState = {
  readonly organization: FullOrganization | null
  readonly members: FullOrganization['members']
  readonly invitations: FullOrganization['invitations']
  readonly teams: NonNullable<FullOrganization['teams']>
  /** The viewer's own membership, with what it allows. */
  readonly membership: Answer<'getActiveMember'> | null
  /** True until both are known. */
  readonly pending: boolean
  readonly error: ClientError | null
  refetch(): Promise<void>
}

/**
 * The active organization and the viewer's membership of it. Both are read again after calls that change them, here and in
 * other tabs; `initialActiveOrganization` and `initialActiveMember` of the client save the first read.
 */
export function useOrganization(): OrganizationState {
  const { activeOrganization, activeMember } = useTollgate()
  const full = useStore(activeOrganization)
  const membership = useStore(activeMember)
  return {
    organization: full.data,
    members: full.data?.members ?? [],
    invitations: full.data?.invitations ?? [],
    teams: full.data?.teams ?? [],
    membership: membership.data,
    pending: full.pending || membership.pending,
    error: full.error ?? membership.error,
    refetch: async () => {
      await Promise.all([activeOrganization.refetch(), activeMember.refetch()])
    },
  }
}

/** The organizations that the viewer is in, and a way to read them again. */
export function useOrganizations() {
  const { organizations } = useTollgate()
  const { data, pending, error } = useStore(organizations)
  return { organizations: data ?? [], pending, error, refetch: organizations.refetch }
}

/**
 * Whether the viewer has permissions in the active organization, such as `{ member: ['create'] }`; with the connector
 * `OR`, any of them. Undefined until known, false without an active organization. Several roles add up. It only
 * decides what to render: the server checks every call itself.
 */
export function usePermission(request: AccessRequest, connector?: Connector): boolean | undefined {
  const { data, pending } = useStore(useTollgate().activeMember)
  if (!data) return pending ? undefined : false
  return accessRole(data.permissions).authorize(request, connector).success
}
