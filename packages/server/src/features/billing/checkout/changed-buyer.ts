import type { Db } from '../../../foundation/db/database.ts'
import { normalizeEmail } from '../../identity/profile-rules.ts'
import { type Address, checkedAddress } from '../customer/address.ts'
import { findCustomer } from '../customer/customer.repository.ts'
import { checkedTaxId } from '../customer/tax-id.ts'
import { inBody } from '../invalid.ts'
import type { CheckoutRow } from './checkout.repository.ts'
import type { BuyerAccount } from './checkout-buyer.ts'
import type { ChangedBy, CheckoutChanges, Tell } from './checkout-changes.ts'

export type BuyerPart = Pick<
  CheckoutRow,
  | 'customerEmail'
  | 'customerName'
  | 'customerBillingName'
  | 'customerBillingAddress'
  | 'customerTaxId'
  | 'isBusinessCustomer'
  | 'customerIpAddress'
  | 'userId'
  | 'buyerOrganizationId'
>

/** The buyer's data after the change. */
export async function changedBuyer(
  db: Db,
  row: CheckoutRow,
  changes: CheckoutChanges,
  by: ChangedBy,
  tell: Tell,
): Promise<BuyerPart> {
  const link = by.by === 'buyer' ? await linkTo(db, row, by.account) : pickLink(row)
  const isLinked = link.userId !== null || link.buyerOrganizationId !== null
  const known = by.by === 'buyer' && isLinked ? by.account : undefined
  const email = changedEmail(row, changes.customerEmail, tell)
  return {
    ...changedAddress(row, changes, tell),
    // A signed-in buyer's account provides the default.
    customerEmail: email ?? known?.email ?? null,
    customerName:
      changes.customerName === undefined ? (row.customerName ?? (known?.name || null)) : changes.customerName,
    customerBillingName:
      changes.customerBillingName === undefined ? row.customerBillingName : changes.customerBillingName,
    isBusinessCustomer: changes.isBusinessCustomer ?? row.isBusinessCustomer,
    customerIpAddress: (by.by === 'buyer' ? by.ipAddress : null) ?? row.customerIpAddress,
    ...link,
  }
}

/** The address of a customer that the seller has named is fixed (CHK-6). */
function changedEmail(row: CheckoutRow, given: string | null | undefined, tell: Tell): string | null {
  if (given === undefined || row.customerId !== null) return row.customerEmail
  if (given === null || normalizeEmail(given) !== null) return given?.trim() ?? null
  tell(inBody('customer_email', 'The email address is not valid.'))
  return row.customerEmail
}

export type Link = Pick<CheckoutRow, 'userId' | 'buyerOrganizationId'>

const pickLink = ({ userId, buyerOrganizationId }: CheckoutRow): Link => ({ userId, buyerOrganizationId })

const noLink: Link = { userId: null, buyerOrganizationId: null }

/**
 * Links a signed-in buyer, or the organization that they pay for. A checkout that names another customer stays that
 * customer's, even if this buyer pays.
 */
export async function linkTo(db: Db, row: CheckoutRow, account: BuyerAccount | undefined): Promise<Link> {
  if (!account) return noLink
  // An organization does not buy from itself.
  const isForOrganization = account.organizationId !== null && account.organizationId !== row.organizationId
  const link: Link = isForOrganization
    ? { userId: null, buyerOrganizationId: account.organizationId }
    : { userId: account.userId, buyerOrganizationId: null }
  if (row.customerId === null) return link
  const customer = await findCustomer(db, row.organizationId, { id: row.customerId })
  if (!customer || (customer.userId === null && customer.buyerOrganizationId === null)) return link
  if (customer.userId !== null)
    return customer.userId === account.userId ? { ...noLink, userId: account.userId } : noLink
  return customer.buyerOrganizationId === link.buyerOrganizationId ? link : noLink
}

export const addressOf = (row: Pick<CheckoutRow, 'customerBillingAddress'>): Address | null =>
  row.customerBillingAddress

/** Checks address and tax number together, because the number's format depends on the country. */
export function changedAddress(
  row: CheckoutRow,
  { customerBillingAddress: givenAddress, customerTaxId: givenTaxId }: CheckoutChanges,
  tell: Tell,
): Pick<CheckoutRow, 'customerBillingAddress' | 'customerTaxId'> {
  const before = addressOf(row)
  let address = before
  if (givenAddress !== undefined) {
    const checked =
      givenAddress === null ? { address: null, issues: [] } : checkedAddress(givenAddress, 'customer_billing_address')
    if (tell(...checked.issues)) address = checked.address
  }
  const taxId = givenTaxId === undefined ? row.customerTaxId : givenTaxId
  const isNew = givenTaxId !== undefined || address?.country !== before?.country
  if (taxId === null || address === null || !isNew) return { customerBillingAddress: address, customerTaxId: taxId }
  const checked = checkedTaxId(taxId, address.country)
  if (checked) return { customerBillingAddress: address, customerTaxId: checked[0] }
  // A stored number of the previous country is removed.
  if (givenTaxId === undefined && before !== null) return { customerBillingAddress: address, customerTaxId: null }
  tell(inBody('customer_tax_id', 'Invalid tax ID.'))
  return { customerBillingAddress: address, customerTaxId: row.customerTaxId }
}
