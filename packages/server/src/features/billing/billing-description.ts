import type { BillingCall } from '@tollgate/contract/billing'
import { billingSchemas, type Endpoint } from '@tollgate/contract/billing-schemas'
import type { ApiDescription } from '../../foundation/http/openapi.ts'

/** Shapes shared by many responses, under the names that existing clients use. */
const sharedShapes = {
  Organization: billingSchemas.getMerchant.output,
  OrganizationAccessToken: billingSchemas.updateAccessToken.output,
  Product: billingSchemas.getProduct.output,
  ProductBase: billingSchemas.getOrder.output.shape.product,
  ProductPrice: billingSchemas.getSubscription.output.shape.prices.element,
  CheckoutProduct: billingSchemas.getCheckout.output.shape.product,
  CustomField: billingSchemas.getCustomField.output,
  AttachedCustomField: billingSchemas.getProduct.output.shape.attachedCustomFields.element,
  Meter: billingSchemas.getMeter.output,
  MeterFilter: billingSchemas.getMeter.output.shape.filter,
  File: billingSchemas.updateFile.output,
  ProductMedia: billingSchemas.getProduct.output.shape.medias.element,
  Customer: billingSchemas.getCustomer.output,
  CustomerState: billingSchemas.getCustomerState.output,
  PaymentMethod: billingSchemas.listCustomerPaymentMethods.output.shape.items.element,
  CustomerPortalCustomer: billingSchemas.getPortalCustomer.output,
  Discount: billingSchemas.getDiscount.output,
  DiscountBase: billingSchemas.getOrder.output.shape.discount.unwrap(),
  Checkout: billingSchemas.getCheckout.output,
  CheckoutPublic: billingSchemas.getClientCheckout.output,
  CheckoutPublicConfirmed: billingSchemas.confirmClientCheckout.output,
  CheckoutLink: billingSchemas.getCheckoutLink.output,
  Order: billingSchemas.getOrder.output,
  SaleTax: billingSchemas.getOrder.output.shape.tax.unwrap(),
  Refund: billingSchemas.createRefund.output,
  Dispute: billingSchemas.getDispute.output,
  TaxSettings: billingSchemas.getTaxSettings.output,
  WebhookEndpoint: billingSchemas.getWebhookEndpoint.output,
  WebhookEvent: billingSchemas.redeliverWebhookEvent.output,
  WebhookEventType: billingSchemas.getWebhookEndpoint.output.shape.events.element,
  WebhookDelivery: billingSchemas.listWebhookDeliveries.output.shape.items.element,
  OrderItem: billingSchemas.getOrder.output.shape.items.element,
  SubscriptionBase: billingSchemas.getOrder.output.shape.subscription.unwrap(),
  Subscription: billingSchemas.getSubscription.output,
  Payment: billingSchemas.getPayment.output,
  OrderDocumentUrl: billingSchemas.getOrderReceipt.output,
}

const shared: ReadonlySet<unknown> = new Set(Object.values(sharedShapes))
const endpoints: readonly (readonly [call: string, endpoint: Endpoint])[] = Object.entries(billingSchemas)

/** Every named shape: what `getStorefront` answers is a `Storefront`, unless the table above names it. */
export const billingShapes = {
  ...Object.fromEntries(
    endpoints.flatMap(([call, { output }]) =>
      output && call.startsWith('get') && !shared.has(output) ? [[call.slice('get'.length), output]] : [],
    ),
  ),
  ...sharedShapes,
}

/** The tag of `/checkout-links/:id` is `Checkout links`. */
export const billingTag = ({ path }: Pick<BillingCall, 'path'>): string => {
  const [, resource = ''] = path.split('/')
  return `${resource.charAt(0).toUpperCase()}${resource.slice(1).replaceAll('-', ' ')}`
}

/** Billing's errors have their own wire codes; shared ones are converted to the same style. */
export const wireCode = (code: string): string =>
  /[a-z]/.test(code) ? code : code.toLowerCase().replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** What the API description adds to the call table and the schemas. */
export const billingDescription: ApiDescription<BillingCall> = {
  about: 'Products, customers, checkouts, orders and payments of selling organizations.',
  shapes: billingShapes,
  tag: billingTag,
  security: ({ auth, scope }): readonly Readonly<Record<string, readonly string[]>>[] | undefined => {
    if (auth === 'customer') return [{ customerSession: [] }]
    if (auth === 'seller') return [{ token: scope ? [scope] : [] }, { session: [] }]
    return auth === 'user' ? [{ session: [] }] : undefined
  },
  securitySchemes: () => ({
    token: { type: 'http', scheme: 'bearer', description: 'An organization access token.' },
    customerSession: { type: 'http', scheme: 'bearer', description: 'The token of a customer’s portal session.' },
  }),
  refusalShapes: {
    BillingError: {
      type: 'object',
      required: ['error', 'detail'],
      properties: { error: { type: 'string' }, detail: { type: 'string' } },
    },
    BillingInvalid: {
      type: 'object',
      required: ['error', 'detail'],
      properties: {
        error: { type: 'string' },
        detail: {
          type: 'array',
          items: {
            type: 'object',
            required: ['loc', 'msg', 'type'],
            properties: {
              loc: { type: 'array', items: { type: ['string', 'integer'] } },
              msg: { type: 'string' },
              type: { type: 'string' },
            },
          },
        },
      },
    },
  },
  refusalShape: (names) => (names.includes('REQUEST_INVALID') ? 'BillingInvalid' : 'BillingError'),
  refusalCode: wireCode,
}
