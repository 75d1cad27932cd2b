import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** Open disputes of all organizations, for the administrators who answer them. */
export const openDisputes: Migration = {
  name: '0008-open-disputes',
  async up({ schema }) {
    await schema
      .createIndex('dispute_open')
      .on('dispute')
      .columns(['created_at', 'id'])
      .where(sql<boolean>`status in ('early_warning', 'needs_response', 'under_review')`)
      .execute()
  },
}
