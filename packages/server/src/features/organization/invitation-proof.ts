import type { Context } from '../../foundation/context.ts'
import type { Id } from '../../foundation/db/database.ts'
import { hasSha256 } from '../../foundation/token.ts'
import type { InvitationRow } from './answers.ts'
import { findInvitation } from './invitation.repository.ts'

/** The secret in an invitation's mail proves access to the invited mailbox (security, §0). */

/** Whether an invitation can be acted on; at the exact moment of expiry it cannot. */
export const isOpen = (ctx: Context, invitation: InvitationRow): boolean =>
  invitation.status === 'pending' && invitation.expiresAt > ctx.clock.now()

/** Whether a secret is that of an invitation's newest mail. */
export const isProofOf = (invitation: InvitationRow, proof: string | undefined): boolean =>
  proof !== undefined && invitation.proofHash !== null && hasSha256(proof, invitation.proofHash)

/**
 * Whether a user has the mail of an open invitation to an address. Answering the invitation consumes the proof, this
 * check does not.
 */
export async function provesAddress(
  ctx: Context,
  email: string,
  {
    invitationId,
    invitationProof,
  }: { invitationId?: Id<'invitation'> | undefined; invitationProof?: string | undefined },
): Promise<boolean> {
  if (ctx.config.organization === false || invitationId === undefined || invitationProof === undefined) return false
  const invitation = await findInvitation(ctx.db, invitationId)
  return (
    invitation !== undefined &&
    invitation.email === email &&
    isOpen(ctx, invitation) &&
    isProofOf(invitation, invitationProof)
  )
}
