import { type InstallationBrand, noBrand } from '@tollgate/contract/brand'
import type { Db, Tx } from './db/database.ts'
import { prepare } from './db/prepared.ts'

/** Setting with the brand of the installation, as JSON. */
const brandSetting = 'brand'

/** The product's own look, until an administrator chooses another. */
export const usualBrand: InstallationBrand = { ...noBrand, logo: null }

export async function findBrand(db: Db): Promise<InstallationBrand> {
  const [row] = await brandOf(db, {})
  return row ? { ...usualBrand, ...JSON.parse(row.value) } : usualBrand
}

const brandOf = prepare((db) => db.selectFrom('setting').select('value').where('key', '=', brandSetting))

export async function saveBrand(tx: Tx, brand: InstallationBrand, now: Date): Promise<void> {
  const value = JSON.stringify(brand)
  await tx
    .insertInto('setting')
    .values({ key: brandSetting, value, updatedAt: now })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value, updatedAt: now }))
    .execute()
}
