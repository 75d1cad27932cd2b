import { configSchema, environment } from '../../packages/server/src/config.ts'
import { type JsonSchema, jsonSchema, madeBy, table } from './json-schema.ts'

/** docs/configuration.md: every option and every environment variable. */
export function configurationPage(): string {
  const { properties = {} } = jsonSchema(configSchema, 'input')
  const groups = Object.entries(properties).filter(([, schema]) => isGroup(schema))
  const single = Object.entries(properties).filter(([, schema]) => !isGroup(schema))
  return `${madeBy('packages/server/src/config.ts')}

# Configuration

Tollgate reads its settings once, when it starts: the file \`tollgate.config.ts\` (or \`.mjs\`, \`.js\`) in the folder that
it is started in, or the one that \`TOLLGATE_CONFIG\` names, and then the environment, which wins. Nothing has to be set for
development. A setting that is unknown or wrong stops the start with one message that names every one of them;
\`tollgate doctor\` checks without starting.

\`\`\`ts
import { defineConfig } from 'tollgate'

export default defineConfig({
  appName: 'Notes',
  trustedOrigins: ['https://app.example.com'],
  emailAndPassword: { requireEmailVerification: true },
  session: { expiresIn: 30 * 24 * 3600 },
})
\`\`\`

An application that calls \`createTollgate(config)\` itself hands the same object over there.

## Environment

${table(
  ['Variable', 'Allowed', 'Meaning'],
  Object.entries(environment).map(([name, { allowed, sentence }]) => [`\`${name}\``, allowed, sentence]),
)}

Without \`TOLLGATE_MODE\`, the mode is production when \`NODE_ENV\` is \`production\`, and development otherwise. Production
refuses to start without \`SECRET\` and \`BASE_URL\`; development refuses an address that others can reach, unless
\`TOLLGATE_MODE=development\` says that it is meant.

## General options

${optionTable(single, '')}

${groups.map(([name, schema]) => `## \`${name}\`\n\n${optionTable(Object.entries(schema.properties ?? {}), `${name}.`)}`).join('\n\n')}
`
}

/** Options that only hold others; one with a sentence of its own is shown as a whole. */
const isGroup = (schema: JsonSchema): boolean => schema.properties !== undefined && schema.description === undefined

function optionTable(options: [string, JsonSchema][], prefix: string): string {
  return table(['Option', 'Type', 'Default', 'Meaning'], rows(options, prefix))
}

function rows(options: [string, JsonSchema][], prefix: string): string[][] {
  return options.flatMap(([name, schema]) =>
    isGroup(schema)
      ? rows(Object.entries(schema.properties ?? {}), `${prefix}${name}.`)
      : [[`\`${prefix}${name}\``, optionType(schema), optionDefault(schema), schema.description ?? '']],
  )
}

/** The type in words: a newcomer to TypeScript sets options too. */
function optionType(schema: JsonSchema): string {
  if (schema.enum) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(' or ')
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``
  if (schema.anyOf) return schema.anyOf.map(optionType).join(' or ')
  if (schema.type === 'array') return `list of ${optionType(schema.items ?? {})}s`
  if (schema.properties) return `{ ${Object.keys(schema.properties).join(', ')} }`
  if (schema.additionalProperties) return `by path: ${optionType(schema.additionalProperties)}`
  if (schema.type === 'integer' || schema.type === 'number') return 'number'
  if (schema.type === 'null') return '`null`'
  if (schema.type === 'boolean') return '`true` or `false`'
  return schema.type === 'string' ? 'text' : 'function'
}

function optionDefault({ default: value, description = '' }: JsonSchema): string {
  if (value === undefined) return ''
  const shown = `\`${JSON.stringify(value)}\``
  return typeof value === 'number' && /seconds/i.test(description) ? shown + inWords(value) : shown
}

const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** ` (7 days)` beside 604800. */
function inWords(seconds: number): string {
  const unit = units.find(([, length]) => seconds > 0 && seconds % length === 0)
  if (!unit) return ''
  const count = seconds / unit[1]
  return ` (${count} ${unit[0]}${count === 1 ? '' : 's'})`
}
