import { findBrand, saveBrand } from '../../foundation/brand.repository.ts'
import type { Context } from '../../foundation/context.ts'
import type { Tx } from '../../foundation/db/database.ts'
import {
  listPicturesElsewhere,
  type PictureElsewhere,
  replaceLogo,
  replaceUserImage,
  setPictureOrigin,
} from './picture.repository.ts'
import { pictureAddress } from './picture.service.ts'

const batch = 200

/** Rewrites the addresses of pictures after the installation's own address changed. */
export async function readdressPictures(ctx: Context): Promise<void> {
  const { origin } = ctx.config.baseURL
  for (let count = batch; count === batch; )
    count = await ctx.transaction(async (tx) => {
      const pictures = await listPicturesElsewhere(tx, origin, batch)
      for (const picture of pictures) await readdress(ctx, tx, picture, origin)
      return pictures.length
    })
}

/** The holder may have chosen another picture since, whose address stays. */
async function readdress(ctx: Context, tx: Tx, picture: PictureElsewhere, origin: string): Promise<void> {
  const { userId, organizationId } = picture
  const from = pictureAddress(picture, picture.publicOrigin)
  const to = pictureAddress(picture, origin)
  if (userId !== null) await replaceUserImage(tx, userId, from, to)
  else if (organizationId !== null) await replaceLogo(tx, organizationId, from, to)
  else {
    const brand = await findBrand(tx)
    if (brand.logo === from) await saveBrand(tx, { ...brand, logo: to }, ctx.clock.now())
  }
  await setPictureOrigin(tx, picture.id, origin)
}
