import type { InstallationBrand } from '@tollgate/contract/brand'
import type { ParsedBody } from '@tollgate/contract/types'
import { findBrand, saveBrand } from '../../foundation/brand.repository.ts'
import type { Context } from '../../foundation/context.ts'
import type { Tx } from '../../foundation/db/database.ts'
import type { SessionRow } from '../../foundation/db/session-row.ts'
import { TollgateError } from '../../foundation/error.ts'
import { emit } from '../../foundation/outbox.ts'
import { requireAdmin, transactionAsAdministrator } from '../identity/access.ts'
import type { AuthHandler } from '../identity/auth-handler.ts'
import { normalizeImage } from '../identity/profile-rules.ts'
import { forgetUnlessShown, receivePicture, storePicture } from '../pictures/picture.service.ts'

/** How the pages and mails of the installation look. */
export const adminGetBrand: AuthHandler<'adminGetBrand'> = ({ ctx, session }) => {
  requireAdmin(ctx, session, 'brand', 'update', 'ADMIN_MANAGE_BRAND')
  return findBrand(ctx.db)
}

/** Changes it. The next page of each process shows the change, because pages read it from the database. */
export const adminUpdateBrand: AuthHandler<'adminUpdateBrand'> = async ({ ctx, session, body }) => {
  requireAdmin(ctx, session, 'brand', 'update', 'ADMIN_MANAGE_BRAND')
  const changes = checkedChanges(body)
  return transactionAsAdministrator(ctx, session, 'ADMIN_MANAGE_BRAND', (tx) => writeBrand(ctx, tx, session, changes))
}

/** Stores an uploaded picture as the logo, in place of an earlier uploaded one. */
export const adminUploadBrandLogo: AuthHandler<'adminUploadBrandLogo'> = async ({ ctx, session, file }) => {
  requireAdmin(ctx, session, 'brand', 'update', 'ADMIN_MANAGE_BRAND')
  const picture = await receivePicture(ctx, session.user.id, file)
  return transactionAsAdministrator(ctx, session, 'ADMIN_MANAGE_BRAND', async (tx) => {
    await storePicture(ctx, tx, {}, picture)
    return writeBrand(ctx, tx, session, { logo: picture.url })
  })
}

/** Writes checked changes and their event. */
async function writeBrand(
  ctx: Context,
  tx: Tx,
  { user }: SessionRow,
  changes: Partial<InstallationBrand>,
): Promise<InstallationBrand> {
  const now = ctx.clock.now()
  const brand = { ...(await findBrand(tx)), ...changes }
  await saveBrand(tx, brand, now)
  if (changes.logo !== undefined) await forgetUnlessShown(tx, {}, changes.logo)
  const data = { fields: Object.keys(changes).join() }
  await emit(tx, now, { type: 'brand.updated', actorId: user.id, userId: null, data })
  return brand
}

function checkedChanges({
  color,
  background,
  radius,
  logo,
}: ParsedBody<'adminUpdateBrand'>): Partial<InstallationBrand> {
  const picture = logo ? normalizeImage(logo) : logo
  if (picture === null && logo) throw new TollgateError('INVALID_IMAGE')
  return {
    ...(color !== undefined && { color }),
    ...(background !== undefined && { background }),
    ...(radius !== undefined && { radius }),
    ...(picture !== undefined && { logo: picture || null }),
  }
}
