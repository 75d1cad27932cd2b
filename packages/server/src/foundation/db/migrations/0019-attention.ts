import { bigint, id, index, type Migration, nullable, reference, table, text, time, uniqueIndex } from './migration.ts'

/** Money that moved at a processor unlike any request, for the administrators who settle it. */
export const attention: Migration = {
  name: '0019-attention',
  steps: [
    table('attention', {
      id,
      // The money is still at the processor after its organization is gone.
      organization_id: nullable(reference('organization.id', 'set null')),
      kind: text,
      processor: text,
      processor_reference: text,
      // Without references: a restored database has lost the payment or the refund.
      payment_id: nullable(text),
      refund_id: nullable(text),
      amount: bigint,
      currency: text,
      expected_amount: nullable(bigint),
      expected_currency: nullable(text),
      detail: nullable(text),
      created_at: time,
      resolved_at: nullable(time),
      resolved_by: nullable(reference('user.id', 'set null')),
      note: nullable(text),
    }),
    uniqueIndex('attention_reference', 'attention', ['kind', 'processor', 'processor_reference']),
    index('attention_organization', 'attention', ['organization_id'], { where: 'organization_id is not null' }),
    index('attention_resolver', 'attention', ['resolved_by'], { where: 'resolved_by is not null' }),
    index('attention_open', 'attention', ['created_at', 'id'], { where: 'resolved_at is null' }),
    index('attention_resolved', 'attention', ['created_at', 'id'], { where: 'resolved_at is not null' }),
  ],
}
