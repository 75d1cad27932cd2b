import type { Product } from '@tollgate/contract/billing-types'
import type { Db, Id } from '../../../foundation/db/database.ts'
import type { InputIssue } from '../../../foundation/error.ts'
import { readPrices, readProducts } from '../catalog/product.service.ts'
import { inBody } from '../invalid.ts'
import { selectedPrice } from './pricing.ts'

/** The products in a body: a list, or the older single id. */
export type NamedProducts = {
  readonly products?: readonly string[] | undefined
  readonly productId?: Id<'product'> | null | undefined
  readonly productPriceId?: Id<'productPrice'> | null | undefined
}

export type Offer = { readonly products: Product[]; readonly issues: InputIssue[] }

/** Loads those products, each once; reports those that are not for sale at their place in the body (CHK-1). */
export async function offeredProducts(
  db: Db,
  organizationId: Id<'organization'>,
  { products, productId, productPriceId }: NamedProducts,
): Promise<Offer> {
  if (products) {
    const known = await readProducts(db, organizationId, products)
    return offerOf(products.map((id, index) => sellable(known.get(id), ['products', index])))
  }
  if (productId != null)
    return offerOf([sellable((await readProducts(db, organizationId, [productId])).get(productId), ['product_id'])])
  if (productPriceId == null) return { products: [], issues: [inBody('products', 'Field required', 'missing')] }
  const price = (await readPrices(db, organizationId, [productPriceId])).get(productPriceId)
  if (!price || price.isArchived) {
    const msg = price ? 'Price is archived.' : 'Price does not exist.'
    return { products: [], issues: [inBody('product_price_id', msg)] }
  }
  const product = (await readProducts(db, organizationId, [price.productId])).get(price.productId)
  return offerOf([sellable(product, ['product_price_id'])])
}

function sellable(product: Product | undefined, path: (string | number)[]): Product | InputIssue {
  if (!product) return inBody(path, 'Product does not exist.')
  if (product.isArchived) return inBody(path, 'Product is archived.')
  return selectedPrice(product) ? product : inBody(path, 'Product has no price.')
}

function offerOf(found: readonly (Product | InputIssue)[]): Offer {
  const products = new Map(found.flatMap((each) => ('loc' in each ? [] : [[each.id, each]])))
  return { products: [...products.values()], issues: found.flatMap((each) => ('loc' in each ? [each] : [])) }
}
