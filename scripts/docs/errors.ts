import { billingSchemas } from '../../packages/contract/src/billing/schemas.ts'
import { type ErrorName, errorCode, errors } from '../../packages/contract/src/errors.ts'
import { authSchemas, type Endpoint } from '../../packages/contract/src/schemas.ts'
import { madeBy, table } from './json-schema.ts'

/** The most calls to name; beyond it the page says that there are many. */
const namedCalls = 5

/** docs/errors.md: every error with its status, its text and its calls. */
export function errorsPage(): string {
  return `${madeBy('packages/contract/src/errors.ts')}

# Errors

A refused call answers with a status from 400 on and with JSON:

\`\`\`json
{ "code": "USER_ALREADY_EXISTS", "message": "User already exists" }
\`\`\`

Decide by \`code\`; \`message\` is for developers and logs. The components of \`@tollgate/react\` have a text in each of their
languages for every code. Answers with status 429 and 503 carry \`Retry-After\` in seconds. In server code, \`api.<call>()\`
throws a \`TollgateError\` with \`code\`, \`message\` and \`row.status\`.

The [billing API](billing-api.md) uses its ecosystem's shape: \`error\` instead of \`code\`, \`detail\` instead of \`message\`. Codes in
capitals become one word there (\`TooManyRequests\`), and with 422 \`detail\` lists every issue with \`loc\`, \`msg\` and \`type\`.

${table(['Code', 'Status', 'Text', 'Given by'], errorRows())}

A dash marks errors that no call of this version answers over HTTP.

A mailed link that returns to your application carries its error in the query: \`?error=INVALID_TOKEN\` after a reset
link, \`?error=token_expired\` (or \`invalid_token\`, \`user_not_found\`, \`unauthorized\`) after a verification link.
`
}

function errorRows(): string[][] {
  const rows = new Map<string, { shown: string[]; names: ErrorName[] }>()
  for (const name of Object.keys(errors) as ErrorName[]) {
    const { status, message } = errors[name]
    // Several rows of the table may have the same code, status and text.
    const shown = [`\`${errorCode(name)}\``, String(status), message]
    const row = rows.get(shown.join(' ')) ?? { shown, names: [] }
    row.names.push(name)
    rows.set(shown.join(' '), row)
  }
  return [...rows.values()].map(({ shown, names }) => [...shown, givenBy(names)])
}

/** Errors that any call may give, and that no call lists. */
const everywhere: readonly ErrorName[] = [
  'MALFORMED_REQUEST',
  'TOO_MANY_REQUESTS',
  'SERVICE_UNAVAILABLE',
  'INTERNAL_SERVER_ERROR',
]

function givenBy(names: readonly ErrorName[]): string {
  if (names.some((name) => everywhere.includes(name))) return 'any call'
  const pages: [string, Record<string, Endpoint>][] = [
    ['api.md', authSchemas],
    ['billing-api.md', billingSchemas],
  ]
  const calls = pages.flatMap(([page, endpoints]) =>
    Object.entries(endpoints)
      .filter(([, endpoint]) => names.some((name) => endpoint.errors.includes(name)))
      .map(([call]) => `[${call}](${page}#${call.toLowerCase()})`),
  )
  return calls.length > namedCalls ? 'many calls' : calls.join(', ') || '–'
}
