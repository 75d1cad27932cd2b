import type { Db, Tx } from '../../foundation/db/database.ts'

/** Invitations, links and requests that ended before a moment, read by index and removed in batches. */
export type EndedWaysIn = {
  /** Whether any exist; a read that blocks no writer. */
  exist(db: Db, before: Date): Promise<boolean>
  /** Returns the number removed; if it equals the limit, more may remain. */
  remove(tx: Tx, before: Date, limit: number): Promise<number>
}

const invitations = (db: Db, before: Date) => db.selectFrom('invitation').select('id').where('expiresAt', '<=', before)

/** By expiry: an answered or canceled invitation ended no later than that. */
export const endedInvitations: EndedWaysIn = {
  exist: async (db, before) => (await invitations(db, before).limit(1).executeTakeFirst()) !== undefined,
  remove: async (tx, before, limit) => {
    const ended = invitations(tx, before).limit(limit)
    return (await tx.deleteFrom('invitation').where('id', 'in', ended).returning('id').execute()).length
  },
}

const links = (db: Db, before: Date) =>
  db
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

/**
 * Links that were revoked, expired, or are used up and were created before. A link with a pending join request stays,
 * because the decision reads it.
 */
export const endedLinks: EndedWaysIn = {
  exist: async (db, before) => (await links(db, before).limit(1).executeTakeFirst()) !== undefined,
  remove: async (tx, before, limit) => {
    const ended = links(tx, before).limit(limit)
    return (await tx.deleteFrom('invitationLink').where('id', 'in', ended).returning('id').execute()).length
  },
}

const requests = (db: Db, before: Date) => db.selectFrom('joinRequest').select('id').where('decidedAt', '<=', before)

export const answeredRequests: EndedWaysIn = {
  exist: async (db, before) => (await requests(db, before).limit(1).executeTakeFirst()) !== undefined,
  remove: async (tx, before, limit) => {
    const answered = requests(tx, before).limit(limit)
    return (await tx.deleteFrom('joinRequest').where('id', 'in', answered).returning('id').execute()).length
  },
}
