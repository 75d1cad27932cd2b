import type { Context } from '../../../foundation/context.ts'
import type { Id } from '../../../foundation/db/database.ts'
import { findMerchant } from './merchant.repository.ts'

/** Whether an organization may sell under the configuration. */
export const maySell = ({ config }: Pick<Context, 'config'>, { approvedAt }: { approvedAt: Date | null }): boolean =>
  approvedAt !== null || (config.billing !== false && config.billing.whoMaySell === 'everyone')

/** The same by id; `db` may be a transaction. */
export const organizationMaySell = async (
  { config, db }: Pick<Context, 'config' | 'db'>,
  organizationId: Id<'organization'>,
): Promise<boolean> => maySell({ config }, (await findMerchant(db, organizationId)) ?? { approvedAt: null })
