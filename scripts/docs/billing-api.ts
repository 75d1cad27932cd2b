import {
  type BillingCall,
  type BillingCallName,
  billingCalls,
  scopes,
} from '../../packages/contract/src/billing/calls.ts'
import { billingSchemas, type Endpoint } from '../../packages/contract/src/billing/schemas.ts'
import { type ErrorName, errorCode, errors } from '../../packages/contract/src/errors.ts'
import { billingShapes, billingTag, wireCode } from '../../packages/server/src/features/billing/billing-description.ts'
import { createDescriber, type Describe } from '../../packages/server/src/foundation/http/described-schema.ts'
import { snakeCase } from '../../packages/server/src/foundation/http/spelling.ts'
import { type JsonSchema, madeBy, table, typeText } from './json-schema.ts'

/** docs/billing-api.md: every call of the billing API in the spelling of its wire, and the shapes that they share. */
export function billingApiPage(): string {
  const found: Record<string, JsonSchema> = {}
  const describe = createDescriber(snakeCase, billingShapes, found as Parameters<typeof createDescriber>[2])
  const names = Object.keys(billingCalls) as BillingCallName[]
  const groups = Object.entries(Object.groupBy(names, (name) => billingTag(billingCalls[name])))
  const sections = groups.map(
    ([group, members = []]) =>
      `## ${group}\n\n${members.map((name) => callSection(name, billingCalls[name], billingSchemas[name], describe)).join('\n\n')}`,
  )
  return `${madeBy('packages/contract/src/billing')}

# Billing API

Every billing call; start with [Billing](billing.md). Paths are below \`/v1\`, with or without a trailing slash. Bodies and answers are
JSON in snake_case; amounts are whole minor units (cents), times are ISO 8601 texts. A running server describes the same at
\`/openapi.json\`, and at \`/docs\` to try. The Polar SDK works unchanged with the calls that it knows.

Each call has one name everywhere: \`client.<name>(…)\` of \`createBillingClient\` and \`api.<name>({ body, query, params,
headers })\` in server code, both in camelCase. Server code names the organization that it acts for as \`organizationId\`: in the body when it
creates an object, otherwise in the query.

**Callers.** A token (\`Authorization: Bearer tollgate_oat_…\`) acts for its organization within its scopes; a \`:write\` scope
includes \`:read\`. A signed-in member acts by session for the organization in \`organization_id\`, or else for the active one, within
their roles. Objects of another organization answer 404. The token of a customer's portal session
(\`Authorization: Bearer tollgate_cst_…\`) makes the calls of the customer portal, for that customer alone.

**Lists** take \`page\` and \`limit\` (10, at most 100) and answer \`{ items, pagination: { total_count, max_page, next_cursor } }\`;
or \`cursor\`: empty for the first page, then the \`next_cursor\` of the previous page, which is equally fast at any depth, without a
total. \`sorting\` can be repeated; \`-\` before a field reverses its order. A repeated filter matches any of its values;
\`metadata[key]=value\` filters by metadata.

**\`Idempotency-Key\`** on a POST: for a day, repeats of a request with the same key run once and get the same answer; a different
request with the key is refused (409).

**Errors** are \`{ "error": …, "detail": … }\`; with 422 \`detail\` lists every issue. In addition to its listed errors,
any call may answer \`TooManyRequests\` (429), \`MalformedRequest\` (400), \`ServiceUnavailable\` (503) and
\`InternalServerError\` (500).

**Scopes**: ${scopes.map((scope) => `\`${scope}\``).join(', ')}.

${groups.map(([group, members = []]) => `- ${group}: ${members.map((name) => `[${name}](#${name.toLowerCase()})`).join(', ')}`).join('\n')}

${sections.join('\n\n')}

## Shapes

${Object.entries(found)
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([name, schema]) => `### ${name}\n\n${elsewhere[name] ?? shape(schema as JsonSchema)}`)
  .join('\n\n')}
`
}

function callSection(name: string, call: BillingCall, endpoint: Endpoint, describe: Describe): string {
  const { summary, params, query, body, output, errors: refusals } = endpoint
  const schema = (part: NonNullable<typeof body>, io: 'input' | 'output') => describe(part, io) as JsonSchema
  return [
    `### ${name}`,
    `\`${call.method} ${call.path.replace(/:(\w+)/g, (_, key: string) => `{${key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}}`)}\``,
    `${summary} ${access(call)}`.trim(),
    params && `Path: ${inline(schema(params, 'input'))}`,
    query && `Query: ${inline(schema(query, 'input'))}`,
    body && `Body:${bodyText(schema(body, 'input'))}`,
    call.takesFile && 'Body: the bytes of the part.',
    `Answer (${call.status ?? 200}): ${output ? `\`${typeText(schema(output, 'output'))}\`` : 'nothing.'}`,
    refusals.length > 0 && `Errors: ${refusalList(refusals)}`,
  ]
    .filter(Boolean)
    .join('\n\n')
}

function access({ auth, scope }: BillingCall): string {
  if (auth === 'user') return '**Members only, by their session.**'
  if (auth === 'seller') return `**Scope** \`${scope}\`.`
  if (auth === 'customer') return '**By the token of a portal session.**'
  return auth === 'secret' ? '**Access by the secret in the path.**' : '**Public.**'
}

/** Names with their types in one line. */
const inline = ({ properties = {} }: JsonSchema): string =>
  Object.entries(properties)
    .map(([name, schema]) => `\`${name}: ${typeText(oneOrMore(schema))}\``)
    .join(', ')

/** What may be given once or several times is a list. */
const oneOrMore = (schema: JsonSchema): JsonSchema => schema.anyOf?.find(({ type }) => type === 'array') ?? schema

/** Shapes that another page lists. */
const elsewhere: Readonly<Record<string, string>> = {
  WebhookEventType: 'One of the [webhook events](webhook-events.md).',
}

const bodyText = (schema: JsonSchema): string =>
  schema.properties ? `\n\n${members(schema)}` : ` \`${typeText(schema)}\``

const shape = (schema: JsonSchema): string => (schema.properties ? members(schema) : `\`${typeText(schema)}\``)

function members({ properties = {}, required = [] }: JsonSchema): string {
  return table(
    ['Member', 'Type', ''],
    Object.entries(properties).map(([name, schema]) => [
      `\`${name}\``,
      `\`${typeText(schema)}\``,
      required.includes(name) ? 'required' : 'optional',
    ]),
  )
}

function refusalList(refusals: readonly ErrorName[]): string {
  const shown = refusals.map((name) => `\`${wireCode(errorCode(name))}\` (${errors[name].status})`)
  return `${[...new Set(shown)].join(', ')}.`
}
