import type { Db, Id } from '../../foundation/db/database.ts'

/** Organizations that accept members of a verified domain, without those that the user is in. */
export const listJoinable = (
  db: Db,
  { domain, userId }: { readonly domain: string; readonly userId: Id<'user'> },
  page: { limit: number; offset: number },
) =>
  db
    .selectFrom('organizationDomain')
    .innerJoin('organization', 'organization.id', 'organizationDomain.organizationId')
    .leftJoin('joinRequest', (join) =>
      join
        .onRef('joinRequest.organizationId', '=', 'organization.id')
        .on('joinRequest.userId', '=', userId)
        .on('joinRequest.status', '=', 'pending'),
    )
    .select(['organization.id', 'organization.name', 'organization.slug', 'organization.logo'])
    .select(['organizationDomain.joinMode', 'joinRequest.status'])
    .where('organizationDomain.domain', '=', domain)
    .where('organizationDomain.verifiedAt', 'is not', null)
    .where('organizationDomain.joinMode', '!=', 'off')
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('member')
            .select('member.id')
            .whereRef('member.organizationId', '=', 'organization.id')
            .where('member.userId', '=', userId),
        ),
      ),
    )
    .orderBy('organization.id')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
