import { barsOf, isMet } from './bars.ts'
import { cases, connections, hashedCases, hashesAtOnce, quietPerSecond } from './cases.ts'
import { type Findings, figure, isDisturbed, type Spread, spreadOf } from './measurements.ts'
import { type Server, servers } from './servers.ts'

/** The findings as a page to read. */
export function toMarkdown(findings: Findings): string {
  const sections = [
    '# What was measured',
    introduction(findings),
    '## Bars',
    barsTable(findings),
    ...throughputSections(findings),
    ...latencySection(findings),
    '## Resident memory',
    memoryTable(findings),
    '## Machine and versions',
    factsTable(findings),
    '## How',
    method(findings),
  ]
  return `${sections.join('\n\n')}\n`
}

function introduction(findings: Findings): string {
  const failures = Object.entries(findings.failures).map(
    ([server, reason]) => `- \`${server}\` was not measured: ${reason}`,
  )
  const errors = sum(findings.measurements.flatMap((each) => [each.result.errors, each.beside?.errors ?? 0]))
  const requests = sum(findings.measurements.map((each) => each.result.requests))
  const disturbed = findings.measurements.filter((each) => each.busy && isDisturbed(each.busy)).length
  return [
    `${findings.startedAt.slice(0, 16).replace('T', ' ')} UTC · ${plural(findings.rounds, 'round')} of ${findings.seconds} s per case · ` +
      `${whole(requests)} requests measured, ${whole(errors)} errors (answers other than 2xx, empty sessions, broken connections).`,
    `Every figure is the median of the rounds${findings.rounds > 1 ? ', with the lowest and the highest in parentheses' : ''}.`,
    ...(disturbed > 0
      ? [
          `**Disturbed:** in ${disturbed} of ${findings.measurements.length} runs other programs took more than 5 % of the server’s core. Repeat on a quiet machine.`,
        ]
      : []),
    ...(failures.length > 0 ? ['', ...failures] : []),
  ].join('\n')
}

function barsTable(findings: Findings): string {
  const rows = barsOf(findings).map((bar) => {
    const met = isMet(bar)
    return [
      bar.title,
      `${bar.limit} ${bar.show(bar.wanted)}`,
      bar.measured === undefined ? '–' : bar.show(bar.measured),
      met === undefined ? 'not measured' : met ? 'met' : '**not met**',
    ]
  })
  return table(['Bar', 'Wanted', 'Measured', ''], rows)
}

function throughputSections(findings: Findings): string[] {
  return cases.flatMap((each) => {
    if (each.name === 'latency' || each.name === 'hash') return []
    const measured = servers.filter(
      (server) => server.cases.includes(each.name) && has(findings, server.name, each.name),
    )
    if (measured.length === 0) return []
    const hashes = hashedCases.includes(each.name) ? hashRows(findings) : []
    const rows = [...hashes, ...measured.map((server) => throughputRow(findings, server, each.name))]
    const head = [
      '',
      'Database',
      'Requests/s',
      'Against better-auth',
      'Of the ceiling',
      'p50 ms',
      'p99 ms',
      'Errors',
      'Body bytes',
    ]
    return [`## ${each.title}`, table(head, rows)]
  })
}

function throughputRow(findings: Findings, server: Server, run: string): string[] {
  const at = (name: string, otherRun = run) => figure(findings, name, otherRun, (each) => each.result.perSecond)
  const own = at(server.name)
  const peer = servers.find(
    (each) =>
      each.product === 'better-auth' &&
      each.database === server.database &&
      each.cookieCache === server.cookieCache &&
      each.cases.some((name) => name === run),
  )
  const ceiling = hashedCases.includes(run)
    ? at('hash', server.product === 'better-auth' ? 'scrypt' : 'argon2id')
    : (at('bare') ?? at('bare', 'get-session'))
  const latency = (pick: 'p50' | 'p99') => figure(findings, server.name, run, (each) => each.result[pick])
  const errors = findings.measurements
    .filter((each) => each.server === server.name && each.run === run)
    .map((each) => each.result.errors + (each.beside?.errors ?? 0))
  return [
    titleOf(findings, server),
    durabilityOf(findings, server),
    range(own, rate),
    ratio(own, peer && at(peer.name), (value) => `${value.toFixed(value < 10 ? 1 : 0)} ×`),
    ratio(own, ceiling, (value) => `${(value * 100).toFixed(0)} %`),
    range(latency('p50'), milliseconds),
    range(latency('p99'), milliseconds),
    whole(sum(errors)),
    whole(figure(findings, server.name, run, (each) => each.result.bodyBytes)?.median ?? 0),
  ]
}

function hashRows(findings: Findings): string[][] {
  const kinds = { argon2id: 'argon2id alone (Tollgate’s)', scrypt: 'scrypt alone (better-auth’s)' }
  const measured = Object.entries(kinds).filter(([kind]) => has(findings, 'hash', kind))
  return measured.map(([kind, title]) => {
    const of = (pick: 'perSecond' | 'p50' | 'p99') => figure(findings, 'hash', kind, (each) => each.result[pick])
    return [
      title,
      '–',
      range(of('perSecond'), rate),
      '',
      '100 %',
      range(of('p50'), milliseconds),
      range(of('p99'), milliseconds),
      '0',
      '–',
    ]
  })
}

function latencySection(findings: Findings): string[] {
  const rows = servers
    .filter((server) => has(findings, server.name, 'idle'))
    .map((server) => {
      const at = (run: string, pick: 'p50' | 'p99' | 'max') =>
        figure(findings, server.name, run, (each) => each.result[pick])
      return [
        titleOf(findings, server),
        range(at('idle', 'p50'), milliseconds),
        range(at('idle', 'p99'), milliseconds),
        range(at('storm', 'p50'), milliseconds),
        range(at('storm', 'p99'), milliseconds),
        range(at('storm', 'max'), milliseconds),
        ratio(at('storm', 'p99'), at('idle', 'p99'), (value) => `${value.toFixed(1)} ×`),
        range(
          figure(findings, server.name, 'storm', (each) => each.result.perSecond),
          decimal,
        ),
        range(
          figure(findings, server.name, 'storm', (each) => each.beside?.perSecond),
          decimal,
        ),
      ]
    })
  if (rows.length === 0) return []
  const head = [
    '',
    'Idle p50 ms',
    'Idle p99 ms',
    'Storm p50 ms',
    'Storm p99 ms',
    'Storm longest ms',
    'p99 storm / idle',
    'Answered/s in the storm',
    'Sign-ins/s beside',
  ]
  const title = `## Latency of get-session at ${quietPerSecond} a second: idle, and while ${hashesAtOnce} sign-ins at once saturate hashing`
  return [title, table(head, rows)]
}

function memoryTable(findings: Findings): string {
  const rows = servers.flatMap((server) => {
    const readings = findings.memory.filter((each) => each.server === server.name)
    if (readings.length === 0) return []
    return [
      [
        titleOf(findings, server),
        server.database === 'none' ? '–' : server.database,
        server.cases.join(', '),
        range(spreadOf(readings.map((each) => each.now)), whole),
        range(spreadOf(readings.map((each) => each.peak)), whole),
      ],
    ]
  })
  return table(['', 'Database', 'After these cases', 'Resident MB', 'Peak MB'], rows)
}

function factsTable(findings: Findings): string {
  return table(['', ''], Object.entries({ ...findings.machine, ...findings.versions }))
}

function method(findings: Findings): string {
  const share = (pick: 'server' | 'loadGenerator' | 'others', run: string, server: string) =>
    figure(findings, server, run, (each) => each.busy?.[pick])?.median
  const bare = share('server', 'get-session', 'bare')
  const generator = share('loadGenerator', 'get-session', 'bare')
  const others = spreadOf(findings.measurements.map((each) => each.busy?.others).filter((value) => value !== undefined))
  const asPercent = (value: number | undefined) => (value === undefined ? 'unknown' : `${(value * 100).toFixed(0)} %`)
  return `\`npm run bench\` starts each server on an empty database, runs all its cases, reads its memory and stops it; then the next server, and the next round. \`--quick\` takes 2 s per case and one round, \`--only CASE\` and \`--servers NAME\` (comma separated) choose, \`--seconds N\` and \`--rounds N\` change the length, \`--json FILE\` writes every single figure, \`--profile FOLDER\` writes CPU profiles.

- **Cores.** ${findings.machine.Cores ?? 'Nothing was pinned.'} The bare server used ${asPercent(bare)} of its core and the load generator ${asPercent(generator)} of its own meanwhile, so the server is what was measured. Other programs took ${asPercent(others?.median)} of the server's core in the median case, ${asPercent(others?.max)} in the worst.
- **Load.** ${connections} kept-alive connections ask for sessions, each again once it was answered; ${hashesAtOnce} sign in or up. 100 sessions of 20 people take turns. The latency cases send ${quietPerSecond} requests a second whatever the server does. The generator is the one in this folder (\`load.ts\`): it times to the microsecond and takes less of its core than autocannon, which gave the same figure for the bare server within 3 %. Each case is preceded by a warm-up that is not counted: 2 s, and then until 2,000 requests of each kind were answered or 15 s are over, so that what is measured has been compiled.
- **Servers.** The bare server and Hono send a constant JSON text of a session's length. better-auth runs as its documentation shows, with e-mail and password, rate limit, log and telemetry off, \`NODE_ENV=production\`. Tollgate runs as it is shipped, with rate limits off; at sign-up it also writes the verification mail, in a job after the answer, which better-auth does only when told how to send mail. All logs go to a pipe.
- **Databases.** SQLite, both products: ${findings.durability.sqlite}. PostgreSQL, both products: ${findings.durability.postgres}.
- **Ceilings.** For get-session the bare server; for sign-in and sign-up the password hash of that product alone, ${hashesAtOnce} at once on the server's core. The two hashes differ on purpose: each product is measured with the one it stores.`
}

function has(findings: Findings, server: string, run: string): boolean {
  return findings.measurements.some((each) => each.server === server && each.run === run)
}

function titleOf(findings: Findings, server: Server): string {
  if (server.product === 'node') return 'bare `node:http`'
  if (server.product === 'hono') return `Hono ${findings.versions.hono ?? ''}`
  if (server.product === 'better-auth') return `better-auth ${findings.versions['better-auth'] ?? ''}`
  return server.note ? `**Tollgate**, ${server.note}` : '**Tollgate**'
}

function durabilityOf(findings: Findings, server: Server): string {
  if (server.database === 'sqlite') return `SQLite, ${findings.durability.sqlite}`
  return server.database === 'postgres' ? `PostgreSQL, ${findings.durability.postgres}` : '–'
}

function range(spread: Spread | undefined, show: (value: number) => string): string {
  if (!spread) return '–'
  const [median, min, max] = [show(spread.median), show(spread.min), show(spread.max)]
  return min === max ? median : `${median} (${min}–${max})`
}

function ratio(own: Spread | undefined, other: Spread | undefined, show: (value: number) => string): string {
  return own && other && other.median > 0 ? show(own.median / other.median) : '–'
}

const whole = (value: number) => Math.round(value).toLocaleString('en-US')
/** Few per second deserve a decimal. */
const rate = (value: number) => (value < 1000 ? value.toFixed(1) : whole(value))
const decimal = (value: number) => value.toFixed(1)
const milliseconds = (value: number) => value.toFixed(value < 10 ? 2 : 1)
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
