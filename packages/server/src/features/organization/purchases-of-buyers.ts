import type { Answer } from '@tollgate/contract/types'
import type { Context } from '../../foundation/context.ts'
import type { Db, Id, Tx } from '../../foundation/db/database.ts'

declare module '../../foundation/context.ts' {
  interface Ports {
    readonly purchasesOfBuyers: PurchasesOfBuyers
  }
}

/** Who buys on this server: an account, and organizations that buy as such. */
export type Buyers = {
  readonly userId: Id<'user'> | null
  readonly organizationIds: readonly Id<'organization'>[]
}

/** What a deletion ends of purchases. */
export type EndingPurchases = Answer<'previewUserDeletion'>['purchases']

/** What deletions need from billing, a higher layer that implements it. */
export type PurchasesOfBuyers = {
  /** What `endAll` would end now. */
  plan(db: Db, buyers: Buyers): Promise<EndingPurchases>
  /**
   * Ends the buyers' subscriptions at every seller, with their open orders, saved cards and sessions of portals, in the
   * transaction that deletes the buyers. Sellers keep their customers, who are linked to no account then. The caller has
   * locked the account and the organizations, and no row of a seller.
   */
  endAll(ctx: Context, tx: Tx, buyers: Buyers, actorId: Id<'user'> | null): Promise<void>
}
