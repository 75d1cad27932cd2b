import { type AuthCallName, authCalls, type Call } from '../../packages/contract/src/calls.ts'
import { type ErrorName, errorCode, errors } from '../../packages/contract/src/errors.ts'
import { authSchemas, type Endpoint, session, sessionUser, user } from '../../packages/contract/src/schemas.ts'
import { type JsonSchema, jsonSchema, madeBy, plain, table, typeText } from './json-schema.ts'

const shapes = { User: user, SessionUser: sessionUser, Session: session }

/** Shapes that several answers hold, by how they look. */
const names = new Map(
  Object.entries(shapes).map(([name, schema]) => [JSON.stringify(plain(jsonSchema(schema, 'output'))), name]),
)

/** docs/api.md: every call with its path, input, answer and errors. */
export function apiPage(): string {
  const groupOf = (name: AuthCallName) => (authCalls[name] as Call).group ?? 'account'
  const calls = (Object.keys(authCalls) as AuthCallName[]).toSorted((a, b) => groupOf(a).localeCompare(groupOf(b)))
  return `${madeBy('packages/contract/src')}

# API

Every call of the auth API. Paths are below \`/api/auth\` (\`basePath\`). Bodies and answers are JSON; times are ISO 8601 texts.
A running server describes the same at \`/openapi.json\`, and at \`/docs\` to try.

Each call has one name everywhere: \`client.<name>(…)\` in the [typed client](clients.md), and \`api.<name>({ body, query,
headers })\` in [server code](mounting.md).

In addition to its listed errors, any call may answer \`TOO_MANY_REQUESTS\` (429), \`MALFORMED_REQUEST\` (400),
\`SERVICE_UNAVAILABLE\` (503) and \`INTERNAL_SERVER_ERROR\` (500). All codes: [errors](errors.md).

${calls.map((name) => `- [${name}](#${name.toLowerCase()}): ${firstSentence(authSchemas[name].summary)}`).join('\n')}

${calls.map((name) => callSection(name, authCalls[name], authSchemas[name])).join('\n\n')}

## Shapes

${Object.entries(shapes)
  .map(([name, schema]) => `### ${name}\n\n${members(jsonSchema(schema, 'output'), 'output')}`)
  .join('\n\n')}
`
}

function callSection(name: string, call: Call, { summary, body, query, params, output, errors: refusals }: Endpoint) {
  const parts = [
    `## ${name}`,
    `\`${call.method} ${call.path}\``,
    `${summary} ${access(call)}`.trim(),
    params && `Path:\n\n${members(jsonSchema(params, 'input'), 'input')}`,
    query && `Query:\n\n${members(jsonSchema(query, 'input'), 'input')}`,
    body && `Body:\n\n${members(jsonSchema(body, 'input'), 'input')}`,
    `Answer: ${output ? `\`${typeText(jsonSchema(output, 'output'), names)}\`` : answerWithoutBody(call)}`,
    refusals.length > 0 && `Errors: ${refusalList(refusals)}`,
  ]
  return parts.filter(Boolean).join('\n\n')
}

function access({ auth, serverOnly }: Call): string {
  if (serverOnly) return '**In server code only** (`api`), with the headers of a session; 404 over HTTP.'
  return auth === 'session' ? '**Needs a session.**' : ''
}

const answerWithoutBody = ({ page }: Call): string => (page ? 'a page.' : 'redirects the browser (302).')

function members({ properties = {}, required = [] }: JsonSchema, io: 'input' | 'output'): string {
  return table(
    io === 'input' ? ['Member', 'Type', '', 'Meaning'] : ['Member', 'Type', 'Meaning'],
    Object.entries(properties).map(([name, schema]) => {
      const type = typeText(schema, names)
      const must = required.includes(name) ? 'required' : 'optional'
      const meaning = schema.description ?? ''
      return io === 'input' ? [`\`${name}\``, `\`${type}\``, must, meaning] : [`\`${name}\``, `\`${type}\``, meaning]
    }),
  )
}

function refusalList(refusals: readonly ErrorName[]): string {
  const shown = refusals.map((name) => `\`${errorCode(name)}\` (${errors[name].status})`)
  return `${[...new Set(shown)].join(', ')}.`
}

const firstSentence = (text: string): string => `${text.split(/[.;:](?:\s|$)/)[0]}.`
