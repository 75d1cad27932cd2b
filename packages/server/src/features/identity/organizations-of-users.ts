import type { Answer } from '@tollgate/contract/types'
import type { Context } from '../../foundation/context.ts'
import type { Id, Tx } from '../../foundation/db/database.ts'

declare module '../../foundation/context.ts' {
  interface Ports {
    readonly organizationsOfUsers: OrganizationsOfUsers
  }
}

/** What accounts need from organizations, a higher layer that implements it. */
export type OrganizationsOfUsers = {
  /** Whether the proof comes from the mail of an open invitation to the address. */
  provesAddress(
    ctx: Context,
    email: string,
    proof: { invitationId?: Id<'invitation'> | undefined; invitationProof?: string | undefined },
  ): Promise<boolean>
  /** What would happen to a user's organizations if the user were deleted now. */
  previewDeletion(ctx: Context, userId: Id<'user'>): Promise<Answer<'previewUserDeletion'>>
  /** Throws ONLY_OWNER for a user who cannot be deleted at present. */
  refuseNeeded(ctx: Context, userId: Id<'user'>): Promise<void>
  /**
   * Ends a user's memberships, and the organizations without other members. The caller has locked the user. Throws
   * ONLY_OWNER if other members would be left without an owner. Returns a function that calls the application's hooks;
   * call it after the commit.
   */
  leaveAll(ctx: Context, tx: Tx, userId: Id<'user'>, actorId: Id<'user'>): Promise<() => void>
}
