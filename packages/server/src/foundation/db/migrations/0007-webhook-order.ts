import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** The time of a message's first failure, for which later ones of the same object wait, and several earlier secrets. */
export const webhookOrder: Migration = {
  name: '0007-webhook-order',
  async up({ schema, types }) {
    await schema.alterTable('webhook_message').addColumn('first_failed_at', types.time).execute()
    // Covers only failing messages, so first writes cost nothing more.
    await schema
      .createIndex('webhook_message_failing')
      .on('webhook_message')
      .columns(['endpoint_id', 'subject_id', 'sequence'])
      .where(sql<boolean>`state = 'pending' and first_failed_at is not null`)
      .execute()
    await schema.alterTable('webhook_endpoint').addColumn('earlier_secrets', types.json).execute()
  },
}
