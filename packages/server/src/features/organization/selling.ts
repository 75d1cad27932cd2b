import type { Context } from '../../foundation/context.ts'
import type { Db, Id, Tx } from '../../foundation/db/database.ts'

declare module '../../foundation/context.ts' {
  interface Ports {
    readonly selling: SellingOfOrganizations
  }
}

/** What organizations need from billing, a higher layer that implements it. */
export type SellingOfOrganizations = {
  /**
   * Approves the first organization that an administrator of the installation creates (architecture, "Organization,
   * merchant, customer"); all later ones wait for the operator. The caller has checked that its creator is an
   * administrator.
   */
  approveFirst(ctx: Context, tx: Tx, organizationId: Id<'organization'>, actorId: Id<'user'> | null): Promise<void>
  /** Tells the organization's webhooks about a change of name, slug or picture, if it is a merchant. */
  tellProfile(ctx: Context, tx: Tx, organizationId: Id<'organization'>, actorId: Id<'user'> | null): Promise<void>
  /** Whether the books of an organization must stay. In a transaction it also blocks further sales until the end. */
  hasSold(db: Db, organizationId: Id<'organization'>): Promise<boolean>
  /**
   * Ends the selling side of an organization that the transaction deletes. Its file rows go with the transaction, their
   * bytes after the commit. Throws ORGANIZATION_HAS_ORDERS if it has sold something.
   */
  end(ctx: Context, tx: Tx, organizationId: Id<'organization'>): Promise<void>
}
