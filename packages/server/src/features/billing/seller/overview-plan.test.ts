import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { RawBuilder } from 'kysely'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../foundation/db/database.ts'
import { createTestServer } from '../../../testing.ts'
import { changesStatement, customersStatement, salesStatement } from './overview.repository.ts'

const span = { since: new Date('2026-03-01T00:00:00.000Z'), until: new Date('2026-03-02T00:00:00.000Z') }

test('no figure reads more than its range: each table is searched by organization and time', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'tollgate-overview-'))
  const url = `sqlite:${path.join(folder, 'plan.db')}`
  try {
    await using _ = await createTestServer({}, { databaseUrl: url })
    const { lists, close } = openDatabase(url)
    const plainly = new DatabaseSync(path.join(folder, 'plan.db'))
    const planOf = (statement: RawBuilder<unknown>) => {
      // Raw SQL of the server begins with select; the driver itself takes any.
      const { sql: text, parameters } = statement.compile(lists.db)
      const rows = plainly.prepare(`explain query plan ${text}`).all(...(parameters as string[])) as {
        detail: string
      }[]
      return rows.map(({ detail }) => detail).filter((detail) => /sale|customer|subscription/.test(detail))
    }

    const plans = [
      planOf(salesStatement(lists, 'org', [span, span])),
      planOf(customersStatement(lists, 'org', [span, span])),
      planOf(changesStatement(lists, 'org', [span, span])),
    ]

    expect(plans.flat()).toEqual([
      expect.stringMatching(/^SEARCH sale USING INDEX order_created \(organization_id=\? AND created_at>\?/),
      expect.stringMatching(/^SEARCH customer USING INDEX customer_created \(organization_id=\? AND created_at>\?/),
      expect.stringMatching(/^SEARCH subscription USING COVERING INDEX subscription_started \(organization_id=\? AND/),
      expect.stringMatching(/^SEARCH subscription USING COVERING INDEX subscription_ended \(organization_id=\? AND/),
    ])
    plainly.close()
    await close()
  } finally {
    await rm(folder, { recursive: true })
  }
})
