import { billingSchemas } from '@tollgate/contract/billing-schemas'
import { billingObjects, billingRow, type WebhookEventType } from '@tollgate/contract/events'
import { z } from 'zod'
import { toWire } from '../../../foundation/http/wire-shape.ts'

/** An example message: the right shape, without data of a real person or purchase. */
export function examplePayload(type: WebhookEventType): string {
  const row = billingRow(type)
  const object = row && billingObjects[row.object]
  if (!object || !('shape' in object)) return JSON.stringify(toWire(ofNobody))
  const { output } = billingSchemas[object.shape]
  return JSON.stringify(toWire(exampleOf(z.toJSONSchema(output, { unrepresentable: 'any' })), output))
}

/** The output of `accountPayloads`, without a real person. */
const ofNobody = { userId: null, organizationId: null, actorId: null, details: {}, user: null, organization: null }

// biome-ignore lint/suspicious/noExplicitAny: a schema of JSON Schema may hold anything
type JsonSchema = any

/** A value that a schema accepts: the first of its choices, and texts that are plainly examples. */
function exampleOf(schema: JsonSchema): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const among = schema.anyOf ?? schema.oneOf
  if (among) return exampleOf(among.find(({ type }: JsonSchema) => type === 'null') ?? among[0])
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map(exampleOf))
  switch (schema.type) {
    case 'object': {
      const members = Object.entries(schema.properties ?? {})
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
