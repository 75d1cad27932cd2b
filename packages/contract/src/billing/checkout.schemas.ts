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
  customFieldDataInput,
  customFieldDataOutput,
  emptyIsNull,
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
  utc,
  webAddress,
  writeErrors,
} from './fields.ts'
import { merchant } from './merchant.schemas.ts'
import { checkoutLinkProduct, checkoutProduct, productPrice } from './product.schemas.ts'
import { saleTax } from './tax.schemas.ts'

export const checkoutStatuses = ['open', 'expired', 'confirmed', 'succeeded', 'failed'] as const

const addressFields = z.object({
  country: z.boolean(),
  state: z.boolean(),
  city: z.boolean(),
  postalCode: z.boolean(),
  line1: z.boolean(),
  line2: z.boolean(),
})
/** The same as 1.0.x of the SDK says it. */
const need = z.enum(['required', 'optional', 'disabled'])
const addressNeeds = z.object({ country: need, state: need, city: need, postalCode: need, line1: need, line2: need })

const common = {
  ...stamped,
  /** Always `stripe`, the one name that every client knows; the true one is beside it (contract, traps 1). */
  paymentProcessor: z.literal('stripe'),
  processor: z.enum(['sandbox', 'stripe']),
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
  /** Ours: the taxes that `taxAmount` is the sum of; null as long as it is, and where nobody was asked to compute any. */
  tax: saleTax.nullable(),
  totalAmount: z.int(),
  currency: z.string(),
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
  /** Of 1.0.x of the SDK; seats and trials are not sold by checkouts. */
  seats: z.null(),
  allowTrial: z.boolean().nullable(),
  activeTrialInterval: z.null(),
  activeTrialIntervalCount: z.null(),
  trialEnd: z.null(),
  locale: z.string().nullable(),
  taxBehavior: z.string().nullable(),
}

/** What the seller sees. */
export const checkout = z.object({
  ...common,
  customerExternalId: z.string().nullable(),
  externalCustomerId: z.string().nullable(),
  customerMetadata: z.record(z.string(), z.union([z.string(), z.int(), z.boolean()])),
  subscriptionId: z.string().nullable(),
  metadata: metadataOutput,
})
/** What the buyer sees: nothing of the seller's own notes. */
export const checkoutPublic = z.object({ ...common, organization: merchant })
/** `status` is always `confirmed`, even where all has been done by then (CHK-12). */
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
  discountId: z.string().nullable(),
  organizationId: z.string(),
  products: z.array(checkoutLinkProduct),
  discount: discountBase.nullable(),
})

const emptyAddress = z.preprocess((value) => (value === '' ? null : value), webAddress.nullish())
/** May hold `{CHECKOUT_ID}` (CHK-19). */
const successUrl = emptyAddress
const origin = z.preprocess(
  (value) => (value === '' ? null : value),
  webAddress.transform((value) => new URL(value).origin).nullish(),
)
const customerMetadata = z
  .record(storable(40).min(1), z.union([storable(500).min(1), z.int(), z.boolean()]))
  .refine((value) => Object.keys(value).length <= 50, 'Dictionary should have at most 50 items')

/** What a buyer may say about themselves, and the seller for them. */
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
  customFieldData: customFieldDataInput.optional(),
}
const sellerOnly = {
  metadata: metadata.optional(),
  customerMetadata: customerMetadata.nullish(),
  discountId: id.nullish(),
  allowDiscountCodes: z.boolean().nullish(),
  requireBillingAddress: z.boolean().nullish(),
  customerIpAddress: emptyIsNull(64),
  successUrl,
  returnUrl: emptyAddress,
  embedOrigin: origin,
}
const bySecret = z.object({ clientSecret: storable(128) })
const publicUpdate = { ...buyer, ...choice, discountCode: emptyIsNull(256) }

const link = {
  label: emptyIsNull(256),
  allowDiscountCodes: z.boolean().nullish(),
  requireBillingAddress: z.boolean().nullish(),
  discountId: id.nullish(),
  successUrl,
  returnUrl: emptyAddress,
  metadata: metadata.optional(),
}
const productIds = z.array(id).min(1).max(50)

/** Bodies, queries, answers and refusals of the calls about checkouts. */
export const checkoutSchemas = {
  listCheckouts: {
    summary: 'The checkouts of an organization.',
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
    summary: 'Begins a checkout of one of several products.',
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
  getCheckout: { summary: 'A checkout.', params: byId, output: checkout, errors: sellerErrors },
  updateCheckout: {
    summary: 'Changes an open checkout.',
    params: byId,
    body: z.object({ ...buyer, ...choice, ...sellerOnly }),
    output: checkout,
    errors: [...writeErrors, 'NOT_OPEN_CHECKOUT', 'ALREADY_ACTIVE_SUBSCRIPTION'],
  },
  getClientCheckout: {
    summary: 'A checkout as its buyer sees it.',
    params: bySecret,
    output: checkoutPublic,
    errors: [...secretErrors, 'EXPIRED_CHECKOUT'],
  },
  updateClientCheckout: {
    summary: 'The buyer’s side of an open checkout: product, amount, address, discount code, answers.',
    params: bySecret,
    body: z.object(publicUpdate),
    output: checkoutPublic,
    errors: [...secretErrors, 'EXPIRED_CHECKOUT', 'NOT_OPEN_CHECKOUT', 'ALREADY_ACTIVE_SUBSCRIPTION'],
  },
  confirmClientCheckout: {
    summary: 'Buys: everything is checked once more, then paid.',
    params: bySecret,
    body: z.object({
      ...publicUpdate,
      confirmationTokenId: emptyIsNull(256),
      /** What the buyer has been shown as the total; a checkout that costs something else by then is refused (422). */
      expectedTotalAmount: amount.nullish(),
    }),
    output: checkoutPublicConfirmed,
    errors: [
      ...secretErrors,
      'EXPIRED_CHECKOUT',
      'NOT_OPEN_CHECKOUT',
      'ALREADY_ACTIVE_SUBSCRIPTION',
      'PAYMENT_FAILED',
      'TOTAL_TOO_SMALL',
      'TOTAL_TOO_LARGE',
      'MERCHANT_NOT_APPROVED',
      'SERVICE_UNAVAILABLE',
    ],
  },
  listCheckoutLinks: {
    summary: 'The checkout links of an organization.',
    query: z.object({
      ...listQuery(['created_at', 'label', 'success_url', 'allow_discount_codes']),
      productId: several(id),
    }),
    output: listOf(checkoutLink),
    errors: sellerErrors,
  },
  createCheckoutLink: {
    summary: 'Makes a link; whoever opens it begins a checkout.',
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
  getCheckoutLink: { summary: 'A checkout link.', params: byId, output: checkoutLink, errors: sellerErrors },
  updateCheckoutLink: {
    summary: 'Changes a checkout link.',
    params: byId,
    body: z.object({ ...link, products: productIds.nullish() }),
    output: checkoutLink,
    errors: writeErrors,
  },
  deleteCheckoutLink: { summary: 'Removes a checkout link.', params: byId, errors: writeErrors },
} as const satisfies Record<keyof typeof checkoutCalls, Endpoint>
