import pino, { type DestinationStream, type Logger } from 'pino'

export type { Logger }

/** Members that never reach a log, wherever they stand in what is logged. */
const secretMembers = [
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
]

const redacted = secretMembers.flatMap((name) => {
  const member = name.includes('-') ? `["${name}"]` : name
  return [member, name.includes('-') ? `*${member}` : `*.${member}`]
})

/** Structured logs: one JSON object a line (`json`), or a line for people (`pretty`). */
export function createLogger(options: {
  level: string
  format: 'json' | 'pretty'
  stream?: DestinationStream
}): Logger {
  const stream = options.stream ?? (options.format === 'pretty' ? { write: writePretty } : pino.destination(1))
  return pino({ level: options.level, base: null, redact: { paths: redacted, censor: '[redacted]' } }, stream)
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
