import type { Address, ParsedBillingBody } from '@tollgate/contract/billing-types'
import type { Id } from '../../../foundation/db/database.ts'
import type { Metadata } from '../../../foundation/db/tables/metadata.ts'
import type { InputIssue } from '../../../foundation/error.ts'
import { normalizeEmail } from '../../identity/profile-rules.ts'
import { inBody } from '../invalid.ts'
import { checkedAddress } from './address.ts'
import type { CustomerRow } from './customer.repository.ts'
import { type TaxId, taxIdOf } from './tax-id.ts'

/** The requested changes; `externalId` only where the call may set it. */
export type AskedOfCustomer = ParsedBillingBody<'updateExternalCustomer'> & {
  readonly externalId?: string | null | undefined
}

/** The changes as they are stored. */
export type CustomerChanges = {
  email?: string
  emailKey?: string
  emailVerified?: boolean
  name?: string | null
  billingName?: string | null
  externalId?: string | null
  billingAddress?: Address | null
  taxId?: TaxId | null
  userId?: Id<'user'> | null
  buyerOrganizationId?: Id<'organization'> | null
  metadata?: Metadata
}

/** The customer before the change; undefined for a new one. */
type Before = Pick<CustomerRow, 'emailKey' | 'externalId' | 'billingAddress'> | undefined

/**
 * Returns the changes to write and every fault of the request (contract, "Customers"; CUS-6). Omitted members stay.
 * Null clears a member, except the email address.
 */
export function checkedChanges(
  asked: AskedOfCustomer,
  before: Before,
  isForced = false,
): { changes: CustomerChanges; issues: InputIssue[] } {
  const issues: InputIssue[] = []
  const changes: CustomerChanges = {
    ...checkedEmail(asked.email, before, issues),
    ...checkedPlace(asked, before, issues),
    ...checkedLinks(asked, issues),
  }
  if (asked.name !== undefined) changes.name = asked.name
  if (asked.billingName !== undefined) changes.billingName = asked.billingName
  if (asked.metadata !== undefined) changes.metadata = asked.metadata
  const { externalId } = asked
  if (externalId === undefined || externalId === (before?.externalId ?? null)) return { changes, issues }
  // Applications find customers by external id, so replacing it takes an explicit `force`.
  if (before?.externalId != null && !isForced)
    issues.push(inBody('external_id', 'The external id of a customer cannot be updated.'))
  return { changes: { ...changes, externalId }, issues }
}

/** A new address is unverified. */
function checkedEmail(
  given: string | null | undefined,
  before: Before,
  issues: InputIssue[],
): Pick<CustomerChanges, 'email' | 'emailKey' | 'emailVerified'> {
  if (given == null) return {}
  const emailKey = normalizeEmail(given)
  if (emailKey === null) {
    issues.push(inBody('email', 'Input should be a valid email address'))
    return {}
  }
  return { email: given.trim(), ...(emailKey !== before?.emailKey && { emailKey, emailVerified: false }) }
}

/** Address and tax number. A European number without its letters belongs to the address's country. */
function checkedPlace(
  { billingAddress, taxId }: AskedOfCustomer,
  before: Before,
  issues: InputIssue[],
): Pick<CustomerChanges, 'billingAddress' | 'taxId'> {
  const place: Pick<CustomerChanges, 'billingAddress' | 'taxId'> = {}
  if (billingAddress === null) place.billingAddress = null
  else if (billingAddress) {
    const checked = checkedAddress(billingAddress, 'billing_address')
    issues.push(...checked.issues)
    place.billingAddress = checked.address
  }
  if (taxId === null) place.taxId = null
  else if (taxId) {
    const country = (billingAddress === undefined ? before?.billingAddress?.country : billingAddress?.country) ?? null
    const checked = taxIdOf(taxId[0], taxId[1], country)
    if (!checked) issues.push(inBody('tax_id', 'Invalid tax ID.'))
    else place.taxId = checked
  }
  return place
}

/** Account or buying organization: setting one clears the other. */
function checkedLinks(
  { userId, buyerOrganizationId }: AskedOfCustomer,
  issues: InputIssue[],
): Pick<CustomerChanges, 'userId' | 'buyerOrganizationId'> {
  if (userId && buyerOrganizationId)
    issues.push(inBody('buyer_organization_id', 'A customer is a user or an organization, not both.'))
  if (userId) return { userId, buyerOrganizationId: null }
  if (buyerOrganizationId) return { userId: null, buyerOrganizationId }
  return {
    ...(userId === null && { userId }),
    ...(buyerOrganizationId === null && { buyerOrganizationId }),
  }
}
