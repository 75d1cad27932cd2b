import { spawnSync } from 'node:child_process'
import { closeSync, fsyncSync, openSync, readFileSync, statfsSync, writeSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import type { Cores } from './cores.ts'
import { summarise } from './latencies.ts'

const fileSystems: Readonly<Record<number, string>> = {
  61267: 'ext4',
  16914836: 'tmpfs (memory: synchronous writes cost nothing here)',
  1481003842: 'xfs',
  2435016766: 'btrfs',
  2035054128: 'overlay',
}

/** What the figures depend on besides the programs. */
export function describeMachine(cores: Cores, folder: string): Record<string, string> {
  const cpus = os.cpus()
  return {
    Processor: `${cpus[0]?.model.trim() ?? 'unknown'}, ${cpus.length} cores`,
    Memory: `${(os.totalmem() / 1e9).toFixed(0)} GB`,
    System: `${os.type()} ${os.release()} ${process.arch}`,
    'Database files on': fileSystems[statfsSync(folder).type] ?? 'an unnamed file system',
    'One durable write': durableWrite(path.join(folder, 'durable-write')),
    'Load average before': os
      .loadavg()
      .map((load) => load.toFixed(2))
      .join(' '),
    ...(cores.server !== undefined && {
      Cores: `Server (and hash) on core ${cores.server}, load generator on core ${cores.load}, PostgreSQL on core ${cores.database}.`,
    }),
  }
}

/** Versions of everything that is measured or measured with. */
export function describeVersions(): Record<string, string> {
  const installed = (name: string) => versionIn(path.join(import.meta.dirname, 'node_modules', name, 'package.json'))
  const tollgate = path.join(import.meta.dirname, '..', 'packages', 'server', 'package.json')
  return {
    Node: process.version,
    SQLite: sqliteVersion(),
    Tollgate: [versionIn(tollgate), revision()].filter(Boolean).join(', '),
    'better-auth': installed('better-auth'),
    hono: installed('hono'),
    '@hono/node-server': installed('@hono/node-server'),
    '@node-rs/argon2': installed('@node-rs/argon2'),
  }
}

/** The version of a PostgreSQL server and its settings that decide whether an answered write survives a power cut. */
export async function describePostgres(url: string): Promise<{ version: string; durability: string }> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const names = ['fsync', 'synchronous_commit', 'full_page_writes']
    const { rows } = await client.query<{ name: string; setting: string }>(
      'select name, setting from pg_settings where name = any($1) or name = $2',
      [names, 'server_version'],
    )
    const setting = (name: string) => rows.find((row) => row.name === name)?.setting ?? 'unknown'
    return {
      version: setting('server_version'),
      durability: names.map((name) => `${name}=${setting(name)}`).join(' '),
    }
  } finally {
    await client.end()
  }
}

/** What every committed transaction waits for: 4 KB written and synchronised, one after the other. */
function durableWrite(file: string): string {
  const descriptor = openSync(file, 'w')
  const block = Buffer.alloc(4096)
  const startedAt = performance.now()
  const latencies = Array.from({ length: 200 }, () => {
    const wroteAt = performance.now()
    writeSync(descriptor, block)
    fsyncSync(descriptor)
    return performance.now() - wroteAt
  })
  closeSync(descriptor)
  const { p50, p99 } = summarise(latencies, (performance.now() - startedAt) / 1000)
  return `p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`
}

function versionIn(file: string): string {
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version?: string }
  return version ?? 'unknown'
}

function sqliteVersion(): string {
  const database = new DatabaseSync(':memory:')
  const version = String(database.prepare('select sqlite_version() as version').get()?.version)
  database.close()
  return version
}

function revision(): string {
  const git = (...args: string[]) => spawnSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' })
  const commit = git('rev-parse', '--short', 'HEAD')
  if (commit.status !== 0) return ''
  const changed = git('status', '--porcelain', '--', '../packages').stdout.trim() !== ''
  return `commit ${commit.stdout.trim()}${changed ? ' with changes' : ''}`
}
