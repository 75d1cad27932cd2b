import { addColumns, type Migration, nullable, text } from './migration.ts'

/** Each saved card keeps what tells it from others: a subscription without a checkout begins no second trial with it. */
export const cardFingerprints: Migration = {
  name: '0034-card-fingerprints',
  steps: [addColumns('payment_method', { fingerprint_hash: nullable(text) })],
}
