import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db, Id, Tx } from '../../foundation/db/database.ts'
import type { Tables } from '../../foundation/db/tables.ts'

export type PictureRow = Selectable<Tables['picture']>

/** Whose picture it is; neither: the installation's. */
export type Holder = Pick<PictureRow, 'userId' | 'organizationId'>

export const findPicture = (db: Db, id: string): Promise<PictureRow | undefined> =>
  db.selectFrom('picture').selectAll().where('id', '=', id).executeTakeFirst()

/** Stores a picture in place of the holder's former one. The caller has locked the holder. */
export async function replacePicture(tx: Tx, picture: Insertable<Tables['picture']> & Holder): Promise<void> {
  await deletePictureOf(tx, picture)
  await tx.insertInto('picture').values(picture).execute()
}

export async function deletePictureOf(tx: Tx, { userId, organizationId }: Holder): Promise<void> {
  await tx
    .deleteFrom('picture')
    .where('userId', userId === null ? 'is' : '=', userId)
    .where('organizationId', organizationId === null ? 'is' : '=', organizationId)
    .execute()
}

export const findPictureOf = (tx: Tx, { userId, organizationId }: Holder) =>
  tx
    .selectFrom('picture')
    .select('id')
    .where('userId', userId === null ? 'is' : '=', userId)
    .where('organizationId', organizationId === null ? 'is' : '=', organizationId)
    .executeTakeFirst()

/**
 * Deletes pictures that their holders no longer show. It is one statement, so that it sees a picture and its address
 * together, as the transaction of an upload writes them.
 */
export async function deleteUnshownPictures(tx: Tx): Promise<void> {
  const address = sql<string>`'%/pictures/' || ${sql.ref('picture.id')} || '.%'`
  await tx
    .deleteFrom('picture')
    .where(({ and, exists, not, selectFrom }) =>
      and([
        not(
          exists(
            selectFrom('user')
              .select('user.id')
              .whereRef('user.id', '=', 'picture.userId')
              .where('user.image', 'like', address),
          ),
        ),
        not(
          exists(
            selectFrom('organization')
              .select('organization.id')
              .whereRef('organization.id', '=', 'picture.organizationId')
              .where('organization.logo', 'like', address),
          ),
        ),
        // The brand of the installation.
        not(exists(selectFrom('setting').select('setting.key').where('setting.value', 'like', address))),
      ]),
    )
    .execute()
}

/** Pictures whose address has another origin, and so do the rows of their holders. */
export const listPicturesElsewhere = (tx: Tx, publicOrigin: string, limit: number) =>
  tx
    .selectFrom('picture')
    .select(['id', 'mediaType', 'publicOrigin', 'userId', 'organizationId'])
    .where('publicOrigin', '<>', publicOrigin)
    .orderBy('publicOrigin')
    .orderBy('id')
    .limit(limit)
    .execute()

export type PictureElsewhere = Awaited<ReturnType<typeof listPicturesElsewhere>>[number]

export async function setPictureOrigin(tx: Tx, id: Id<'picture'>, publicOrigin: string): Promise<void> {
  await tx.updateTable('picture').set({ publicOrigin }).where('id', '=', id).execute()
}

export async function replaceUserImage(tx: Tx, id: Id<'user'>, from: string, to: string): Promise<void> {
  await tx.updateTable('user').set({ image: to }).where('id', '=', id).where('image', '=', from).execute()
}

export async function replaceLogo(tx: Tx, id: Id<'organization'>, from: string, to: string): Promise<void> {
  await tx.updateTable('organization').set({ logo: to }).where('id', '=', id).where('logo', '=', from).execute()
}
