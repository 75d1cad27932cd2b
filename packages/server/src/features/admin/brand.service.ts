import type { InstallationBrand } from '@tollgate/contract/brand'
import type { ParsedBody } from '@tollgate/contract/types'
import { findBrand, saveBrand } from '../../foundation/brand.repository.ts'
import { TollgateError } from '../../foundation/error.ts'
import { emit } from '../../foundation/outbox.ts'
import { requireAdmin, transactionAsAdministrator } from '../identity/access.ts'
import type { AuthHandler } from '../identity/auth-handler.ts'
import { normalizeImage } from '../identity/profile-rules.ts'

/** How the pages and mails of the installation look. */
export const adminGetBrand: AuthHandler<'adminGetBrand'> = ({ ctx, session }) => {
  requireAdmin(ctx, session, 'brand', 'update', 'ADMIN_MANAGE_BRAND')
  return findBrand(ctx.db)
}

/** Changes it. The next page of each process shows the change, because pages read it from the database. */
export const adminUpdateBrand: AuthHandler<'adminUpdateBrand'> = async ({ ctx, session, body }) => {
  requireAdmin(ctx, session, 'brand', 'update', 'ADMIN_MANAGE_BRAND')
  const now = ctx.clock.now()
  const changes = checkedChanges(body)
  return transactionAsAdministrator(ctx, session, 'ADMIN_MANAGE_BRAND', async (tx) => {
    const brand = { ...(await findBrand(tx)), ...changes }
    await saveBrand(tx, brand, now)
    const data = { fields: Object.keys(changes).join() }
    await emit(tx, now, { type: 'brand.updated', actorId: session.user.id, userId: null, data })
    return brand
  })
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
