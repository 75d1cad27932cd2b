import type { Context } from '../context.ts'
import { hasSha256 } from '../token.ts'
import type { InvitationRow } from './answers.ts'
import { findInvitation } from './invitation.repository.ts'

/** What the secret in the mail of an invitation proves: that whoever has it reads the invited mailbox (security, §0). */

/** Whether an invitation can be acted on. At the very moment when it runs out it has run out. */
export const isOpen = (ctx: Context, invitation: InvitationRow): boolean =>
  invitation.status === 'pending' && invitation.expiresAt > ctx.clock.now()

/** Whether a secret is that of the newest mail of an invitation. */
export const isProofOf = (invitation: InvitationRow, proof: string | undefined): boolean =>
  proof !== undefined && invitation.proofHash !== null && hasSha256(proof, invitation.proofHash)

/** Whether somebody has the mail of an open invitation to an address. Using it up is for who answers the invitation. */
export async function provesAddress(
  ctx: Context,
  email: string,
  { invitationId, invitationProof }: { invitationId?: string | undefined; invitationProof?: string | undefined },
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
