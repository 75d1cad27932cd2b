import {
  type BillingCall,
  type BillingCallName,
  billingCalls,
  scopes,
} from '../../packages/contract/src/billing/calls.ts'
import { billingSchemas, type Endpoint } from '../../packages/contract/src/billing/schemas.ts'
import { type ErrorName, errorCode, errors } from '../../packages/contract/src/errors.ts'
import { wireCode } from '../../packages/server/src/http/billing-errors.ts'
import { tagOf } from '../../packages/server/src/http/billing-openapi.ts'
import { type WireSchema, wireSchema } from '../../packages/server/src/http/wire-schema.ts'
import { type JsonSchema, madeBy, table, typeText } from './json-schema.ts'

/** docs/billing-api.md: every call of the billing API in the spelling of its wire, and the shapes that they share. */
export function billingApiPage(): string {
  const found: Record<string, WireSchema> = {}
  const names = Object.keys(billingCalls) as BillingCallName[]
  const groups = Object.entries(Object.groupBy(names, (name) => tagOf(billingCalls[name].path)))
  const sections = groups.map(
    ([group, members = []]) =>
      `## ${group}\n\n${members.map((name) => callSection(name, billingCalls[name], billingSchemas[name], found)).join('\n\n')}`,
  )
  return `${madeBy('packages/contract/src/billing')}

# Billing API

Every call of what is sold: [how to begin](billing.md). Paths are below \`/v1\`, with or without a slash at their end. Bodies and
answers are JSON in snake_case; amounts are whole minor units (cents), times ISO 8601 texts. A running server describes the
same at \`/openapi.json\`, and at \`/docs\` to try. The Polar SDK makes the calls that it knows unchanged.

One name leads everywhere: a call is \`client.<name>(…)\` of \`createBillingClient\` and \`api.<name>({ body, query, params,
headers })\` in server code, both in camelCase. Server code names the organization it acts for: \`organizationId\` in the body of
what is made, else in the query.

**Who calls.** A token (\`Authorization: Bearer tollgate_oat_…\`) acts for its organization as far as its scopes go; one that
ends in \`:write\` holds the one that reads. A signed-in member acts by their session for the organization that
\`organization_id\` names, else for the active one, as far as their roles go. What belongs to another organization is 404.

**Lists** take \`page\` and \`limit\` (10, at most 100) and answer \`{ items, pagination: { total_count, max_page, next_cursor } }\`;
or \`cursor\`: empty for the first page, then the \`next_cursor\` of the page before, which is as fast however deep it is, and
counts nothing. \`sorting\` may be given several times, \`-\` before a field turns the order. A filter that is given several times
takes any of its values; \`metadata[key]=value\` looks into metadata.

**\`Idempotency-Key\`** on a POST: for a day the same request with the same key is carried out once and answered alike; another
request with it is refused (409).

**Refusals** are \`{ "error": …, "detail": … }\`; in a 422 \`detail\` is a list of all that is wrong. Besides what is listed with it,
any call may answer \`TooManyRequests\` (429), \`MalformedRequest\` (400), \`ServiceUnavailable\` (503) and
\`InternalServerError\` (500).

**Scopes**: ${scopes.map((scope) => `\`${scope}\``).join(', ')}.

${groups.map(([group, members = []]) => `- ${group}: ${members.map((name) => `[${name}](#${name.toLowerCase()})`).join(', ')}`).join('\n')}

${sections.join('\n\n')}

## Shapes

${Object.entries(found)
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([name, schema]) => `### ${name}\n\n${shape(schema as JsonSchema)}`)
  .join('\n\n')}
`
}

function callSection(name: string, call: BillingCall, endpoint: Endpoint, found: Record<string, WireSchema>): string {
  const { summary, params, query, body, output, errors: refusals } = endpoint
  const schema = (part: NonNullable<typeof body>, io: 'input' | 'output') => wireSchema(part, io, found) as JsonSchema
  return [
    `### ${name}`,
    `\`${call.method} ${call.path.replace(/:(\w+)/g, (_, key: string) => `{${key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}}`)}\``,
    `${summary} ${access(call)}`.trim(),
    params && `Path: ${inline(schema(params, 'input'))}`,
    query && `Query: ${inline(schema(query, 'input'))}`,
    body && `Body:${bodyText(schema(body, 'input'))}`,
    call.takesFile && 'Body: the bytes of the part.',
    `Answer (${call.status ?? 200}): ${output ? `\`${typeText(schema(output, 'output'))}\`` : 'nothing.'}`,
    refusals.length > 0 && `Refusals: ${refusalList(refusals)}`,
  ]
    .filter(Boolean)
    .join('\n\n')
}

function access({ auth, scope }: BillingCall): string {
  if (auth === 'user') return '**Members only, by their session.**'
  if (auth === 'seller') return `**Scope** \`${scope}\`.`
  return auth === 'secret' ? '**Whoever knows the secret in the path.**' : '**Everybody.**'
}

/** Names with their types in one line. */
const inline = ({ properties = {} }: JsonSchema): string =>
  Object.entries(properties)
    .map(([name, schema]) => `\`${name}: ${typeText(oneOrMore(schema))}\``)
    .join(', ')

/** What may be given once or several times is a list. */
const oneOrMore = (schema: JsonSchema): JsonSchema => schema.anyOf?.find(({ type }) => type === 'array') ?? schema

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
