import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../testing.ts'
import { findOwnerless } from './owner-check.service.ts'
import { foundedCompany } from './testing/company.ts'

const withCreatorRole = ({ tollgate }: TestServer, creatorRole: string) => {
  const { organization } = tollgate.internals.ctx.config
  return { organization: organization === false ? organization : { ...organization, creatorRole } }
}

test('an organization in which no member holds the creator’s role is found', async () => {
  await using server = await createTestServer()
  const { db, config } = server.tollgate.internals.ctx
  expect(await findOwnerless(db, withCreatorRole(server, 'boss'))).toBe(undefined)
  const acme = await foundedCompany(server)
  await acme.member('admin')
  const other = await foundedCompany(server, 'other')

  expect(await findOwnerless(db, config)).toBe(undefined)
  // A part of the name is another role.
  for (const role of ['boss', 'own', 'Owner'])
    expect(await findOwnerless(db, withCreatorRole(server, role))).toContain(`organization.creatorRole is "${role}"`)
  expect(await findOwnerless(db, { organization: false })).toBe(undefined)

  await server.tollgate.internals.ctx.transaction((tx) =>
    tx.updateTable('member').set({ role: 'admin,boss' }).where('id', '=', acme.owner.memberId).execute(),
  )
  expect(await findOwnerless(db, config)).toContain(acme.id)
  expect(await findOwnerless(db, withCreatorRole(server, 'boss'))).toContain(other.id)
})

test('a start logs a line', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'tollgate-owners-'))
  const databaseUrl = `sqlite:${path.join(folder, 'owners.db')}`
  try {
    await using before = await createTestServer({}, { databaseUrl })
    const { id } = await foundedCompany(before)
    const warningsOf = ({ logs }: TestServer) => logs.filter((line) => line.includes('creatorRole'))

    await using changed = await createTestServer({ organization: { creatorRole: 'boss' } }, { databaseUrl })
    await using same = await createTestServer({}, { databaseUrl })

    expect(warningsOf(changed)).toEqual([expect.stringContaining(`no member of organization ${id} holds`)])
    expect(warningsOf(same)).toEqual([])
  } finally {
    await rm(folder, { recursive: true })
  }
})
