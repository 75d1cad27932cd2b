import { splitRoles } from '@tollgate/contract/calls'
import type { Config } from '../config.ts'
import type { Db } from '../db/database.ts'
import { listRolesInOldest } from './membership.repository.ts'

/** So many organizations are looked at, those made first: they are the ones that another creator's role has made. */
const lookedAt = 100

/**
 * What is wrong, in a sentence, when an organization has members of whom none holds the creator's role: nobody can hand it
 * over or make owners, and the last who could may leave. That happens when the role gets another name in the configuration.
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
    : `organization.creatorRole is "${creatorRole}", which no member of organization ${ownerless} holds: it has no owner`
}
