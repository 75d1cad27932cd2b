import { addColumns, index, json, type Migration, nullable, time } from './migration.ts'

/** The time of a message's first failure, for which later ones of the same object wait, and several earlier secrets. */
export const webhookOrder: Migration = {
  name: '0007-webhook-order',
  steps: [
    addColumns('webhook_message', { first_failed_at: nullable(time) }),
    // Covers only failing messages, so first writes cost nothing more.
    index('webhook_message_failing', 'webhook_message', ['endpoint_id', 'subject_id', 'sequence'], {
      where: "state = 'pending' and first_failed_at is not null",
    }),
    addColumns('webhook_endpoint', { earlier_secrets: nullable(json) }),
  ],
}
