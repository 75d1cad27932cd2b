import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** Refunds, disputes, tax, documents, webhooks, and what the Stripe processor keeps of its own. */
export const business: Migration = {
  name: '0006-business',
  async up({ schema, types, growing }) {
    await schema
      .alterTable('merchant')
      .addColumn('credit_notes_count', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
    await schema.alterTable('merchant').addColumn('tax_settings', types.json).execute()
    await schema
      .alterTable('product')
      .addColumn('is_tax_exempt', types.flag, (c) => c.notNull().defaultTo(sql`false`))
      .execute()
    await schema.alterTable('checkout').addColumn('tax', types.json).execute()
    await schema.alterTable('order').addColumn('tax', types.json).execute()
    await schema
      .alterTable('job')
      .addColumn('calls', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()

    await schema.alterTable('event').addColumn('customer_id', 'text').execute()
    await schema
      .createIndex('event_customer')
      .on('event')
      .columns(['customer_id', 'id'])
      .where(sql<boolean>`customer_id is not null`)
      .execute()

    await schema
      .createTable('refund')
      .addColumn('id', 'text', (c) => c.notNull().primaryKey())
      .addColumn('organization_id', 'text', (c) =>
        c.notNull().references('merchant.organization_id').onDelete('cascade'),
      )
      .addColumn('order_id', 'text', (c) => c.notNull().references('order.id'))
      .addColumn('subscription_id', 'text')
      .addColumn('customer_id', 'text', (c) => c.notNull())
      .addColumn('payment_id', 'text', (c) => c.notNull())
      .addColumn('processor', 'text', (c) => c.notNull())
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('reason', 'text', (c) => c.notNull())
      .addColumn('amount', 'bigint', (c) => c.notNull())
      .addColumn('tax_amount', 'bigint', (c) => c.notNull())
      .addColumn('currency', 'text', (c) => c.notNull())
      .addColumn('comment', 'text')
      .addColumn('revoke_benefits', types.flag, (c) => c.notNull())
      .addColumn('metadata', types.json, (c) => c.notNull())
      .addColumn('processor_reference', 'text')
      .addColumn('failure_reason', 'text')
      .addColumn('credit_note_number', 'text')
      .addColumn('dispute_id', 'text')
      .addColumn('actor_id', 'text')
      .addColumn('settled_at', types.time)
      .addColumn('created_at', types.time, (c) => c.notNull())
      .addColumn('modified_at', types.time)
      .execute()
    await schema
      .createIndex('refund_organization')
      .on('refund')
      .columns(['organization_id', 'created_at', 'id'])
      .execute()
    await schema.createIndex('refund_order').on('refund').columns(['order_id', 'created_at', 'id']).execute()
    await schema
      .createIndex('refund_customer')
      .on('refund')
      .columns(['organization_id', 'customer_id', 'created_at', 'id'])
      .execute()
    await schema
      .createIndex('refund_credit_note')
      .on('refund')
      .columns(['organization_id', 'credit_note_number'])
      .unique()
      .where(sql<boolean>`credit_note_number is not null`)
      .execute()

    await schema
      .createTable('dispute')
      .addColumn('id', 'text', (c) => c.notNull().primaryKey())
      .addColumn('organization_id', 'text', (c) =>
        c.notNull().references('merchant.organization_id').onDelete('cascade'),
      )
      .addColumn('order_id', 'text', (c) => c.notNull().references('order.id'))
      .addColumn('payment_id', 'text', (c) => c.notNull())
      .addColumn('customer_id', 'text', (c) => c.notNull())
      .addColumn('processor', 'text', (c) => c.notNull())
      .addColumn('processor_reference', 'text', (c) => c.notNull())
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('reason', 'text')
      .addColumn('amount', 'bigint', (c) => c.notNull())
      .addColumn('tax_amount', 'bigint', (c) => c.notNull())
      .addColumn('currency', 'text', (c) => c.notNull())
      .addColumn('evidence_due_by', types.time)
      .addColumn('created_at', types.time, (c) => c.notNull())
      .addColumn('modified_at', types.time)
      .addUniqueConstraint('dispute_reference', ['processor', 'processor_reference'])
      .execute()
    await schema
      .createIndex('dispute_organization')
      .on('dispute')
      .columns(['organization_id', 'created_at', 'id'])
      .execute()
    await schema.createIndex('dispute_order').on('dispute').columns(['order_id', 'created_at', 'id']).execute()

    await schema
      .createTable('document')
      .addColumn('id', 'text', (c) => c.notNull().primaryKey())
      .addColumn('organization_id', 'text', (c) =>
        c.notNull().references('merchant.organization_id').onDelete('cascade'),
      )
      .addColumn('order_id', 'text', (c) => c.notNull().references('order.id'))
      .addColumn('refund_id', 'text')
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('number', 'text', (c) => c.notNull())
      .addColumn('locale', 'text', (c) => c.notNull())
      .addColumn('content', 'text', (c) => c.notNull())
      .addColumn('created_at', types.time, (c) => c.notNull())
      .execute()
    // Of an order one invoice and one receipt, of a refund one credit note.
    await schema
      .createIndex('document_of_order')
      .on('document')
      .columns(['order_id', 'kind'])
      .unique()
      .where(sql<boolean>`refund_id is null`)
      .execute()
    await schema
      .createIndex('document_of_refund')
      .on('document')
      .columns(['refund_id', 'kind'])
      .unique()
      .where(sql<boolean>`refund_id is not null`)
      .execute()

    await schema
      .createTable('webhook_endpoint')
      .addColumn('id', 'text', (c) => c.notNull().primaryKey())
      .addColumn('organization_id', 'text', (c) =>
        c.notNull().references('merchant.organization_id').onDelete('cascade'),
      )
      .addColumn('covers_installation', types.flag, (c) => c.notNull())
      .addColumn('name', 'text')
      .addColumn('url', 'text', (c) => c.notNull())
      .addColumn('format', 'text', (c) => c.notNull())
      .addColumn('sealed_secret', 'text', (c) => c.notNull())
      .addColumn('sealed_previous_secret', 'text')
      .addColumn('previous_secret_expires_at', types.time)
      .addColumn('events', types.json, (c) => c.notNull())
      .addColumn('enabled', types.flag, (c) => c.notNull())
      .addColumn('disabled_reason', 'text')
      .addColumn('failing_since', types.time)
      .addColumn('failed_events', 'integer', (c) => c.notNull())
      .addColumn('deleted_at', types.time)
      .addColumn('created_at', types.time, (c) => c.notNull())
      .addColumn('modified_at', types.time)
      .execute()
    await schema
      .createIndex('webhook_endpoint_organization')
      .on('webhook_endpoint')
      .columns(['organization_id', 'created_at', 'id'])
      .execute()
    await schema
      .createIndex('webhook_endpoint_installation')
      .on('webhook_endpoint')
      .columns(['covers_installation', 'enabled'])
      .execute()

    await schema
      .createTable('webhook_message')
      .addColumn('id', 'text', (c) => c.notNull().unique())
      .$call(growing('sequence'))
      .addColumn('endpoint_id', 'text', (c) => c.notNull().references('webhook_endpoint.id').onDelete('cascade'))
      .addColumn('organization_id', 'text', (c) => c.notNull())
      .addColumn('event_id', 'text', (c) => c.notNull())
      .addColumn('type', 'text', (c) => c.notNull())
      .addColumn('subject_id', 'text')
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('attempts', 'integer', (c) => c.notNull())
      .addColumn('next_attempt_at', types.time)
      .addColumn('last_http_code', 'integer')
      .addColumn('created_at', types.time, (c) => c.notNull())
      .addColumn('modified_at', types.time)
      .execute()
    await schema
      .createIndex('webhook_message_event')
      .on('webhook_message')
      .columns(['event_id', 'endpoint_id'])
      .unique()
      .execute()
    await schema
      .createIndex('webhook_message_pending')
      .on('webhook_message')
      .columns(['endpoint_id', 'sequence'])
      .where(sql<boolean>`state = 'pending'`)
      .execute()
    await schema
      .createIndex('webhook_message_organization')
      .on('webhook_message')
      .columns(['organization_id', 'created_at'])
      .execute()

    await schema
      .createTable('webhook_attempt')
      .addColumn('id', 'text', (c) => c.notNull().primaryKey())
      .addColumn('organization_id', 'text', (c) => c.notNull())
      .addColumn('endpoint_id', 'text', (c) => c.notNull().references('webhook_endpoint.id').onDelete('cascade'))
      .addColumn('message_id', 'text', (c) => c.notNull())
      .addColumn('event_id', 'text', (c) => c.notNull())
      .addColumn('type', 'text', (c) => c.notNull())
      .addColumn('attempt', 'integer', (c) => c.notNull())
      .addColumn('url', 'text', (c) => c.notNull())
      .addColumn('succeeded', types.flag, (c) => c.notNull())
      .addColumn('http_code', 'integer')
      .addColumn('duration_ms', 'integer', (c) => c.notNull())
      .addColumn('request_headers', types.json, (c) => c.notNull())
      .addColumn('response', 'text')
      .addColumn('response_headers', types.json)
      .addColumn('created_at', types.time, (c) => c.notNull())
      .execute()
    await schema
      .createIndex('webhook_attempt_organization')
      .on('webhook_attempt')
      .columns(['organization_id', 'created_at', 'id'])
      .execute()
    await schema
      .createIndex('webhook_attempt_endpoint')
      .on('webhook_attempt')
      .columns(['endpoint_id', 'created_at', 'id'])
      .execute()
    await schema
      .createIndex('webhook_attempt_event')
      .on('webhook_attempt')
      .columns(['event_id', 'created_at', 'id'])
      .execute()
    await schema.createIndex('webhook_attempt_age').on('webhook_attempt').columns(['created_at']).execute()

    await schema
      .createTable('stripe_customer')
      .addColumn('customer_id', 'text', (c) => c.notNull().primaryKey())
      .addColumn('reference', 'text', (c) => c.notNull())
      .addColumn('created_at', types.time, (c) => c.notNull())
      .execute()
    await schema
      .createTable('processor_event')
      .addColumn('id', 'text', (c) => c.notNull().primaryKey())
      .addColumn('processor', 'text', (c) => c.notNull())
      .addColumn('type', 'text', (c) => c.notNull())
      .addColumn('created_at', types.time, (c) => c.notNull())
      .execute()
    await schema.createIndex('processor_event_age').on('processor_event').columns(['created_at']).execute()
  },
}
