import type { InferResult, Insertable, Updateable } from 'kysely'
import type { Db, Id, Tx } from '../../foundation/db/database.ts'
import { countRows } from '../../foundation/db/rows.ts'
import type { Tables } from '../../foundation/db/tables.ts'
import type { InvitationRow } from './answers.ts'

export type InvitationStatus = 'pending' | 'accepted' | 'rejected' | 'canceled'

/** An invitation with its organization and inviter. */
export type DescribedInvitationRow = InferResult<ReturnType<typeof described>>[number]

export const findInvitation = (db: Db, id: Id<'invitation'>): Promise<InvitationRow | undefined> =>
  db.selectFrom('invitation').selectAll().where('id', '=', id).executeTakeFirst()

/** Only invitations whose inviter still exists as a user. */
const described = (db: Db) =>
  db
    .selectFrom('invitation')
    .innerJoin('organization', 'organization.id', 'invitation.organizationId')
    .innerJoin('user', 'user.id', 'invitation.inviterId')
    .selectAll('invitation')
    .select(['organization.name as organizationName', 'organization.slug as organizationSlug'])
    .select(['organization.logo as organizationLogo'])
    .select(['user.name as inviterName', 'user.email as inviterEmail'])

export const findDescribedInvitation = (db: Db, id: Id<'invitation'>): Promise<DescribedInvitationRow | undefined> =>
  described(db).where('invitation.id', '=', id).executeTakeFirst()

const ofOrganization = (db: Db, organizationId: Id<'organization'>) =>
  db.selectFrom('invitation').selectAll().where('organizationId', '=', organizationId)
const pendingOf = (db: Db, organizationId: Id<'organization'>) =>
  ofOrganization(db, organizationId).where('status', '=', 'pending')

/** The one pending invitation of an address, possibly expired. */
export const findPendingInvitation = (db: Db, organizationId: Id<'organization'>, email: string) =>
  pendingOf(db, organizationId).where('email', '=', email).executeTakeFirst()

/** How many invitations of an organization can be accepted now. */
export const countOpenInvitations = (db: Db, organizationId: Id<'organization'>, now: Date): Promise<number> =>
  countRows(pendingOf(db, organizationId).where('expiresAt', '>', now))

export const insertInvitation = (tx: Tx, invitation: Insertable<Tables['invitation']>): Promise<InvitationRow> =>
  tx.insertInto('invitation').values(invitation).returningAll().executeTakeFirstOrThrow()

/** Updates a pending invitation; returns nothing if the sweep has just removed it. */
export const renewInvitationRow = (tx: Tx, id: Id<'invitation'>, changes: Updateable<Tables['invitation']>) =>
  tx
    .updateTable('invitation')
    .set(changes)
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .returningAll()
    .executeTakeFirst()

/**
 * Accepts, rejects or cancels an invitation; one of several concurrent calls gets the row. Only pending, unexpired
 * invitations can change (specification, section 4). Afterwards the proof only shows what became of the invitation.
 */
export const transitionInvitation = (
  tx: Tx,
  id: Id<'invitation'>,
  status: Exclude<InvitationStatus, 'pending'>,
  now: Date,
) =>
  tx
    .updateTable('invitation')
    .set({ status })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .where('expiresAt', '>', now)
    .returningAll()
    .executeTakeFirst()

type Page = { readonly limit: number; readonly offset: number }

/** Invitations of an organization, in every state or in one, newest first. */
export const listInvitationsOf = (
  db: Db,
  organizationId: Id<'organization'>,
  { status, limit, offset }: Page & { readonly status?: InvitationStatus | undefined },
): Promise<InvitationRow[]> => {
  const query = ofOrganization(db, organizationId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
  return (status === undefined ? query : query.where('status', '=', status)).execute()
}

/** Open invitations to an address whose inviter is still a member, newest first. */
export const listOpenInvitationsTo = (db: Db, email: string, now: Date, { limit, offset }: Page) =>
  described(db)
    .innerJoin('member', (join) =>
      join
        .onRef('member.organizationId', '=', 'invitation.organizationId')
        .onRef('member.userId', '=', 'invitation.inviterId'),
    )
    .where('invitation.email', '=', email)
    .where('invitation.status', '=', 'pending')
    .where('invitation.expiresAt', '>', now)
    .orderBy('invitation.createdAt', 'desc')
    .orderBy('invitation.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
