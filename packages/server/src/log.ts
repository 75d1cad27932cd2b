import pino, { type DestinationStream, type Logger } from 'pino'

export type { Logger }

/** Members that never reach a log, wherever they stand in what is logged. */
const secretMembers = new Set([
  'password',
  'newPassword',
  'currentPassword',
  'token',
  'cookie',
  'authorization',
  'set-cookie',
  'secret',
  'accessToken',
  'refreshToken',
  'idToken',
])

/** Deeper than anything that is logged on purpose; what lies below it is left out. */
const deepest = 6

/** What is logged without its secrets: itself where it has none, which is nearly always, else a copy. */
function withoutSecrets(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
  if (depth > deepest) return '[too deep]'
  if (value instanceof Error) return withoutSecrets(pino.stdSerializers.err(value), depth)
  let copy: Record<string, unknown> | unknown[] | undefined
  for (const [name, member] of Object.entries(value)) {
    const shown = secretMembers.has(name) && member !== undefined ? '[redacted]' : withoutSecrets(member, depth + 1)
    if (shown === member) continue
    copy ??= Array.isArray(value) ? [...value] : { ...value }
    ;(copy as Record<string, unknown>)[name] = shown // an index of an array is a name, too
  }
  return copy ?? value
}

/** Structured logs: one JSON object a line (`json`), or a line for people (`pretty`). */
export function createLogger(options: {
  level: string
  format: 'json' | 'pretty'
  stream?: DestinationStream
}): Logger {
  const stream = options.stream ?? (options.format === 'pretty' ? { write: writePretty } : pino.destination(1))
  // The type of a formatter wants the object that it was given.
  const log = (object: object) => withoutSecrets(object) as Record<string, unknown>
  // Errors are plain objects by then.
  const serializers = { err: (error: unknown) => error }
  return pino({ level: options.level, base: null, formatters: { log }, serializers }, stream)
}

const names: Record<number, string> = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' }

function writePretty(line: string): void {
  const { level, time, msg, err, ...rest } = JSON.parse(line) as Record<string, unknown>
  const clock = new Date(time as number).toISOString().slice(11, 19)
  const details = Object.entries(rest).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  const stack = err && typeof err === 'object' && 'stack' in err ? `\n${String(err.stack)}` : ''
  process.stdout.write(`${clock} ${names[level as number] ?? level} ${[msg, ...details].join(' ')}${stack}\n`)
}
