import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** Since when a message fails, by which later ones of the same object wait for it, and more than one earlier secret. */
export const webhookOrder: Migration = {
  name: '0007-webhook-order',
  async up({ schema, types }) {
    await schema.alterTable('webhook_message').addColumn('first_failed_at', types.time).execute()
    // Of the few that fail: what is written for the first time costs nothing more.
    await schema
      .createIndex('webhook_message_failing')
      .on('webhook_message')
      .columns(['endpoint_id', 'subject_id', 'sequence'])
      .where(sql<boolean>`state = 'pending' and first_failed_at is not null`)
      .execute()
    await schema.alterTable('webhook_endpoint').addColumn('earlier_secrets', types.json).execute()
  },
}
