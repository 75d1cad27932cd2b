import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { storable } from '../fields.ts'
import type { checkoutCalls } from './checkout.calls.ts'
import { attachedCustomField } from './custom-field.schemas.ts'
import { checkoutDiscount, discountBase } from './discount.schemas.ts'
import {
  address,
  addressInput,
  amount,
  byId,
  currency,
  customFieldDataInput,
  customFieldDataOutput,
  emptyIsNull,
  fileQuery,
  foreignId,
  id,
  listOf,
  listQuery,
  metadata,
  metadataOutput,
  secretErrors,
  sellerErrors,
  several,
  stamped,
  taxBehaviors,
  utc,
  webAddress,
  writeErrors,
} from './fields.ts'
import { merchant } from './merchant.schemas.ts'
import { policyOrigin } from './policy-origin.ts'
import { processorNames } from './processor.schemas.ts'
import { checkoutLinkProduct, checkoutProduct, productPrice } from './product.schemas.ts'
import { saleTax } from './tax.schemas.ts'
import { trialInput, trialLength, trialOverride } from './trial.schemas.ts'

export const checkoutStatuses = ['open', 'expired', 'confirmed', 'succeeded', 'failed'] as const

const addressFields = z.object({
  country: z.boolean(),
  state: z.boolean(),
  city: z.boolean(),
  postalCode: z.boolean(),
  line1: z.boolean(),
  line2: z.boolean(),
})
/** The spelling of SDK 1.0.x. */
const need = z.enum(['required', 'optional', 'disabled'])
const addressNeeds = z.object({ country: need, state: need, city: need, postalCode: need, line1: need, line2: need })

const common = {
  ...stamped,
  /** Always `stripe`, the one name that every client knows; `processor` has the true one (contract, traps 1). */
  paymentProcessor: z.literal('stripe'),
  processor: z.enum(processorNames),
  status: z.enum(checkoutStatuses),
  clientSecret: z.string(),
  url: z.string(),
  expiresAt: utc,
  successUrl: z.string(),
  returnUrl: z.string().nullable(),
  embedOrigin: z.string().nullable(),
  amount: z.int(),
  discountAmount: z.int(),
  netAmount: z.int(),
  taxAmount: z.int().nullable(),
  /** Ours: the taxes that sum to `taxAmount`; null while it is null, and without a tax provider. */
  tax: saleTax.nullable(),
  totalAmount: z.int(),
  currency: z.string(),
  /** Ours: what the buyer may choose the currency from; absent without a choice. */
  currencies: z.array(z.string()).optional(),
  organizationId: z.string(),
  productId: z.string(),
  productPriceId: z.string(),
  discountId: z.string().nullable(),
  allowDiscountCodes: z.boolean(),
  requireBillingAddress: z.boolean(),
  isDiscountApplicable: z.boolean(),
  isFreeProductPrice: z.boolean(),
  isPaymentRequired: z.boolean(),
  isPaymentSetupRequired: z.boolean(),
  isPaymentFormRequired: z.boolean(),
  isBusinessCustomer: z.boolean(),
  customerId: z.string().nullable(),
  customerName: z.string().nullable(),
  customerEmail: z.string().nullable(),
  customerIpAddress: z.string().nullable(),
  customerBillingName: z.string().nullable(),
  customerBillingAddress: address.nullable(),
  customerTaxId: z.string().nullable(),
  customerBillingAddressFields: addressFields,
  billingAddressFields: addressNeeds,
  paymentProcessorMetadata: z.record(z.string(), z.string()),
  customFieldData: customFieldDataOutput,
  products: z.array(checkoutProduct),
  product: checkoutProduct,
  productPrice,
  prices: z.record(z.string(), z.array(productPrice)),
  discount: checkoutDiscount.nullable(),
  attachedCustomFields: z.array(attachedCustomField),
  /** For SDK 1.0.x; checkouts sell no seats. */
  seats: z.null(),
  allowTrial: z.boolean().nullable(),
  /** The trial that the purchase begins with, from the checkout or its product; `trialEnd` is null without one. */
  activeTrialInterval: trialLength.trialInterval,
  activeTrialIntervalCount: trialLength.trialIntervalCount,
  trialEnd: utc.nullable(),
  /** Ours: whether the buyer has used their trial before. The purchase is then paid at once. */
  trialRedeemed: z.boolean(),
  locale: z.string().nullable(),
  /** `inclusive` where the price contains its tax; null where tax is added to it. */
  taxBehavior: z.enum(taxBehaviors).nullable(),
}

/** The seller's view. */
export const checkout = z.object({
  ...common,
  customerExternalId: z.string().nullable(),
  externalCustomerId: z.string().nullable(),
  ...trialOverride,
  customerMetadata: z.record(z.string(), z.union([z.string(), z.int(), z.boolean()])),
  subscriptionId: z.string().nullable(),
  metadata: metadataOutput,
})
/** The buyer's view, without the seller's own notes. */
export const checkoutPublic = z.object({ ...common, organization: merchant })
/** `status` is always `confirmed`, even if the checkout has already succeeded (CHK-12). */
export const checkoutPublicConfirmed = checkoutPublic.extend({
  status: z.literal('confirmed'),
  customerSessionToken: z.string(),
})

export const checkoutLink = z.object({
  ...stamped,
  metadata: metadataOutput,
  paymentProcessor: z.literal('stripe'),
  clientSecret: z.string(),
  url: z.string(),
  successUrl: z.string().nullable(),
  returnUrl: z.string().nullable(),
  label: z.string().nullable(),
  allowDiscountCodes: z.boolean(),
  requireBillingAddress: z.boolean(),
  ...trialOverride,
  discountId: z.string().nullable(),
  organizationId: z.string(),
  products: z.array(checkoutLinkProduct),
  discount: discountBase.nullable(),
})

const emptyAddress = z.preprocess((value) => (value === '' ? null : value), webAddress.nullish())
/** May hold `{CHECKOUT_ID}` (CHK-19). */
const successUrl = emptyAddress
const embedOrigin = z.preprocess(
  (value) => (value === '' ? null : value),
  webAddress
    .transform(policyOrigin)
    .refine((origin) => origin !== null, 'Input should be the origin of a named host or an IPv4 address')
    .nullish(),
)
const customerMetadata = z
  .record(storable(40).min(1), z.union([storable(500).min(1), z.int(), z.boolean()]))
  .refine((value) => Object.keys(value).length <= 50, 'Dictionary should have at most 50 items')

/** Details that the buyer may set, or the seller for them. */
const buyer = {
  customerName: emptyIsNull(256),
  customerEmail: emptyIsNull(320),
  customerBillingName: emptyIsNull(256),
  customerBillingAddress: addressInput.nullish(),
  customerTaxId: emptyIsNull(64),
  isBusinessCustomer: z.boolean().nullish(),
}
const choice = {
  productId: id.nullish(),
  productPriceId: id.nullish(),
  amount: amount.nullish(),
  /** One that the product has prices in. Null leaves the choice to the buyer's country again. */
  currency: currency.nullish(),
  customFieldData: customFieldDataInput.optional(),
}
const sellerOnly = {
  metadata: metadata.optional(),
  customerMetadata: customerMetadata.nullish(),
  discountId: id.nullish(),
  allowDiscountCodes: z.boolean().nullish(),
  requireBillingAddress: z.boolean().nullish(),
  customerIpAddress: emptyIsNull(64),
  ...trialInput,
  /** False: the purchase begins without its product’s trial. */
  allowTrial: z.boolean().nullish(),
  successUrl,
  returnUrl: emptyAddress,
  embedOrigin,
}
const bySecret = z.object({ clientSecret: storable(128) })
/** A buyer may give up a trial, such as one that they have used before, and then pays at once. */
const publicUpdate = { ...buyer, ...choice, discountCode: emptyIsNull(256), allowTrial: z.literal(false).nullish() }

const link = {
  label: emptyIsNull(256),
  allowDiscountCodes: z.boolean().nullish(),
  requireBillingAddress: z.boolean().nullish(),
  ...trialInput,
  discountId: id.nullish(),
  successUrl,
  returnUrl: emptyAddress,
  metadata: metadata.optional(),
}
const productIds = z.array(id).min(1).max(50)

/** Bodies, queries, answers and refusals of the calls about checkouts. */
export const checkoutSchemas = {
  listCheckouts: {
    summary: 'Lists an organization’s checkouts.',
    query: z.object({
      ...listQuery(['created_at', 'expires_at', 'status']),
      productId: several(id),
      customerId: several(id),
      externalCustomerId: several(storable(256)),
      status: several(z.enum(checkoutStatuses)),
      query: storable(320).optional(),
    }),
    output: listOf(checkout),
    errors: sellerErrors,
  },
  createCheckout: {
    summary: 'Creates a checkout for one of several products.',
    body: z.object({
      ...buyer,
      ...choice,
      ...sellerOnly,
      products: productIds.optional(),
      customerId: id.nullish(),
      customerExternalId: emptyIsNull(256),
      externalCustomerId: emptyIsNull(256),
      subscriptionId: id.nullish(),
      organizationId: foreignId.nullish(),
    }),
    output: checkout,
    errors: writeErrors,
  },
  getCheckout: { summary: 'Returns a checkout.', params: byId, output: checkout, errors: sellerErrors },
  updateCheckout: {
    summary: 'Updates an open checkout.',
    params: byId,
    body: z.object({ ...buyer, ...choice, ...sellerOnly }),
    output: checkout,
    errors: [...writeErrors, 'NOT_OPEN_CHECKOUT', 'ALREADY_ACTIVE_SUBSCRIPTION'],
  },
  getClientCheckout: {
    summary: 'Returns a checkout as its buyer sees it.',
    params: bySecret,
    output: checkoutPublic,
    errors: [...secretErrors, 'EXPIRED_CHECKOUT'],
  },
  updateClientCheckout: {
    summary: 'Updates the buyer’s side of an open checkout: product, amount, address, discount code, answers.',
    params: bySecret,
    body: z.object(publicUpdate),
    output: checkoutPublic,
    errors: [...secretErrors, 'EXPIRED_CHECKOUT', 'NOT_OPEN_CHECKOUT', 'ALREADY_ACTIVE_SUBSCRIPTION'],
  },
  confirmClientCheckout: {
    summary: 'Confirms a checkout: validates it again, then starts the payment.',
    params: bySecret,
    body: z.object({
      ...publicUpdate,
      confirmationTokenId: emptyIsNull(256),
      /** The total that the buyer saw; a checkout with another total is refused (422). */
      expectedTotalAmount: amount.nullish(),
    }),
    output: checkoutPublicConfirmed,
    errors: [
      ...secretErrors,
      'EXPIRED_CHECKOUT',
      'NOT_OPEN_CHECKOUT',
      'ALREADY_ACTIVE_SUBSCRIPTION',
      'TRIAL_ALREADY_REDEEMED',
      'PAYMENT_FAILED',
      'TOTAL_TOO_SMALL',
      'TOTAL_TOO_LARGE',
      'MERCHANT_NOT_APPROVED',
      'SERVICE_UNAVAILABLE',
    ],
  },
  listCheckoutLinks: {
    summary: 'Lists an organization’s checkout links.',
    query: z.object({
      ...listQuery(['created_at', 'label', 'success_url', 'allow_discount_codes']),
      productId: several(id),
    }),
    output: listOf(checkoutLink),
    errors: sellerErrors,
  },
  exportCheckoutLinks: {
    summary: 'Exports checkout links as CSV.',
    query: z.object({ ...fileQuery, productId: several(id) }),
    errors: sellerErrors,
  },
  createCheckoutLink: {
    summary: 'Creates a link that starts a checkout each time it is opened.',
    body: z.object({
      ...link,
      products: productIds.optional(),
      productId: id.optional(),
      productPriceId: id.optional(),
      organizationId: foreignId.nullish(),
    }),
    output: checkoutLink,
    errors: writeErrors,
  },
  getCheckoutLink: { summary: 'Returns a checkout link.', params: byId, output: checkoutLink, errors: sellerErrors },
  updateCheckoutLink: {
    summary: 'Updates a checkout link.',
    params: byId,
    body: z.object({ ...link, products: productIds.nullish() }),
    output: checkoutLink,
    errors: writeErrors,
  },
  deleteCheckoutLink: { summary: 'Deletes a checkout link.', params: byId, errors: writeErrors },
} as const satisfies Record<keyof typeof checkoutCalls, Endpoint>
