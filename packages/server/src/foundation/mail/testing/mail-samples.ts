import type { MailData, MailTemplate } from '../mail-data.ts'

/** An address that mails of the samples link. */
export const sampleUrl =
  'https://accounts.acme.example/api/auth/verify-email?token=a.b_c-d&callbackURL=%2Faccount%3Fx%3D1'
const url = sampleUrl
const newEmail = 'new.ada@example.org'
/** Mails about refunds, and about failed refunds. */
const refund = {
  name: 'Ada Lovelace',
  organizationName: 'Analytical Engines',
  documentNumber: 'ENGINES-CN-000003',
  paidOn: '2026-11-23T04:18:00.000Z',
  currency: 'usd',
  items: [{ label: 'Pro', amount: 152_000 }],
  discountAmount: 0,
  taxAmount: 1000,
  totalAmount: 153_000,
  paidAmount: 200_000,
  isTest: true,
}

const dispute: MailData['dispute'] = {
  name: 'Ada Lovelace',
  organizationName: 'Analytical Engines',
  url,
  documentNumber: 'ENGINES-000012',
  currency: 'usd',
  totalAmount: 153_000,
  answerUntil: '2026-11-29T04:18:00.000Z',
  isTest: true,
}
const sold: MailData['subscription-recovered'] = {
  name: 'Ada Lovelace',
  organizationName: 'Analytical Engines',
  productName: 'Pro',
  isTest: true,
}
const renewal: MailData['subscription-ended'] = { ...sold, currency: 'usd', totalAmount: 153_000 }

const invoice: MailData['invoice-due'] = {
  ...renewal,
  url,
  documentNumber: 'ACME-000123',
  dueOn: '2026-12-24T09:00:00.000Z',
}

/** Each mail with the data of an ordinary case. */
export const mailSamples: { readonly [Template in MailTemplate]: MailData[Template] } = {
  'verify-email': { name: 'Ada Lovelace', url, expiresInMinutes: 60 },
  'email-changed-verify': { name: 'Ada Lovelace', url, expiresInMinutes: 60 },
  'reset-password': { name: 'Ada Lovelace', url, expiresInMinutes: 60 },
  'change-email': { name: 'Ada Lovelace', url, newEmail, expiresInMinutes: 60 },
  'password-changed': { name: 'Ada Lovelace' },
  'account-linked': { name: 'Ada Lovelace', providerName: 'GitHub' },
  'email-changed': { name: 'Ada Lovelace', newEmail },
  'existing-account': { name: 'Ada Lovelace' },
  'delete-account': {
    name: 'Ada Lovelace',
    url,
    expiresInMinutes: 1440,
    endingOrganizations: ['Acme', 'evil.example'],
  },
  'magic-link': { name: 'Ada Lovelace', url, code: '402817', expiresInMinutes: 5 },
  invitation: {
    name: 'Ada Lovelace',
    url,
    expiresInMinutes: 2880,
    organizationName: 'Analytical Engines',
    inviterName: 'Charles Babbage',
    inviterEmail: 'charles@example.org',
    role: 'admin,billing',
  },
  'join-request': {
    name: 'Ada Lovelace',
    url,
    organizationName: 'Analytical Engines',
    requesterName: 'Charles Babbage',
    requesterEmail: 'charles@example.org',
  },
  'join-approved': { name: 'Ada Lovelace', url, organizationName: 'Analytical Engines' },
  'ownership-received': {
    name: 'Ada Lovelace',
    url,
    organizationName: 'Analytical Engines',
    previousOwnerName: 'Charles Babbage',
  },
  receipt: {
    name: 'Ada Lovelace',
    url,
    organizationName: 'Analytical Engines',
    documentNumber: 'ENGINES-000012',
    paidOn: '2026-11-22T04:18:00.000Z',
    currency: 'usd',
    items: [{ label: 'Pro', amount: 190_000 }],
    discountAmount: 38_000,
    taxAmount: 1000,
    totalAmount: 153_000,
    isTest: true,
  },
  refund,
  'refund-failed': refund,
  'payment-failed': {
    ...renewal,
    url,
    declined: 'funds',
    next: { step: 'retry', on: '2026-11-27T09:00:00.000Z' },
  },
  'invoice-issued': invoice,
  'invoice-due': invoice,
  'invoice-overdue': { ...invoice, overdue: { step: 'reminder', on: '2026-12-27T09:00:00.000Z' } },
  'trial-ending': { ...renewal, url, endsOn: '2026-11-27T09:00:00.000Z', renewalStep: 'card' },
  'trial-ended': { ...renewal, url, endsOn: '2026-12-18T09:00:00.000Z' },
  'subscription-ended': renewal,
  'subscription-recovered': sold,
  'subscription-paused': { ...sold, resumesOn: '2026-12-24T09:00:00.000Z' },
  'subscription-resumed': { ...sold, paidBy: 'card' },
  'renewal-reminder': { ...renewal, renewsOn: '2026-12-24T09:00:00.000Z', renewalStep: 'card' },
  'price-change': { ...renewal, renewsOn: '2026-12-24T09:00:00.000Z', beforeAmount: 120_000 },
  'price-kept': sold,
  'card-expiring': { ...sold, url, lastFour: '4242', validUntil: '2026-12-31T00:00:00.000Z' },
  'card-expired': { ...sold, url, lastFour: '4242', validUntil: '2026-10-31T00:00:00.000Z' },
  'webhook-disabled': {
    name: 'Ada Lovelace',
    organizationName: 'Analytical Engines',
    url,
    endpointName: 'Books',
    endpointHost: 'hooks.example.net',
    reason: 'failing',
    failingSince: '2026-11-22T04:18:00.000Z',
  },
  dispute,
  inquiry: dispute,
  'dispute-to-answer': dispute,
  'money-to-check': {
    name: 'Ada Lovelace',
    kind: 'amount_differs',
    organizationName: 'Analytical Engines',
    processor: 'stripe',
    reference: 'pi_3QwErTy',
    currency: 'usd',
    totalAmount: 100,
    expected: { amount: 153_000, currency: 'usd' },
    url,
    isTest: false,
  },
}
