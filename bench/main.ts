import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { createDatabase, startPostgres, type TestPostgres } from '../testing/postgres.ts'
import { openAccounts } from './accounts.ts'
import { barsOf, isMet } from './bars.ts'
import { type CaseName, cases, hashedCases, hashesAtOnce } from './cases.ts'
import { findCores, moveSelf } from './cores.ts'
import { seedCrowd } from './crowd.ts'
import type { JobResult, WarmUp } from './job.ts'
import { pause } from './latencies.ts'
import { type Findings, isDisturbed, type Measurement, type MemoryReading } from './measurements.ts'
import { joinOrganizations } from './organizations.ts'
import { runHash, runLoad, startServer } from './programs.ts'
import { toMarkdown } from './results.ts'
import { programOf, type Server, sells, servers } from './servers.ts'
import { openShop, ordersOfOne, seedCodes, seedOrders, sellOne, sellToGiveBack } from './shop.ts'
import { describeMachine, describePostgres, describeVersions } from './surroundings.ts'

const flags = readFlags()
const seconds = positive('--seconds', flags.seconds, flags.quick ? 2 : 8)
const rounds = positive('--rounds', flags.rounds, flags.quick ? 1 : 3)
/** What a server is after a minute of its life: V8 has compiled a path when it was taken a thousand times and more. */
const warmUp: WarmUp = { seconds: Math.min(2, seconds / 2), answers: 2000, atMostSeconds: flags.quick ? 2 : 15 }
const chosenCases = chosen(
  '--only',
  flags.only,
  cases.map((each) => each.name),
)
const chosenServers = chosen('--servers', flags.servers, [...servers.map((each) => each.name), 'hash'])
const orders = flags.orders === undefined ? ordersOfOne : Number(flags.orders)
if (!Number.isSafeInteger(orders) || orders < 1) refuse(`--orders ${flags.orders}: a whole number`)
const isWhole = !flags.quick && flags.orders === undefined && flags.only === undefined && flags.servers === undefined
const profileFolder = flags.profile && path.resolve(flags.profile)

const startedAt = new Date().toISOString()
const cores = findCores()
const measurements: Measurement[] = []
const memory: MemoryReading[] = []
const failures: Record<string, string> = {}

// On a real disk where there is one: the temp folder may be memory, where a durable write costs nothing.
const folder = mkdtempSync(path.join(process.platform === 'win32' ? os.tmpdir() : '/var/tmp', 'tollgate-bench-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
const machine = describeMachine(cores, folder)
const versions = describeVersions()

// PostgreSQL is started by this process and inherits its core.
moveSelf(cores.database)
const postgres = await findPostgres()
try {
  if (servers.some(({ name, product }) => product === 'tollgate' && chosenServers.has(name))) await buildTollgate()
  for (let round = 1; round <= rounds; round += 1) {
    for (const server of servers) {
      await measureIfPossible(server, round)
      // At once after the server whose ceiling it is: a virtual machine is not equally fast from one minute to the next.
      const kind = server.name === 'better-auth' ? 'scrypt' : server.name === 'tollgate' ? 'argon2id' : undefined
      if (kind) await measureHash(round, kind)
    }
  }
} finally {
  await postgres?.server.stop()
}

const findings: Findings = {
  startedAt,
  seconds,
  rounds,
  machine,
  versions: { ...versions, ...(postgres && { PostgreSQL: postgres.version }) },
  durability: {
    sqlite: 'WAL; better-auth: synchronous=FULL, Tollgate: log synced before a commit is acknowledged',
    postgres: postgres?.durability ?? 'not measured',
  },
  measurements,
  memory,
  failures,
}
conclude(findings)

/** As it is published (release/), and started once: what Node has compiled it keeps for the starts after it. */
async function buildTollgate(): Promise<void> {
  const { status } = spawnSync(process.execPath, [path.join(import.meta.dirname, '../scripts/build.mjs')])
  if (status !== 0) refuse('Tollgate cannot be built: npm run build says why')
  const first = await startServer(
    cores.server,
    programOf(servers.find(({ name }) => name === 'tollgate')!, 'sqlite::memory:'),
  )
  await first.stop()
}

async function measureIfPossible(server: Server, round: number): Promise<void> {
  const names = server.cases.filter((name) => chosenCases.has(name))
  if (!chosenServers.has(server.name) || names.length === 0 || failures[server.name]) return
  try {
    await measureServer(server, names, round)
  } catch (error) {
    failures[server.name] = firstLines(error)
    console.error(`${server.name}: ${failures[server.name]}`)
  }
}

async function measureServer(server: Server, names: readonly CaseName[], round: number): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const databaseUrl = await emptyDatabase(server, round, stack)
  const program = programOf(server, databaseUrl)
  const profiled = profileFolder
    ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${path.join(profileFolder, server.name)}` }
    : {}
  const running = await startServer(cores.server, { ...program, env: { ...program.env, ...profiled } })
  stack.defer(() => running.stop())
  const people = await openAccounts(server, running.port)
  const shop = sells(server.name) ? await openShop(running.port, people.cookies[0] ?? '') : undefined
  const toGiveBack =
    shop && (names.includes('refund') || names.includes('order'))
      ? await sellToGiveBack(running.port, shop, hashesAtOnce)
      : []
  const documentPath = shop && names.includes('document') ? await sellOne(running.port, shop) : undefined
  const isFull = server.name === 'tollgate-shop-orders'
  const seededOrders = shop && isFull ? await seedOrders(running.port, databaseUrl, shop, orders) : []
  const accounts = {
    ...people,
    ...(shop && { shop: { ...shop, orders: toGiveBack, seededOrders, ...(documentPath && { documentPath }) } }),
  }
  if (shop && server.name === 'tollgate-shop-codes') await seedCodes(databaseUrl, shop)
  if (names.includes('admin-list-users')) await seedCrowd(databaseUrl, accounts.emails[0] ?? '')
  if (names.includes('has-permission')) await joinOrganizations(server, running.port, databaseUrl, accounts)

  for (const each of cases.filter(({ name }) => names.includes(name))) {
    for (const run of each.runs) {
      const streams = run.streams(running.port, accounts)
      const job = { port: running.port, pid: running.pid, warmUp, seconds, streams }
      keep(round, server.name, each.name, run.name, await runLoad(cores.load, job))
    }
  }
  // What was asked last is still being answered.
  await pause(1)
  const reading = running.memory()
  if (reading) memory.push({ ...reading, round, server: server.name })
}

async function measureHash(round: number, kind: 'argon2id' | 'scrypt'): Promise<void> {
  if (!chosenServers.has('hash')) return
  if (![...chosenCases].some((name) => name === 'hash' || hashedCases.includes(name))) return
  keep(round, 'hash', 'hash', kind, await runHash(cores.server, kind, hashesAtOnce, warmUp.seconds, seconds))
}

function keep(round: number, server: string, name: CaseName, run: string, { streams, busy }: JobResult): void {
  const [result, beside] = streams
  if (!result) throw new Error('The load generator gave no figures')
  measurements.push({ round, server, case: name, run, result, beside, busy })
  const errors = result.errors + (beside?.errors ?? 0)
  const disturbed =
    busy && isDisturbed(busy) ? `  other programs took ${Math.round(busy.others * 100)} % of the core` : ''
  console.log(
    `${round}/${rounds} ${server.padEnd(21)} ${run.padEnd(19)} ${result.perSecond.toFixed(1).padStart(8)}/s` +
      `  p50 ${result.p50.toFixed(2)} ms  p99 ${result.p99.toFixed(2)} ms` +
      `${errors > 0 ? `  ${errors} ERRORS ${JSON.stringify([result.statuses, beside?.statuses])}` : ''}${disturbed}`,
  )
}

async function emptyDatabase(server: Server, round: number, stack: AsyncDisposableStack): Promise<string> {
  if (server.database === 'none') return ''
  if (server.database === 'sqlite') return `sqlite:${path.join(folder, `${server.name}-${round}.db`)}`
  if (!postgres) throw new Error(failures.postgres ?? 'no PostgreSQL')
  return stack.use(await createDatabase(postgres.server.url)).url
}

type FoundPostgres = { server: TestPostgres; version: string; durability: string }

async function findPostgres(): Promise<FoundPostgres | undefined> {
  const wanted = servers.filter(
    (server) =>
      server.database === 'postgres' &&
      chosenServers.has(server.name) &&
      server.cases.some((name) => chosenCases.has(name)),
  )
  if (wanted.length === 0) return undefined
  try {
    const server = await startPostgres()
    return { server, ...(await describePostgres(server.url)) }
  } catch (error) {
    for (const server of wanted) failures[server.name] = firstLines(error)
    return undefined
  }
}

function conclude(found: Findings): void {
  const page = toMarkdown(found)
  // A part of the figures must not take the place of the whole.
  const out = flags.out ?? (isWhole ? path.join(import.meta.dirname, 'RESULTS.md') : undefined)
  if (out) writeFileSync(out, page)
  else console.log(`\n${page}`)
  if (flags.json) {
    mkdirSync(path.dirname(path.resolve(flags.json)), { recursive: true })
    writeFileSync(flags.json, `${JSON.stringify(found, null, 2)}\n`)
  }

  for (const bar of barsOf(found)) {
    const met = isMet(bar)
    const measured = bar.measured === undefined ? 'not measured' : bar.show(bar.measured)
    console.log(
      `${met === undefined ? '  –  ' : met ? ' met ' : 'NOT  '} ${bar.title}: ${measured} (${bar.limit} ${bar.show(bar.wanted)})`,
    )
  }
  if (out) console.log(`Written to ${path.relative(process.cwd(), out)}`)
  // A bar depends on the machine; a refused request or a server that does not start is a fault anywhere.
  const faulty = measurements.some((each) => each.result.errors + (each.beside?.errors ?? 0) > 0)
  process.exitCode = faulty || Object.keys(failures).length > 0 ? 1 : 0
}

function readFlags() {
  const options = {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    servers: { type: 'string' },
    seconds: { type: 'string' },
    rounds: { type: 'string' },
    orders: { type: 'string' },
    json: { type: 'string' },
    profile: { type: 'string' },
    out: { type: 'string' },
  } as const
  try {
    return parseArgs({ options }).values
  } catch (error) {
    return refuse(
      `${firstLines(error)} Known are ${Object.keys(options)
        .map((name) => `--${name}`)
        .join(' ')}.`,
    )
  }
}

function chosen<Name extends string>(flag: string, value: string | undefined, names: readonly Name[]): Set<Name> {
  if (value === undefined) return new Set(names)
  const wanted = value.split(',')
  const unknown = wanted.filter((name) => !names.some((each) => each === name))
  if (unknown.length > 0) return refuse(`${flag} ${unknown.join(', ')}: known are ${names.join(', ')}`)
  return new Set(names.filter((name) => wanted.includes(name)))
}

function positive(flag: string, value: string | undefined, fallback: number): number {
  if (value === undefined) return fallback
  const number = Number(value)
  return number > 0 && number <= 600 ? number : refuse(`${flag} ${value}: a number from 1 to 600`)
}

function refuse(message: string): never {
  console.error(message)
  process.exit(2)
}

function firstLines(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.split('\n').slice(0, 6).join(' ').slice(0, 500)
}
