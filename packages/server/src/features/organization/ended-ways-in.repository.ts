import type { SelectQueryBuilder } from 'kysely'
import type { Db, Tx } from '../../foundation/db/database.ts'
import { hasRow } from '../../foundation/db/rows.ts'
import type { Tables } from '../../foundation/db/tables.ts'

/** Invitations, links and requests that ended before a moment, read by index and removed in batches. */
export type EndedWaysIn = {
  /** Whether any exist; a read that blocks no writer. */
  exist(db: Db, before: Date): Promise<boolean>
  /** Returns the number removed; if it equals the limit, more may remain. */
  remove(tx: Tx, before: Date, limit: number): Promise<number>
}

const endedRows = <Table extends 'invitation' | 'invitationLink' | 'joinRequest'>(
  table: Table,
  ended: (db: Db, before: Date) => SelectQueryBuilder<Tables, Table, { id: string }>,
): EndedWaysIn => ({
  exist: (db, before) => hasRow(ended(db, before).limit(1)),
  remove: async (tx, before, limit) => {
    const rows = tx.deleteFrom<'invitation' | 'invitationLink' | 'joinRequest'>(table)
    return (await rows.where('id', 'in', ended(tx, before).limit(limit)).returning('id').execute()).length
  },
})

const invitations = (db: Db, before: Date) => db.selectFrom('invitation').select('id').where('expiresAt', '<=', before)

/** By expiry: an answered or canceled invitation ended no later than that. */
export const endedInvitations = endedRows('invitation', invitations)

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
export const endedLinks = endedRows('invitationLink', links)

const requests = (db: Db, before: Date) => db.selectFrom('joinRequest').select('id').where('decidedAt', '<=', before)

export const answeredRequests = endedRows('joinRequest', requests)
