import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { call, signedUp } from './calls.ts'
import { startServer } from './server-process.ts'
import { signUps } from './state.ts'

const guide = readFileSync(new URL('../../docs/self-hosting.md', import.meta.url), 'utf8')

/** The program that the guide tells to run, as it stands there. */
const documented = /node -e "(.*vacuum into.*)"$/m.exec(guide)?.[1]?.replaceAll('\\"', '"') ?? ''

test('a copy of SQLite, made during sign-ups, holds and restores every user whose sign-up was answered', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tollgate-backup-'))
  mkdirSync(path.join(folder, 'data'))
  const original = path.join(folder, 'data/tollgate.db')
  const copy = path.join(folder, 'backup.db')
  try {
    await using running = await startServer({ databaseUrl: `sqlite:${original}` })
    const cookie = await signedUp(running.baseURL, 'ada@example.com')
    const acknowledged = ['ada@example.com']
    let isOver = false
    const load = (async () => {
      for (let turn = 0; !isOver; turn += 1) {
        const email = `person${turn}@example.com`
        await signedUp(running.baseURL, email)
        acknowledged.push(email)
      }
    })()
    await expect.poll(() => acknowledged.length, { timeout: 20_000 }).toBeGreaterThan(3)

    const before = [...acknowledged]
    execFileSync(process.execPath, ['-e', documented], { cwd: folder })
    isOver = true
    await load
    await running.end()

    // As the guide says: the copy in the place of the original, and nothing left of its log.
    copyFileSync(copy, original)
    for (const rest of ['-wal', '-shm']) rmSync(original + rest, { force: true })
    const raw = new DatabaseSync(original)
    expect(raw.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
    raw.close()
    await using restored = await startServer({ databaseUrl: `sqlite:${original}` })

    const { emails, faults } = await signUps(`sqlite:${original}`)
    expect(faults).toEqual([])
    expect(before.filter((email) => !emails.includes(email))).toEqual([])
    const { status, body } = await call(restored.baseURL, '/get-session', undefined, { cookie })
    expect([status, body?.user.email]).toEqual([200, 'ada@example.com'])
    expect(await signedUp(restored.baseURL, 'grace@example.com')).not.toBe('')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
