import type { DocumentContent } from '../documents/drawing/document-content.ts'

/** An ordinary invoice, for tests that draw documents. */
export const invoice: DocumentContent = {
  kind: 'invoice',
  number: 'ACME-000123',
  locale: 'en',
  issuedAt: '2026-03-01T12:00:00.000Z',
  invoiceNumber: 'ACME-000123',
  paidAt: '2026-03-01T12:00:00.000Z',
  suppliedAt: '2026-03-01T12:00:00.000Z',
  currency: 'eur',
  seller: {
    name: 'Acme',
    legalName: 'Acme Werkzeuge GmbH',
    address: { line1: 'Hauptstraße 12', line2: null, postalCode: '10115', city: 'Berlin', state: null, country: 'DE' },
    taxId: 'DE123456789',
    email: 'billing@acme.example',
    website: 'https://acme.example',
  },
  buyer: {
    name: 'Ada Lovelace',
    address: {
      line1: '1 Analytical Way',
      line2: 'Floor 3',
      postalCode: '94105',
      city: 'San Francisco',
      state: 'US-CA',
      country: 'US',
    },
    taxId: 'ATU12345678',
    email: 'ada@example.com',
  },
  lines: [{ label: 'Pro, monthly', amount: 1900 }],
  discount: { name: 'Spring', amount: 950 },
  netAmount: 950,
  tax: {
    treatment: 'taxed',
    lines: [{ name: 'VAT', country: 'DE', state: null, percent: '19', taxableAmount: 950, amount: 181 }],
  },
  taxAmount: 181,
  totalAmount: 1131,
  card: { brand: 'visa', lastFour: '4242' },
  isTest: false,
}
