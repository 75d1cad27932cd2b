import { createHmac } from 'node:crypto'
import { after, hours } from '../../../foundation/clock.ts'
import { randomKey } from '../../../foundation/ids.ts'
import type { EndpointRow } from './webhook-endpoint.repository.ts'

/** A fresh secret in the form of Standard Webhooks: 32 random bytes. */
export const newWebhookSecret = (): string => `whsec_${randomKey(32).toString('base64')}`

/** The masked secret for readers without the right to see it. */
export const lastOf = (secret: string): string => `whsec_…${secret.slice(-4)}`

/**
 * The signatures of a message, separated by spaces (WH-2, WH-12). Each secret gives two: one by its bytes, as Standard
 * Webhooks defines it, and one by its text, which older clients of the matching SDK verify.
 * @param timestamp Unix time in seconds, as in the header.
 */
export function signaturesOf(secrets: readonly string[], id: string, timestamp: string, body: Buffer): string {
  return secrets
    .flatMap((secret) => [Buffer.from(secret.replace(/^whsec_/, ''), 'base64'), Buffer.from(secret, 'utf8')])
    .map((key) => `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`)
    .join(' ')
}

/** How long the previous secret still signs (WH-12). */
const overlap = hours(24)
/** The most earlier secrets that sign beside the current one: each adds two signatures to every request. */
export const mostEarlier = 3

/** An earlier secret of an endpoint, sealed, with its expiry. */
export type EarlierSecret = { readonly sealedSecret: string; readonly expiresAt: Date }

type Columns = Pick<EndpointRow, 'sealedPreviousSecret' | 'previousSecretExpiresAt' | 'earlierSecrets'>

/** The earlier secrets of an endpoint that still sign, newest first. */
export function earlierSecretsOf(
  { sealedPreviousSecret: sealedSecret, previousSecretExpiresAt: expiresAt, earlierSecrets }: Columns,
  now: Date,
): EarlierSecret[] {
  const last = sealedSecret !== null && expiresAt !== null ? [{ sealedSecret, expiresAt }] : []
  const kept = (earlierSecrets ?? []).map((each) => ({ ...each, expiresAt: new Date(each.expiresAt) }))
  return [...last, ...kept].filter((each) => each.expiresAt > now)
}

/** The earlier secrets after a rotation: the current one signs for another day, and older ones until they expire. */
export const withOneMore = (row: Columns & Pick<EndpointRow, 'sealedSecret'>, now: Date) => ({
  sealedPreviousSecret: row.sealedSecret,
  previousSecretExpiresAt: after(now, overlap),
  earlierSecrets: earlierSecretsOf(row, now).map((each) => ({ ...each, expiresAt: each.expiresAt.toISOString() })),
})
