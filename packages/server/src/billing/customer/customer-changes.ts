import type { ParsedBillingBody } from '@tollgate/contract/billing-types'
import { toJson } from '../../db/tables.ts'
import type { InputIssue } from '../../error.ts'
import { normalizeEmail } from '../../identity/profile-rules.ts'
import { inBody } from '../invalid.ts'
import { checkedAddress } from './address.ts'
import type { CustomerRow } from './customer.repository.ts'
import { taxIdOf } from './tax-id.ts'

/** What is asked to be written of a customer; `externalId` where the call may set it. */
export type AskedOfCustomer = ParsedBillingBody<'updateExternalCustomer'> & {
  readonly externalId?: string | null | undefined
}

/** What is to be written, as it is stored. */
export type CustomerChanges = {
  email?: string
  emailKey?: string
  emailVerified?: boolean
  name?: string | null
  billingName?: string | null
  externalId?: string | null
  billingAddress?: string | null
  taxId?: string | null
  userId?: string | null
  buyerOrganizationId?: string | null
  metadata?: string
}

/** Nothing, before a customer is made. */
type Before = Pick<CustomerRow, 'emailKey' | 'externalId' | 'billingAddress'> | undefined

/**
 * What of a request is to be written, and all that is wrong with it (contract, "Customers"; CUS-6). What is not named stays;
 * null takes away, but of an address.
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
  if (asked.metadata !== undefined) changes.metadata = toJson(asked.metadata)
  const { externalId } = asked
  if (externalId === undefined || externalId === (before?.externalId ?? null)) return { changes, issues }
  // Applications find their customers by it: whoever replaces it says so.
  if (before?.externalId != null && !isForced)
    issues.push(inBody('external_id', 'The external id of a customer cannot be updated.'))
  return { changes: { ...changes, externalId }, issues }
}

/** Another address has not been proven yet. */
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

/** Address and tax number; a European number without its letters is of the address's country. */
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
    place.billingAddress = toJson(checked.address)
  }
  if (taxId === null) place.taxId = null
  else if (taxId) {
    const known = before?.billingAddress as { country: string } | null | undefined // written from a checked address
    const country = (billingAddress === undefined ? known?.country : billingAddress?.country) ?? null
    const checked = taxIdOf(taxId[0], taxId[1], country)
    if (!checked) issues.push(inBody('tax_id', 'Invalid tax ID.'))
    else place.taxId = toJson(checked)
  }
  return place
}

/** An account or a buying organization: naming one takes the other away. */
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
