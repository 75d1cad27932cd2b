import { toWire, type WebhookEventType } from '@tollgate/contract/billing'
import { billingSchemas } from '@tollgate/contract/billing-schemas'
import { z } from 'zod'

/** The shapes of what is told, by the first part of the types. */
const shapes: Readonly<Record<string, z.ZodType>> = {
  checkout: billingSchemas.getCheckout.output,
  customer: billingSchemas.getCustomer.output,
  order: billingSchemas.getOrder.output,
  subscription: billingSchemas.getSubscription.output,
  refund: billingSchemas.createRefund.output,
  dispute: billingSchemas.getDispute.output,
  product: billingSchemas.getProduct.output,
  organization: billingSchemas.getMerchant.output,
}

/** An object as a test may be told it: of the right shape, and plainly nobody's. */
export function examplePayload(type: WebhookEventType): string {
  const [subject = ''] = type.split('.')
  const shape = type === 'customer.state_changed' ? billingSchemas.getCustomerState.output : shapes[subject]
  // Of accounts and the people of organizations: what `accountPayloads` writes, of nobody.
  const plain = { userId: null, organizationId: null, actorId: null, details: {}, user: null, organization: null }
  const isBilling = shape !== undefined && (subject !== 'organization' || type === 'organization.updated')
  return JSON.stringify(toWire(isBilling ? exampleOf(z.toJSONSchema(shape, { unrepresentable: 'any' })) : plain))
}

// biome-ignore lint/suspicious/noExplicitAny: a schema of JSON Schema may hold anything
type JsonSchema = any

/** A value that a schema takes: the first of what it may be, texts that are recognised as examples. */
function exampleOf(schema: JsonSchema): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const among = schema.anyOf ?? schema.oneOf
  if (among) return exampleOf(among.find(({ type }: JsonSchema) => type === 'null') ?? among[0])
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map(exampleOf))
  switch (schema.type) {
    case 'object': {
      const members = Object.entries(schema.properties ?? {}) as [string, JsonSchema][]
      const named = members.map(([name, member]) => [name, exampleOfMember(name, member)])
      return Object.fromEntries(named)
    }
    case 'array':
      return []
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 0, 0)
    case 'boolean':
      return false
    case 'string':
      return schema.format === 'date-time' ? exampleMoment : 'Example'
    default:
      return null
  }
}

const exampleMoment = '2026-01-01T00:00:00.000Z'
const exampleId = '00000000-0000-4000-8000-000000000000'

function exampleOfMember(name: string, schema: JsonSchema): unknown {
  const value = exampleOf(schema)
  if (value !== 'Example') return value
  if (name === 'id' || name.endsWith('Id')) return exampleId
  if (name === 'currency') return 'usd'
  if (/email/i.test(name)) return 'ada@example.com'
  if (name.endsWith('At') || name.endsWith('On')) return exampleMoment
  return /url$/i.test(name) ? 'https://example.com/' : value
}
