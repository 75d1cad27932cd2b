import { configSchema, environment } from '../../packages/server/src/foundation/config/config.ts'
import { type JsonSchema, jsonSchema, madeBy, table } from './json-schema.ts'

/** docs/configuration.md: every option and every environment variable. */
export function configurationPage(): string {
  const options = Object.entries(jsonSchema(configSchema, 'input').properties ?? {})
  const sections = options.flatMap(([name, schema]) => section(name, schema) ?? [])
  const single = Object.fromEntries(options.filter(([name, schema]) => section(name, schema) === undefined))
  return `${madeBy('packages/server/src/foundation/config/options.ts')}

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
  [
    ...Object.entries(environment).map(([name, { allowed, sentence }]) => [`\`${name}\``, allowed, sentence]),
    [
      '`<PROVIDER>_CLIENT_ID`, `<PROVIDER>_CLIENT_SECRET`',
      'what the provider calls so',
      'A pair switches a social provider on: `GITHUB_CLIENT_ID` and `GITHUB_CLIENT_SECRET`, `GOOGLE_…`.',
    ],
  ],
)}

Without \`TOLLGATE_MODE\`, the mode is production when \`NODE_ENV\` is \`production\`, and development otherwise. Production
refuses to start without \`SECRET\` and \`BASE_URL\`; development refuses an address that others can reach, unless
\`TOLLGATE_MODE=development\` says that it is meant.

## General options

${optionTable({ properties: single }, '')}

${sections.join('\n\n')}
`
}

/** The heading of an option's own section, for options with nested options; undefined for others. */
function section(name: string, schema: JsonSchema): string | undefined {
  const told = (words: string, inside: JsonSchema, prefix: string) =>
    [`## \`${name}\``, words, optionTable(inside, prefix)].filter(Boolean).join('\n\n')
  const { description = '' } = schema

  if (isGroup(schema)) return told('', schema, `${name}.`)
  const feature = schema.anyOf?.find(({ properties }) => properties)
  if (feature) {
    const state = schema.default === false ? 'Off' : 'On'
    return told(`${description} ${state} when it is left out.`, feature, `${name}.`)
  }
  const [member] = Object.values(schema.properties ?? {})
  if (member?.properties) {
    const names = Object.keys(schema.properties ?? {}).map((each) => `\`${each}\``)
    return told(`${description} Known are ${names.join(', ')}. Each takes:`, member, `${name}.‹name›.`)
  }
  if (schema.items?.properties) return told(`${description} A list; each entry takes:`, schema.items, `${name}[].`)
  return undefined
}

/** Options that only hold others; one with a sentence of its own is shown as a whole. */
const isGroup = (schema: JsonSchema): boolean => schema.properties !== undefined && schema.description === undefined

function optionTable(holder: JsonSchema, prefix: string): string {
  return table(['Option', 'Type', 'Default', 'Meaning'], rows(holder, prefix))
}

function rows({ properties = {}, required = [] }: JsonSchema, prefix: string): string[][] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    if (isGroup(schema)) return rows(schema, `${prefix}${name}.`)
    const fallback = required.includes(name) ? 'required' : optionDefault(schema)
    return [[`\`${prefix}${name}\``, optionType(schema), fallback, schema.description ?? '']]
  })
}

/** The type in words: a newcomer to TypeScript sets options too. */
function optionType(schema: JsonSchema): string {
  if (schema.enum) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(' or ')
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``
  if (schema.anyOf) return schema.anyOf.map(optionType).join(' or ')
  if (schema.type === 'array') return `list of ${optionType(schema.items ?? {})}s`
  if (schema.properties) return `{ ${Object.keys(schema.properties).join(', ')} }`
  if (schema.additionalProperties) return `by name: ${optionType(schema.additionalProperties)}`
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
