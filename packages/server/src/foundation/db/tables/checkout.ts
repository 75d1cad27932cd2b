import { checkoutStatuses, processorNames, taxBehaviors } from '@tollgate/contract/billing-schemas'
import type { Address, SaleTax } from '@tollgate/contract/billing-types'
import type { PageLocale } from '@tollgate/contract/pages'
import { defaulted, flag, id, integer, json, nullable, oneOf, type RowId, text, time, timestamps } from './columns.ts'
import type { FieldAnswers, Metadata } from './metadata.ts'
import { trialColumns } from './trial.ts'

/**
 * The checkout's data for the payment in the buyer's browser (CHK-14): texts only. The secret that confirms the
 * payment is stored sealed.
 */
export type ProcessorMetadata = {
  readonly intent_status?: string
  readonly intent_client_secret?: string
  /** The last decline reason, for a page that opens afterwards. */
  readonly decline_reason?: string
}

export const checkoutTables = {
  checkout: {
    id: id('checkout'),
    organizationId: id('organization'),
    clientSecretHash: text(),
    /** Sealed, not hashed, because the seller may ask for the URL again. */
    sealedClientSecret: text(),
    status: oneOf(checkoutStatuses),
    processor: oneOf(processorNames),
    processorMetadata: json<ProcessorMetadata>(),
    expiresAt: time(),
    successUrl: nullable(text()),
    returnUrl: nullable(text()),
    embedOrigin: nullable(text()),
    productId: id('product'),
    productPriceId: id('productPrice'),
    /** The ids of all prices that the buyer pays, usage included, as of the choice of the product. */
    priceIds: json<RowId<'productPrice'>[]>(),
    /** The price before discounts, with its tax if it contains it: the basis of every new calculation. */
    priceAmount: defaulted(integer()),
    amount: integer(),
    discountAmount: integer(),
    netAmount: integer(),
    taxAmount: nullable(integer()),
    /** Whether the price contains its tax; the amounts do so only while the tax is unknown (SUB-34). */
    taxBehavior: defaulted(oneOf(taxBehaviors)),
    /** The tax calculation: `SaleTax` of the contract. */
    tax: nullable(json<SaleTax>()),
    totalAmount: integer(),
    currency: text(),
    /** Whether the currency follows the buyer's country, was chosen by name, or stays since a payment was attempted. */
    currencyChoice: defaulted(oneOf(['automatic', 'explicit', 'fixed'])),
    discountId: nullable(id('discount')),
    allowDiscountCodes: flag(),
    requireBillingAddress: flag(),
    isBusinessCustomer: flag(),
    customerId: nullable(id('customer')),
    customerName: nullable(text()),
    customerEmail: nullable(text()),
    customerExternalId: nullable(text()),
    customerIpAddress: nullable(text()),
    customerBillingName: nullable(text()),
    customerBillingAddress: nullable(json<Address>()),
    customerTaxId: nullable(text()),
    customerMetadata: json<Metadata>(),
    userId: nullable(id('user')),
    buyerOrganizationId: nullable(id('organization')),
    /** Whether the confirming buyer was known to be the customer: named by the seller, or signed in. */
    isBuyerKnown: flag(),
    subscriptionId: nullable(id('subscription')),
    checkoutLinkId: nullable(id('checkoutLink')),
    /** For a checkout that a visitor started: when the server deletes it with its events, unless confirmed. */
    forgetAt: nullable(time()),
    ...trialColumns,
    /** Null follows the product. */
    trialCardRequired: nullable(flag()),
    /** Whether the purchase begins with the trial that it offers. */
    allowTrial: defaulted(flag()),
    /** The end of the trial that the confirmed purchase begins with; null without one. */
    trialEnd: nullable(time()),
    customFieldData: json<FieldAnswers>(),
    metadata: json<Metadata>(),
    /** The language in which the buyer confirmed; the receipt's mail uses it. */
    buyerLocale: nullable(text<PageLocale>()),
    confirmedAt: nullable(time()),
    ...timestamps,
  },
  checkoutProduct: {
    checkoutId: id('checkout'),
    productId: id('product'),
    position: integer(),
  },
  checkoutLink: {
    id: id('checkoutLink'),
    organizationId: id('organization'),
    /** Published with the link, so it is stored in plain text. */
    clientSecret: text(),
    label: nullable(text()),
    successUrl: nullable(text()),
    returnUrl: nullable(text()),
    allowDiscountCodes: flag(),
    requireBillingAddress: flag(),
    discountId: nullable(id('discount')),
    ...trialColumns,
    /** Null follows the product. */
    trialCardRequired: nullable(flag()),
    metadata: json<Metadata>(),
    deletedAt: nullable(time()),
    ...timestamps,
  },
  checkoutLinkProduct: {
    checkoutLinkId: id('checkoutLink'),
    productId: id('product'),
    position: integer(),
  },
} as const
