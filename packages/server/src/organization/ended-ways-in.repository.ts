import type { Db, Tx } from '../db/database.ts'

/** Ways into organizations that ended before a moment: found by index, and removed some at a time. */
export type EndedWaysIn = {
  /** Whether there are any: a look, for which nobody else has to wait. */
  exist(db: Db, before: Date): Promise<boolean>
  /** How many went is answered: as long as there are as many as were asked for, there may be more. */
  remove(tx: Tx, before: Date, limit: number): Promise<number>
}

const invitations = (db: Db, before: Date) => db.selectFrom('invitation').select('id').where('expiresAt', '<=', before)

/** By when they would have run out: what somebody has answered, or taken back, was so at that time at the latest. */
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
 * Links that were revoked, have run out or, made before that, are used up. One by which somebody asked to join stays while
 * they wait: the answer looks at it.
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
