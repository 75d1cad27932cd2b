import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { OpenCheckout } from '../../packages/server/src/features/billing/testing/shop.ts'
import { call, signedUp } from './calls.ts'
import { freshSqlite } from './databases.ts'
import { openSales } from './sales.ts'
import { type ServerProcess, startServer } from './server-process.ts'
import { signUps } from './state.ts'

/** Room for a database that can run out and come back. */
type Disk = AsyncDisposable & {
  readonly name: string
  readonly url: string
  readonly preload?: URL
  fill(server: ServerProcess): void
  free(server: ServerProcess): void
}

async function limitedPages(): Promise<Disk> {
  const database = await freshSqlite()
  const toggle = (server: ServerProcess) => void server.child.kill('SIGUSR2')
  return {
    name: 'a database that may not grow',
    url: database.url,
    preload: new URL('./limit-pages.mjs', import.meta.url),
    fill: toggle,
    free: toggle,
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}

/** A file system of 24 MB in memory; nothing where this user may not mount one. */
function smallDisk(): Disk | undefined {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tollgate-e2e-disk-'))
  const mounted =
    spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', folder], { stdio: 'ignore' }).status === 0
  if (!mounted) {
    rmSync(folder, { recursive: true })
    return undefined
  }
  const ballast = path.join(folder, 'ballast')
  return {
    name: 'a full disk',
    url: `sqlite:${path.join(folder, 'tollgate.db')}`,
    fill: () => {
      const file = openSync(ballast, 'w')
      try {
        for (;;) writeSync(file, Buffer.alloc(4096))
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
      } finally {
        closeSync(file)
      }
    },
    free: () => rmSync(ballast),
    [Symbol.asyncDispose]: async () => {
      spawnSync('umount', [folder])
      rmSync(folder, { recursive: true })
    },
  }
}

const disksOfAllKinds = async (): Promise<Disk[]> =>
  [await limitedPages(), smallDisk()].filter((disk) => disk !== undefined)

test('F-disk: out of room, SQLite answers 503 and keeps its promises; with room again, it goes on', async () => {
  for (const disk of await disksOfAllKinds()) await runOutOfRoom(disk)
})

test('F-disk: a sale or a refund out of room answers 503, is whole or absent afterwards, and can be had with room again', async () => {
  for (const disk of await disksOfAllKinds()) await sellOutOfRoom(disk)
})

async function runOutOfRoom(given: Disk): Promise<void> {
  await using disk = given
  await using server = await startOn(disk)
  const { baseURL } = server
  const acknowledged = ['ada@example.com']
  const cookie = await signedUp(baseURL, 'ada@example.com')
  disk.fill(server)

  const statuses: number[] = []
  // What is left of started pages still takes a few.
  for (let attempt = 0; attempt < 200 && statuses.filter((status) => status === 503).length < 5; attempt += 1) {
    const email = `${randomUUID()}@example.com`
    const { status, headers, text } = await call(baseURL, '/sign-up/email', {
      name: 'Bob',
      email,
      password: 'correct horse battery',
    })
    expect([200, 503], `${disk.name}: ${text}`).toContain(status)
    if (status === 503) expect(headers.get('retry-after')).toMatch(/^\d+$/)
    else acknowledged.push(email)
    statuses.push(status)
  }
  expect(statuses, disk.name).toContain(503)
  expect((await call(baseURL, '/get-session', undefined, { cookie })).body.user.email).toBe('ada@example.com')
  expect((await call(baseURL, '/ok')).status).toBe(200)

  disk.free(server)
  expect(await signedUp(baseURL, 'carol@example.com')).toBeTruthy()
  acknowledged.push('carol@example.com')
  const { emails, faults } = await signUps(disk.url)
  expect(faults).toEqual([])
  expect(emails.sort()).toEqual(acknowledged.sort())
}

async function sellOutOfRoom(given: Disk): Promise<void> {
  await using disk = given
  await using sales = await openSales(disk.url)
  await using server = await startOn(disk)
  const { baseURL } = server
  const offered: OpenCheckout[] = []
  for (let count = 0; count < 40; count += 1) offered.push((await sales.offer(baseURL))!) // else it is among the faults
  const paid = offered.splice(0, 3)
  for (const checkout of paid) expect(await sales.buy(baseURL, checkout), disk.name).toBe(true)
  disk.fill(server)

  const tried: OpenCheckout[] = []
  for (const checkout of offered) {
    if (sales.refusals() >= 5) break
    tried.push(checkout)
    await sales.buy(baseURL, checkout)
  }
  for (const checkout of paid) await sales.giveBack(baseURL, checkout)
  expect(sales.refusals(), disk.name).toBeGreaterThan(5)

  disk.free(server)
  expect(await sales.faultsAtRest([baseURL]), disk.name).toEqual([])
  for (const checkout of tried)
    if (!(await sales.isSold(baseURL, checkout))) expect(await sales.buy(baseURL, checkout), disk.name).toBe(true)
  for (const checkout of paid) expect(await sales.giveBack(baseURL, checkout), disk.name).toBe(true)
  expect(sales.faults, disk.name).toEqual([])
  expect(await sales.faultsAtRest([baseURL]), disk.name).toEqual([])
}

const startOn = ({ url, preload }: Disk): Promise<ServerProcess> =>
  startServer({ databaseUrl: url, env: { LOG_LEVEL: 'fatal' }, ...(preload && { preload }) })
