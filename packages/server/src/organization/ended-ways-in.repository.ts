import type { Tx } from '../db/database.ts'

/**
 * Ways into organizations that ended before a moment, removed some at a time, by index. How many went is answered: as long as
 * there are as many as were asked for, there may be more.
 */
export type RemoveEnded = (tx: Tx, before: Date, limit: number) => Promise<number>

/** By when they would have run out: what somebody has answered, or taken back, was so at that time at the latest. */
export const removeEndedInvitations: RemoveEnded = async (tx, before, limit) => {
  const ended = tx.selectFrom('invitation').select('id').where('expiresAt', '<=', before).limit(limit)
  return (await tx.deleteFrom('invitation').where('id', 'in', ended).returning('id').execute()).length
}

/**
 * Links that were revoked, have run out or, made before that, are used up. One by which somebody asked to join stays while
 * they wait: the answer looks at it.
 */
export const removeEndedLinks: RemoveEnded = async (tx, before, limit) => {
  const ended = tx
    .selectFrom('invitationLink')
    .select('invitationLink.id')
    .where((where) =>
      where.or([
        where('invitationLink.revokedAt', '<=', before),
        where('invitationLink.expiresAt', '<=', before),
        where.and([
          where('invitationLink.uses', '>=', where.ref('invitationLink.maxUses')),
          where('invitationLink.createdAt', '<=', before),
        ]),
      ]),
    )
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('joinRequest')
            .select('joinRequest.id')
            .whereRef('joinRequest.organizationId', '=', 'invitationLink.organizationId')
            .where('joinRequest.status', '=', 'pending')
            .whereRef('joinRequest.linkId', '=', 'invitationLink.id'),
        ),
      ),
    )
    .limit(limit)
  return (await tx.deleteFrom('invitationLink').where('id', 'in', ended).returning('id').execute()).length
}

export const removeAnsweredRequests: RemoveEnded = async (tx, before, limit) => {
  const answered = tx.selectFrom('joinRequest').select('id').where('decidedAt', '<=', before).limit(limit)
  return (await tx.deleteFrom('joinRequest').where('id', 'in', answered).returning('id').execute()).length
}
