/** Types of the billing API's inputs and answers, derived from the schemas; importing them adds nothing to a bundle. */
import type { z } from 'zod'
import type { BillingCallName } from './calls.ts'
import type { billingSchemas, taxBehaviors } from './schemas.ts'

type Schemas = typeof billingSchemas
type Part<Name extends BillingCallName, Key extends string> = Schemas[Name] extends {
  readonly [K in Key]: infer S extends z.ZodType
}
  ? S
  : never

/** The caller's input, in camelCase; numbers and booleans of a query are text on the wire. */
export type BillingBody<Name extends BillingCallName> = [Part<Name, 'body'>] extends [never]
  ? never
  : z.input<Part<Name, 'body'>>
export type BillingQuery<Name extends BillingCallName> = [Part<Name, 'query'>] extends [never]
  ? never
  : z.input<Part<Name, 'query'>>
export type BillingParams<Name extends BillingCallName> = [Part<Name, 'params'>] extends [never]
  ? never
  : z.input<Part<Name, 'params'>>
/** The service's input. */
export type ParsedBillingBody<Name extends BillingCallName> = [Part<Name, 'body'>] extends [never]
  ? undefined
  : z.output<Part<Name, 'body'>>
export type ParsedBillingQuery<Name extends BillingCallName> = [Part<Name, 'query'>] extends [never]
  ? undefined
  : z.output<Part<Name, 'query'>>
export type ParsedBillingParams<Name extends BillingCallName> = [Part<Name, 'params'>] extends [never]
  ? undefined
  : z.output<Part<Name, 'params'>>
/** The call's answer; empty for 204. */
export type BillingAnswer<Name extends BillingCallName> = [Part<Name, 'output'>] extends [never]
  ? undefined
  : z.output<Part<Name, 'output'>>

export type Product = BillingAnswer<'getProduct'>
export type ProductPrice = Product['prices'][number]
export type ProductBase = BillingAnswer<'getOrder'>['product']
export type CustomField = BillingAnswer<'getCustomField'>
export type Meter = BillingAnswer<'getMeter'>
export type BillingFile = BillingAnswer<'updateFile'>
export type Customer = BillingAnswer<'getCustomer'>
export type CustomerState = BillingAnswer<'getCustomerState'>
export type PaymentMethod = BillingAnswer<'listCustomerPaymentMethods'>['items'][number]
export type Merchant = BillingAnswer<'getMerchant'>
export type AccessToken = BillingAnswer<'updateAccessToken'>
export type Discount = BillingAnswer<'getDiscount'>
export type DiscountBase = NonNullable<BillingAnswer<'getOrder'>['discount']>
export type Checkout = BillingAnswer<'getCheckout'>
export type CheckoutPublic = BillingAnswer<'getClientCheckout'>
export type CheckoutPublicConfirmed = BillingAnswer<'confirmClientCheckout'>
export type CheckoutLink = BillingAnswer<'getCheckoutLink'>
export type Order = BillingAnswer<'getOrder'>
export type OrderItem = Order['items'][number]
export type Subscription = BillingAnswer<'getSubscription'>
export type Payment = BillingAnswer<'getPayment'>
export type PayLink = BillingAnswer<'getPayLink'>
export type Refund = BillingAnswer<'createRefund'>
export type Dispute = BillingAnswer<'getDispute'>
export type WebhookEndpoint = BillingAnswer<'getWebhookEndpoint'>
export type WebhookDelivery = BillingAnswer<'getWebhookDelivery'>
export type WebhookEvent = BillingAnswer<'redeliverWebhookEvent'>
export type TaxSettings = BillingAnswer<'getTaxSettings'>
export type TaxRegistration = TaxSettings['effectiveRegistrations'][number]
export type TaxBehavior = (typeof taxBehaviors)[number]
export type SaleTax = NonNullable<Order['tax']>
export type OrderDocument = BillingAnswer<'listOrderDocuments'>['items'][number]
export type TimelineItem = BillingAnswer<'listTimeline'>['items'][number]
export type Storefront = BillingAnswer<'getStorefront'>
export type Address = NonNullable<Customer['billingAddress']>
