import { splitRoles } from '@tollgate/contract/calls'
import type { Config } from '../../foundation/config/config.ts'
import type { Db } from '../../foundation/db/database.ts'
import { listRolesInOldest } from './membership.repository.ts'

/** How many organizations to check, oldest first: a previous creator's role made those. */
const lookedAt = 100

/**
 * A warning if an organization has members but none with the creator's role, as after a rename in the configuration.
 * Then no member can transfer it or make owners, and the last former owner could leave.
 */
export async function findOwnerless(
  db: Db,
  { organization }: Pick<Config, 'organization'>,
): Promise<string | undefined> {
  if (organization === false) return undefined
  const { creatorRole } = organization
  const owned = new Map<string, boolean>()
  for (const { organizationId, role } of await listRolesInOldest(db, lookedAt))
    owned.set(organizationId, owned.get(organizationId) === true || splitRoles(role).includes(creatorRole))
  const ownerless = [...owned].find(([, isOwned]) => !isOwned)?.[0]
  return ownerless === undefined
    ? undefined
    : `No owner: organization.creatorRole is "${creatorRole}", which no member of organization ${ownerless} holds`
}
