import { isOpaqueKey, snakeKey } from '@tollgate/contract/billing'
import { billingSchemas } from '@tollgate/contract/billing-schemas'
import { z } from 'zod'

/** A JSON schema as far as descriptions look into it. */
export type WireSchema = {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, WireSchema>>
  readonly required?: readonly string[]
  readonly anyOf?: readonly WireSchema[]
  readonly $ref?: string
}

/** Shapes that many answers hold, by the names that the clients of such APIs know them by. */
const shapes = {
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
}

const named = z.registry<{ id?: string }>()
for (const [id, schema] of Object.entries(shapes)) named.add(schema, { id })

/** Where a named shape is found, in a description of the whole. */
const place = '#/components/schemas/'

/**
 * A schema of the billing API as JSON Schema in the wire's spelling. Named shapes are put into `found`, by their names, and
 * referred to. What an answer may hold besides is left open: clients must not stumble over a member that is added.
 */
export function wireSchema(schema: z.ZodType, io: 'input' | 'output', found: Record<string, WireSchema>): WireSchema {
  const { $schema: _, $defs, ...made } = z.toJSONSchema(schema, { io, unrepresentable: 'any', metadata: named })
  for (const [name, shape] of Object.entries($defs ?? {})) found[name] ??= written(shape)
  return written(made)
}

const safe = Number.MAX_SAFE_INTEGER

/** Keys in snake_case, but for those of maps that are the caller's own; without what says nothing to a reader. */
function written(schema: unknown): WireSchema {
  const wire: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(schema as object)) {
    if (key === 'properties') wire[key] = properties(value as Record<string, object>)
    else if (key === 'required') wire[key] = (value as string[]).map(snakeKey)
    else if (key === '$ref') wire[key] = String(value).replace('#/$defs/', place)
    else if (key === 'pattern' && 'format' in (schema as object)) continue
    else if (key === 'additionalProperties' && value === false) continue
    else if (value === safe || value === -safe) continue
    else if (Array.isArray(value)) wire[key] = value.map((each) => (isSchema(each) ? written(each) : each))
    else wire[key] = isSchema(value) ? written(value) : value
  }
  return wire
}

const properties = (given: Readonly<Record<string, object>>): Record<string, WireSchema> =>
  Object.fromEntries(
    Object.entries(given).map(([key, member]) => [
      snakeKey(key),
      isOpaqueKey(key) ? (member as WireSchema) : written(member),
    ]),
  )

const isSchema = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
