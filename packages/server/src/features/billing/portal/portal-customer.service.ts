import type { BillingAnswer, ParsedBillingBody } from '@tollgate/contract/billing-types'
import type { Context } from '../../../foundation/context.ts'
import type { Db, Id, Tx } from '../../../foundation/db/database.ts'
import { type InputIssue, TollgateError } from '../../../foundation/error.ts'
import { normalizeEmail } from '../../identity/profile-rules.ts'
import {
  type CustomerRow,
  findShownCustomer,
  lockCustomer,
  updateCustomerRow,
} from '../customer/customer.repository.ts'
import { tellCustomer } from '../customer/customer.service.ts'
import { type CustomerChanges, checkedChanges } from '../customer/customer-changes.ts'
import { toCustomer } from '../customer/customer-view.ts'
import { findPaymentMethod } from '../customer/payment-method.repository.ts'
import { checkedTaxId } from '../customer/tax-id.ts'
import { inBody, invalid } from '../invalid.ts'
import type { BillingHandler } from '../seller/billing-handler.ts'
import type { PortalCustomer } from '../seller/calling-customer.service.ts'
import { makeDefault } from '../settlement/default-method.service.ts'

/** Returns the customer of the token. */
export const getPortalCustomer: BillingHandler<'getPortalCustomer'> = ({ ctx, customer }) => show(ctx, ctx.db, customer)

/** Updates what customers may say of themselves, and which method pays. */
export const updatePortalCustomer: BillingHandler<'updatePortalCustomer'> = ({ ctx, customer, body }) =>
  ctx.transaction(async (tx) => {
    const { organizationId, id } = customer
    const before = await lockCustomer(tx, organizationId, customer)
    if (!before) throw new TollgateError('RESOURCE_NOT_FOUND')
    const { changes, issues } = changesOf(body, before)
    const method = await wantedMethod(tx, customer, body.defaultPaymentMethodId ?? null)
    if (method === undefined) issues.push(inBody('default_payment_method_id', 'Payment method does not exist.'))
    if (issues.length > 0) throw invalid(...issues)
    if (Object.keys(changes).length > 0) {
      await updateCustomerRow(tx, organizationId, id, { ...changes, modifiedAt: ctx.clock.now() })
      await tellCustomer(ctx, tx, { organizationId, actorId: null }, 'customer.updated', id)
    }
    if (method) await makeDefault(ctx, tx, method, null)
    return show(ctx, tx, customer)
  })

/** The method that is to be the default: null if none is named, undefined if the customer has no such method. */
const wantedMethod = async (tx: Tx, { organizationId, id }: PortalCustomer, named: Id<'paymentMethod'> | null) =>
  named === null ? null : findPaymentMethod(tx, organizationId, id, named)

function changesOf(
  { email, taxId, name, billingName, billingAddress }: ParsedBillingBody<'updatePortalCustomer'>,
  before: CustomerRow,
): { readonly changes: CustomerChanges; readonly issues: InputIssue[] } {
  const { changes, issues } = checkedChanges({ name, billingName, billingAddress }, before)
  if (email != null && normalizeEmail(email) !== before.emailKey)
    issues.push(inBody('email', 'The email address cannot be changed here.'))
  if (taxId === undefined) return { changes, issues }
  const country = (billingAddress === undefined ? before.billingAddress : billingAddress)?.country
  const checked = taxId === null || country === undefined ? null : checkedTaxId(taxId, country)
  if (taxId !== null && !checked) issues.push(inBody('tax_id', 'Invalid tax ID.'))
  return { changes: { ...changes, taxId: checked }, issues }
}

async function show(
  ctx: Context,
  db: Db,
  { organizationId, id }: PortalCustomer,
): Promise<BillingAnswer<'getPortalCustomer'>> {
  const row = await findShownCustomer(db, organizationId, id)
  if (!row) throw new TollgateError('RESOURCE_NOT_FOUND')
  const shown = toCustomer(ctx, row)
  return {
    id: shown.id,
    createdAt: shown.createdAt,
    modifiedAt: shown.modifiedAt,
    email: shown.email,
    emailVerified: shown.emailVerified,
    name: shown.name,
    billingAddress: shown.billingAddress,
    taxId: shown.taxId,
    oauthAccounts: {},
    billingName: shown.billingName,
    defaultPaymentMethodId: shown.defaultPaymentMethodId,
    type: shown.type,
    locale: shown.locale,
  }
}
