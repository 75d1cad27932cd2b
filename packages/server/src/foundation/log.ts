import pino, { type DestinationStream, type Logger } from 'pino'
import { membersOf } from './proof/proven.ts'

export type { Logger }

/** Members that never reach a log, at any depth. */
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
  'clientSecret',
  'client_secret',
  'customerSessionToken',
  'externalId',
  'customerExternalId',
])

/** Deeper than any intended log value; deeper members are omitted. */
const deepest = 6

/** The logged value without its secrets: itself if it has none, which is nearly always, else a copy. */
function withoutSecrets(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
  if (depth > deepest) return '[too deep]'
  if (value instanceof Error) return withoutSecrets(pino.stdSerializers.err(value), depth)
  let copy: Record<string, unknown> | unknown[] | undefined
  for (const [name, member] of Object.entries(value)) {
    const shown = secretMembers.has(name) && member !== undefined ? '[redacted]' : withoutSecrets(member, depth + 1)
    if (shown === member) continue
    copy ??= Array.isArray(value) ? [...value] : { ...value }
    ;(copy as Record<string, unknown>)[name] = shown // an array's index is a name, too
  }
  return copy ?? value
}

/** Structured logs: one JSON object per line (`json`), or a readable line (`pretty`). */
export function createLogger(options: {
  level: string
  format: 'json' | 'pretty'
  stream?: DestinationStream
}): Logger {
  const stream = options.stream ?? (options.format === 'pretty' ? { write: writePretty } : standardOutput())
  // A formatter's type requires the object that it received.
  const log = (object: object) => membersOf(withoutSecrets(object))
  // Errors are already plain objects.
  const serializers = { err: (error: unknown) => error }
  return pino({ level: options.level, base: null, formatters: { log }, serializers }, stream)
}

let shared: DestinationStream | undefined

/** The standard output, one for all loggers of the process: each has a listener on its exit. */
const standardOutput = (): DestinationStream => {
  shared ??= openStandardOutput()
  return shared
}

/**
 * Writes the lines of one turn of the event loop at once, because a write for each line costs a third of the fastest
 * requests. Writes on this thread: a thread of the pool would keep password hashes waiting, and mix up the order at the exit.
 */
function openStandardOutput(): DestinationStream {
  const stream = pino.destination({ dest: 1, sync: true })
  let lines = ''
  const write = () => {
    const text = lines
    lines = ''
    if (text !== '') stream.write(text)
  }
  process.on('exit', write)
  return {
    write: (line) => {
      if (lines === '') setImmediate(write)
      lines += line
    },
  }
}

const names: Record<number, string> = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' }

function writePretty(line: string): void {
  const { level, time, msg, err, ...rest }: Record<string, unknown> = JSON.parse(line)
  const clock = new Date(Number(time)).toISOString().slice(11, 19)
  const details = Object.entries(rest).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  const stack = err && typeof err === 'object' && 'stack' in err ? `\n${String(err.stack)}` : ''
  process.stdout.write(`${clock} ${names[Number(level)] ?? level} ${[msg, ...details].join(' ')}${stack}\n`)
}
