import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db, Id, Tx } from '../../foundation/db/database.ts'
import type { Tables } from '../../foundation/db/tables.ts'

export type PictureRow = Selectable<Tables['picture']>

/** Whose picture it is; neither: the installation's. */
export type Holder = Pick<PictureRow, 'userId' | 'organizationId'>

/** A picture, or a logo that another one has replaced. */
export const findPicture = async (db: Db, id: string): Promise<Shown | undefined> =>
  (await db.selectFrom('picture').select(shown).where('id', '=', id).executeTakeFirst()) ??
  (await db.selectFrom('formerLogo').select(shown).where('id', '=', id).executeTakeFirst())

const shown = ['mediaType', 'content'] as const
type Shown = Pick<PictureRow, (typeof shown)[number]>

/** The most replaced logos of a holder that stay. */
const mostFormerLogos = 10

/**
 * Stores a picture in place of the holder's former one, which vanishes if it is a user's. A replaced logo keeps its
 * address. The caller has locked the holder.
 */
export async function replacePicture(tx: Tx, picture: Insertable<Tables['picture']> & Holder): Promise<void> {
  if (picture.userId === null) await keepFormerLogo(tx, picture.organizationId, picture.createdAt)
  await deletePictureOf(tx, picture)
  await tx.insertInto('picture').values(picture).execute()
}

async function keepFormerLogo(tx: Tx, organizationId: Holder['organizationId'], replacedAt: Date): Promise<void> {
  const replaced = await tx
    .selectFrom('picture')
    .select(['id', 'organizationId', 'mediaType', 'width', 'height', 'content'])
    .where('userId', 'is', null)
    .where('organizationId', organizationId === null ? 'is' : '=', organizationId)
    .execute()
  if (replaced.length === 0) return
  await tx
    .insertInto('formerLogo')
    .values(replaced.map((logo) => ({ ...logo, replacedAt })))
    .execute()
  const kept = await formerLogosOf(tx, organizationId)
  const tooMany = kept.slice(mostFormerLogos).map(({ id }) => id)
  if (tooMany.length > 0) await tx.deleteFrom('formerLogo').where('id', 'in', tooMany).execute()
}

/** The last one first. */
const formerLogosOf = (tx: Tx, organizationId: Holder['organizationId']) =>
  tx
    .selectFrom('formerLogo')
    .select('id')
    .where('organizationId', organizationId === null ? 'is' : '=', organizationId)
    .orderBy('replacedAt', 'desc')
    .orderBy('id')
    .execute()

/** Deletes all that the holder has uploaded. */
export async function deleteAllPicturesOf(tx: Tx, holder: Holder): Promise<void> {
  await deletePictureOf(tx, holder)
  const { userId, organizationId } = holder
  if (userId !== null) return
  await tx
    .deleteFrom('formerLogo')
    .where('organizationId', organizationId === null ? 'is' : '=', organizationId)
    .execute()
}

async function deletePictureOf(tx: Tx, { userId, organizationId }: Holder): Promise<void> {
  await tx
    .deleteFrom('picture')
    .where('userId', userId === null ? 'is' : '=', userId)
    .where('organizationId', organizationId === null ? 'is' : '=', organizationId)
    .execute()
}

/** The holder's picture and replaced logos. */
export async function listPicturesOf(tx: Tx, { userId, organizationId }: Holder): Promise<{ id: Id<'picture'> }[]> {
  const current = await tx
    .selectFrom('picture')
    .select('id')
    .where('userId', userId === null ? 'is' : '=', userId)
    .where('organizationId', organizationId === null ? 'is' : '=', organizationId)
    .execute()
  return userId === null ? [...current, ...(await formerLogosOf(tx, organizationId))] : current
}

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
